import type { BookingChange, ChangeRecord } from '../../domain/bookings/change.ts'
import type { JobKind, NewJob } from '../../domain/job.ts'
import type { Trx } from '../../store/engine/database.ts'
import { deleteJobs, insertJobs } from '../../store/outbox.ts'
import type { Context } from '../context.ts'
import { getBookingChange } from './load-change.ts'

/** What a channel has to do about a change: mail, webhooks, calendars. */
export type Channel = (
  trx: Trx,
  change: BookingChange,
  now: number,
) => readonly NewJob[] | Promise<readonly NewJob[]>

/** The job that says what has happened to a booking. */
export interface Announcement {
  readonly jobId: number
  readonly record: ChangeRecord
}

/**
 * Turns the news of changes into one job for everyone who is to hear of them. Says of each how that went.
 *
 * An announcement ends in the same transaction: a crash leaves either it, or what came of it.
 * Several share one, unless something goes wrong with one of them.
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
  let together = true
  try {
    await spreadAll(context, readable, channels)
  } catch {
    together = false
  }
  return Promise.allSettled(
    changes.map(async (change, i) => {
      if (change.status === 'rejected') throw change.reason
      const { jobId } = announcements[i] as Announcement
      if (!together) await spreadAll(context, [{ jobId, change: change.value }], channels)
    }),
  )
}

async function spreadAll(
  context: Context,
  news: readonly { readonly jobId: number; readonly change: BookingChange }[],
  channels: readonly Channel[],
): Promise<void> {
  const now = context.now()
  const kinds = new Set<JobKind>()
  await context.db.transaction().execute(async (trx) => {
    for (const { jobId, change } of news) {
      // Whoever has a lease that ran out may find that another has been faster.
      if ((await deleteJobs(trx, [jobId])) === 0) continue
      for (const spread of channels) {
        const jobs = await spread(trx, change, now)
        await insertJobs(trx, jobs, now)
        for (const { kind } of jobs) kinds.add(kind)
      }
    }
  })
  context.outbox.wake([...kinds])
}
