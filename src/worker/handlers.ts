import type { Job, JobKind } from '../domain/job.ts'
import type { Channel } from '../services/announce-change.ts'
import type { Context } from '../services/context.ts'
import { announcing } from './announce.ts'

/**
 * Does a job. Returning means done; throwing means later, or never again (`domain/job.ts` has the words).
 *
 * A crash after the doing repeats it, so it must bear that.
 */
export type Handler = (context: Context, job: Job) => Promise<void>

export type Handlers = Readonly<Partial<Record<JobKind, Handler>>>

/** Everyone who wants to hear of changes to bookings. */
const CHANNELS: readonly Channel[] = []

/** Who does what. Jobs of other kinds stay where they are. */
export const HANDLERS: Handlers = {
  announce: announcing(CHANNELS),
}
