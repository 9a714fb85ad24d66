import type { BookingChange, ChangeRecord } from '../domain/booking-change.ts'
import type { NewJob } from '../domain/job.ts'
import type { Trx } from '../store/database.ts'
import { deleteJobs, insertJobs } from '../store/outbox.ts'
import { getBookingChange } from './booking-change.ts'
import type { Context } from './context.ts'

/** What a channel has to do about a change: mail, webhooks, calendars. */
export type Channel = (
  trx: Trx,
  change: BookingChange,
  now: number,
) => readonly NewJob[] | Promise<readonly NewJob[]>

/**
 * Turns the news of a change into one job for everyone who is to hear of it.
 *
 * The announcement ends in the same transaction: a crash leaves either it, or what came of it.
 */
export async function announceChange(
  context: Context,
  jobId: number,
  record: ChangeRecord,
  channels: readonly Channel[],
): Promise<void> {
  const now = context.now()
  await context.db.transaction().execute(async (trx) => {
    // Whoever has a lease that ran out may find that another has been faster.
    if ((await deleteJobs(trx, [jobId])) === 0) return
    const change = await getBookingChange(trx, record)
    for (const spread of channels) await insertJobs(trx, await spread(trx, change, now), now)
  })
  context.outbox.wake()
}
