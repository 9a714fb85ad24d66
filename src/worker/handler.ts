import type { ChangeRecord } from '../domain/bookings/change.ts'
import type { Job, JobKind } from '../domain/job.ts'
import type { HookRemoval } from '../domain/payments/account.ts'
import type { ResponseRecord } from '../domain/webhooks/webhook.ts'
import type { ChannelWork } from '../services/calendars/channels.ts'
import type { CalendarWrite } from '../services/calendars/jobs.ts'
import type { LinkWork } from '../services/calendars/link-jobs.ts'
import type { Revocation } from '../services/calendars/revoke.ts'
import type { Context } from '../services/context.ts'
import type { ApplyJobData } from '../services/imports/apply.ts'
import type { MailJobData, ReminderJobData } from '../services/mail/jobs.ts'
import type { MessageJobData, MessagePlan } from '../services/messages/jobs.ts'
import type { NoticeJobData } from '../services/payments/notice-job.ts'
import type { PushJobData } from '../services/push/jobs.ts'
import type { DeliveryRecord } from '../services/webhooks/queue-deliveries.ts'
import type { JobOutcome } from '../services/work-queue.ts'
import type { AccountDeletion } from '../services/workspace/erasure/delete-account.ts'

/** What a job of each kind says. */
interface JobData extends Readonly<Record<JobKind, unknown>> {
  readonly announce: ChangeRecord
  readonly 'announce-response': ResponseRecord
  readonly mail: MailJobData
  readonly reminder: ReminderJobData
  readonly message: MessageJobData
  readonly 'message-plan': MessagePlan
  readonly push: PushJobData
  readonly webhook: DeliveryRecord
  readonly 'webhook-disabled': { readonly webhookId: string }
  readonly 'calendar-channel': ChannelWork
  readonly 'calendar-failed': { readonly calendarId: string }
  readonly 'calendar-write': CalendarWrite
  readonly 'connection-lost': { readonly connectionId: string }
  readonly 'connection-revoke': Revocation | HookRemoval
  readonly 'meeting-link': LinkWork
  readonly 'account-delete': AccountDeletion
  readonly 'payment-expire': { readonly checkoutId: string }
  readonly 'payment-capture': { readonly checkoutId: string }
  readonly 'payment-release': { readonly checkoutId: string }
  readonly 'payment-refund': { readonly refundId: string }
  readonly 'payment-notice': NoticeJobData
  readonly 'payment-gone': { readonly checkoutId: string }
  readonly 'payment-failed': { readonly refundId: string }
  readonly 'import-apply': ApplyJobData
}

/** A job of this kind as its handler gets it. */
export type JobOf<Kind extends JobKind> = Job<JobData[Kind]>

/**
 * Does a job. Returning means done; throwing means retry, or give up (see `domain/job.ts`).
 *
 * A crash after the work repeats the job, so a handler must be safe to run twice. `record` keeps what the job leaves
 * behind; it is written when the job is completed.
 */
export type Handler<GivenJob = Job> = (
  context: Context,
  job: GivenJob,
  record: (outcome: JobOutcome) => void,
) => Promise<void>

export type HandlerOf<Kind extends JobKind> = Handler<JobOf<Kind>>

export type Handlers = Readonly<Partial<Record<JobKind, Handler>>>
