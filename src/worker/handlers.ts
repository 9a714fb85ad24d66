import type { Job, JobKind } from '../domain/job.ts'
import type { Channel } from '../services/announce-change.ts'
import { calendarJobsFor } from '../services/calendar-jobs.ts'
import type { Context } from '../services/context.ts'
import { mailJobsFor } from '../services/mail-jobs.ts'
import { queueDeliveries } from '../services/queue-deliveries.ts'
import { announcing } from './announce.ts'
import { announceResponse } from './announce-response.ts'
import { deliverMail } from './deliver-mail.ts'
import { deliverWebhook } from './deliver-webhook.ts'
import { remind } from './remind.ts'
import { tellWebhookDisabled } from './tell-webhook-disabled.ts'
import { writeCalendar } from './write-calendar.ts'

/**
 * Does a job. Returning means done; throwing means later, or never again (`domain/job.ts` has the words).
 *
 * A crash after the doing repeats it, so it must bear that.
 */
export type Handler = (context: Context, job: Job) => Promise<void>

export type Handlers = Readonly<Partial<Record<JobKind, Handler>>>

/** Everyone who wants to hear of changes to bookings. */
const CHANNELS: readonly Channel[] = [
  (_trx, change, now) => mailJobsFor(change, now),
  queueDeliveries,
  calendarJobsFor,
]

/** Who does what. */
export const HANDLERS: Handlers = {
  announce: announcing(CHANNELS),
  'announce-response': announceResponse,
  mail: deliverMail,
  reminder: remind,
  webhook: deliverWebhook,
  'webhook-disabled': tellWebhookDisabled,
  'calendar-write': writeCalendar,
}
