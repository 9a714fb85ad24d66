import type { BookingChange, ChangeRecord } from '../../domain/bookings/change.ts'
import type { JobKind, NewJob } from '../../domain/job.ts'
import type { Trx } from '../../store/engine/database.ts'
import { deleteJobs, insertJobs } from '../../store/outbox.ts'
import type { Context } from '../context.ts'
import { getBookingChange } from './load-change.ts'

/** Turns a change into the jobs of one channel: mail, webhooks or calendars. */
export type Channel = (
  trx: Trx,
  change: BookingChange,
  now: number,
) => readonly NewJob[] | Promise<readonly NewJob[]>

/** An `announce` job: a change to a booking that the channels still have to act on. */
export interface Announcement {
  readonly jobId: number
  readonly record: ChangeRecord
}

/**
 * Replaces each announcement by the jobs that its channels ask for, and returns one outcome per announcement.
 *
 * The announcement is deleted in the same transaction, so a crash leaves either it or its jobs, never both.
 * All share one transaction. If that fails, each gets its own, so that one bad announcement doesn't hold up the others.
 */
export async function announceChanges(
  context: Context,
  announcements: readonly Announcement[],
  channels: readonly Channel[],
): Promise<PromiseSettledResult<void>[]> {
  const changes = await Promise.allSettled(
    announcements.map(({ record }) => getBookingChange(context.db, record)),
  )
  const readable = announcements.flatMap(({ jobId }, i) => {
    const change = changes[i]
    return change?.status === 'fulfilled' ? [{ jobId, change: change.value }] : []
  })
  let batched = true
  try {
    await queueJobs(context, readable, channels)
  } catch {
    batched = false
  }
  return Promise.allSettled(
    changes.map(async (change, i) => {
      if (change.status === 'rejected') throw change.reason
      const { jobId } = announcements[i] as Announcement
      if (!batched) await queueJobs(context, [{ jobId, change: change.value }], channels)
    }),
  )
}

async function queueJobs(
  context: Context,
  announcements: readonly { readonly jobId: number; readonly change: BookingChange }[],
  channels: readonly Channel[],
): Promise<void> {
  const now = context.now()
  const kinds = new Set<JobKind>()
  await context.db.transaction().execute(async (trx) => {
    for (const { jobId, change } of announcements) {
      // Our lease may have run out, and another worker may have done this already.
      if ((await deleteJobs(trx, [jobId])) === 0) continue
      for (const channel of channels) {
        const jobs = await channel(trx, change, now)
        await insertJobs(trx, jobs, now)
        for (const { kind } of jobs) kinds.add(kind)
      }
    }
  })
  context.outbox.wake([...kinds])
}
