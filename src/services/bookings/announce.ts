import type { BookingChange, ChangeRecord } from '../../domain/bookings/change.ts'
import { type NewJob, Postponed } from '../../domain/job.ts'
import { type HistoryEntry, insertHistory } from '../../store/bookings/history.ts'
import type { Trx } from '../../store/engine/database.ts'
import { deleteJobs, insertJobs } from '../../store/outbox.ts'
import type { Context } from '../context.ts'
import { settleLinks } from './links/settle-links.ts'
import { getBookingChange, keepAnnounced } from './load-change.ts'
import { numberEntries } from './number-entries.ts'

/** Turns changes into the jobs of one channel: mail, webhooks or calendars. */
export type Channel = (
  trx: Trx,
  changes: readonly BookingChange[],
  now: number,
  context: Pick<Context, 'publicUrl'>,
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
  let postponed: ReadonlySet<number> = new Set()
  try {
    postponed = await queueJobs(context, readable, channels)
  } catch {
    batched = false
  }
  return Promise.allSettled(
    changes.map(async (change, i) => {
      if (change.status === 'rejected') throw change.reason
      const { jobId } = announcements[i] as Announcement
      const waits = batched
        ? postponed
        : await queueJobs(context, [{ jobId, change: change.value }], channels)
      if (waits.has(jobId)) throw new Postponed('Waits for the meeting link.')
    }),
  )
}

/**
 * Whether the history needs an entry of its own. The audit has what hosts did, and the booking itself when it was made
 * and when it is over.
 */
const isRemembered = ({ by, type }: BookingChange) =>
  by !== 'host' && type !== 'created' && type !== 'completed'

const entryOf = ({ id, bookingId, at, type, by }: BookingChange): HistoryEntry => ({
  id,
  bookingId,
  at,
  kind: 'change',
  what: type,
  subject: by,
})

async function queueJobs(
  context: Context,
  announcements: readonly { readonly jobId: number; readonly change: BookingChange }[],
  channels: readonly Channel[],
): Promise<ReadonlySet<number>> {
  const postponed = new Set<number>()
  if (announcements.length === 0) return postponed
  const now = context.now()
  const jobs: NewJob[] = []
  const told: BookingChange[] = []
  await context.db.transaction().execute(async (trx) => {
    const settled = await settleLinks(context, trx, announcements, now)
    jobs.push(...settled.flatMap((one) => one.jobs))
    for (const { jobId } of settled.filter(({ waits }) => waits)) postponed.add(jobId)
    const ready = settled.filter(({ waits }) => !waits)
    // Our lease may have run out, and another worker may have done some of these already.
    const ours = await deleteJobs(
      trx,
      ready.map(({ jobId }) => jobId),
    )
    told.push(...ready.filter(({ jobId }) => ours.has(jobId)).map(({ change }) => change))
    const changes = told.length === 0 ? [] : await numberEntries(trx, told)
    await insertHistory(trx, told.filter(isRemembered).map(entryOf))
    if (told.length > 0)
      for (const channel of channels) jobs.push(...(await channel(trx, changes, now, context)))
    await insertJobs(trx, jobs, now)
  })
  keepAnnounced(context.db, told)
  context.outbox.wake([...new Set(jobs.map(({ kind }) => kind))])
  return postponed
}
