import type { Channel } from '../services/bookings/announce.ts'
import { calendarJobsFor } from '../services/calendars/jobs.ts'
import { mailJobsFor } from '../services/mail/jobs.ts'
import { queueDeliveries } from '../services/webhooks/queue-deliveries.ts'
import { announcing } from './announce.ts'
import { announceResponse } from './announce-response.ts'
import { deliverWebhook } from './deliver-webhook.ts'
import type { Handler, Handlers } from './handler.ts'

/** The channels that turn a change of a booking into jobs. */
const CHANNELS: readonly Channel[] = [
  (_trx, changes, now) => changes.flatMap((change) => mailJobsFor(change, now)),
  queueDeliveries,
  calendarJobsFor,
]

/** Loaded with the first job of its kind: the code for emails and calendars is large. */
const later = (load: () => Promise<Handler>): Handler => {
  let loaded: Handler | undefined
  return async (context, job, record) => {
    loaded ??= await load()
    return loaded(context, job, record)
  }
}

/** The handler of each kind of job. */
export const HANDLERS: Required<Handlers> = {
  announce: announcing(CHANNELS),
  'announce-response': announceResponse,
  mail: later(async () => (await import('./deliver-mail.ts')).deliverMail),
  reminder: later(async () => (await import('./remind.ts')).remind),
  webhook: deliverWebhook,
  'webhook-disabled': later(async () => (await import('./tell-webhook-disabled.ts')).tellWebhookDisabled),
  'calendar-channel': later(async () => (await import('./keep-channel.ts')).keepCalendarChannel),
  'calendar-failed': later(async () => (await import('./tell-calendar-failed.ts')).tellCalendarFailed),
  'calendar-write': later(async () => (await import('./write-calendar.ts')).writeCalendar),
  'connection-lost': later(async () => (await import('./tell-connection-lost.ts')).tellConnectionLost),
  'meeting-link': later(async () => (await import('./make-link.ts')).makeLink),
  'connection-revoke': later(async () => (await import('./revoke-connection.ts')).revokeConnection),
  'account-delete': later(async () => (await import('./delete-account.ts')).finishDeletingAccount),
}
