import type { Job, JobKind } from '../domain/job.ts'
import type { Context } from '../services/context.ts'
import type { RecordOutcome } from '../services/webhooks/try-delivery.ts'

/**
 * Does a job. Returning means done; throwing means retry, or give up (see `domain/job.ts`).
 *
 * A crash after the work repeats the job, so a handler must be safe to run twice. `record` keeps how a delivery ended;
 * it is written when the job is completed.
 */
export type Handler = (context: Context, job: Job, record: RecordOutcome) => Promise<void>

export type Handlers = Readonly<Partial<Record<JobKind, Handler>>>
