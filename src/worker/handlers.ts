import type { JobKind } from '../domain/job.ts'
import type { Channel } from '../services/bookings/announce.ts'
import { calendarJobsFor } from '../services/calendars/jobs.ts'
import { mailJobsFor, withdrawReminders } from '../services/mail/jobs.ts'
import { messageJobsFor } from '../services/messages/jobs.ts'
import { pushJobsFor } from '../services/push/jobs.ts'
import { queueDeliveries } from '../services/webhooks/queue-deliveries.ts'
import type { HandlerOf, Handlers } from './handler.ts'
import { announcing } from './handlers/announce.ts'
import { announceResponse } from './handlers/announce-response.ts'
import { deliverWebhook } from './handlers/deliver-webhook.ts'

/** The channels that turn a change of a booking into jobs. */
const CHANNELS: readonly Channel[] = [
  async (trx, changes, now) => {
    await withdrawReminders(trx, changes)
    return changes.flatMap((change) => mailJobsFor(change, now))
  },
  queueDeliveries,
  calendarJobsFor,
  messageJobsFor,
  pushJobsFor,
]

/** Loaded with the first job of its kind: the code for emails and calendars is large. */
const later = <Kind extends JobKind>(load: () => Promise<HandlerOf<Kind>>): HandlerOf<Kind> => {
  let loaded: HandlerOf<Kind> | undefined
  return async (context, job, record) => {
    loaded ??= await load()
    return loaded(context, job, record)
  }
}

const BY_KIND: { readonly [Kind in JobKind]: HandlerOf<Kind> } = {
  announce: announcing(CHANNELS),
  'announce-response': announceResponse,
  mail: later(async () => (await import('./handlers/deliver-mail.ts')).deliverMail),
  reminder: later(async () => (await import('./handlers/remind.ts')).remind),
  message: later(async () => (await import('./handlers/send-message.ts')).sendMessage),
  'message-plan': later(async () => (await import('./handlers/plan-message.ts')).planMessage),
  push: later(async () => (await import('./handlers/send-push.ts')).sendPush),
  webhook: deliverWebhook,
  'webhook-disabled': later(
    async () => (await import('./handlers/tell-webhook-disabled.ts')).tellWebhookDisabled,
  ),
  'calendar-channel': later(async () => (await import('./handlers/keep-channel.ts')).keepCalendarChannel),
  'calendar-failed': later(
    async () => (await import('./handlers/tell-calendar-failed.ts')).tellCalendarFailed,
  ),
  'calendar-write': later(async () => (await import('./handlers/write-calendar.ts')).writeCalendar),
  'connection-lost': later(
    async () => (await import('./handlers/tell-connection-lost.ts')).tellConnectionLost,
  ),
  'meeting-link': later(async () => (await import('./handlers/make-link.ts')).makeLink),
  'connection-revoke': later(async () => (await import('./handlers/revoke-connection.ts')).revokeConnection),
  'account-delete': later(async () => (await import('./handlers/delete-account.ts')).finishDeletingAccount),
  'payment-expire': later(async () => (await import('./handlers/payments.ts')).expirePayment),
  'payment-capture': later(async () => (await import('./handlers/payments.ts')).capturePayment),
  'payment-release': later(async () => (await import('./handlers/payments.ts')).releasePayment),
  'payment-refund': later(async () => (await import('./handlers/payments.ts')).refundPayment),
  'payment-notice': later(async () => (await import('./handlers/payments.ts')).hearOfPayment),
  'payment-gone': later(async () => (await import('./handlers/payments.ts')).tellPaymentGone),
  'payment-failed': later(async () => (await import('./handlers/payments.ts')).tellRefundFailed),
  'import-apply': later(async () => (await import('./handlers/apply-import.ts')).applyImport),
}

/** The handler of each kind of job. What a job says is what was written for its kind, so no handler looks twice. */
export const HANDLERS = BY_KIND as Required<Handlers>
