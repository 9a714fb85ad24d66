import type { NewJob } from '../../job.ts'
import type { Booking } from '../booking.ts'
import type { ChangeRecord } from '../change.ts'
import { Fact } from './fact.ts'

/** An announcement that still waits in the outbox. */
export interface Unannounced {
  readonly jobId: number
  readonly record: ChangeRecord
}

interface Asked {
  /** Read the announcements of these bookings that have not been made yet. */
  readonly unannouncedIds?: readonly string[]
}

interface Written {
  readonly jobs?: readonly NewJob[]
  /** Announcements that are not to be made after all. */
  readonly withdrawnJobs?: readonly number[]
}

/** Changes that nobody has heard of yet. */
export class Announcements extends Fact<Asked, Written> {
  readonly #waiting = new Map<number, Unannounced>()

  add(unannounced: Unannounced): void {
    this.#waiting.set(unannounced.jobId, unannounced)
  }

  /** The announcement of this booking's present state, if it still waits. */
  of({ id, sequence }: Pick<Booking, 'id' | 'sequence'>): Unannounced | undefined {
    return [...this.#waiting.values()].find(({ record }) => {
      return record.bookingId === id && record.sequence === sequence
    })
  }

  override apply({ withdrawnJobs = [] }: Written): void {
    for (const jobId of withdrawnJobs) this.#waiting.delete(jobId)
  }
}
