import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Cursor } from '../../domain/cursor.ts'
import { DAY, MINUTE } from '../../domain/interval.ts'
import type { Message } from '../../domain/messages/message.ts'
import { planMessage } from '../../domain/messages/schedule.ts'
import { findBookingPage } from '../../store/bookings/list.ts'
import { findMessage } from '../../store/messages/messages.ts'
import { findLanes, insertJobs } from '../../store/outbox.ts'
import type { Context } from '../context.ts'
import { messageJob } from './jobs.ts'

const BATCH = 500

/** Plans a message for all bookings that it was still ahead of when it began to apply. */
export async function planForBookings(context: Context, messageId: string, since: number): Promise<void> {
  const message = await findMessage(context.db, messageId)
  if (message === undefined || !message.enabled) return
  if (message.on !== 'before' && message.on !== 'after') return
  let after: Cursor | undefined
  do {
    after = await planPage(context, message, since, after)
    // On SQLite, requests wait while a page is planned.
    await nextTurn()
  } while (after !== undefined)
  context.outbox.wake(['message'])
}

/** No meeting is longer, so none that started before can still end. */
const LONGEST_MEETING = DAY

async function planPage(
  { db, now }: Context,
  message: Message,
  since: number,
  after: Cursor | undefined,
): Promise<Cursor | undefined> {
  const minutes = (message.minutes ?? 0) * MINUTE
  const from = message.on === 'before' ? since + minutes : since - minutes - LONGEST_MEETING
  const filter = { statuses: [], order: 'asc', from, ...(after && { after }) } as const
  const { found } = await findBookingPage(db, [{ schedulerId: message.schedulerId }], filter, BATCH)
  const jobs = found
    .filter(({ booking: { status } }) => status === 'Confirmed' || status === 'Completed')
    .flatMap(({ booking }) =>
      planMessage(message, booking, since).map((planned) => messageJob(planned, booking.id)),
    )
  await db.transaction().execute(async (trx) => {
    const planned = await findLanes(
      trx,
      jobs.map(({ lane }) => lane ?? ''),
    )
    await insertJobs(
      trx,
      jobs.filter(({ lane }) => !planned.has(lane ?? '')),
      now(),
    )
  })
  const last = found.length === BATCH ? found.at(-1)?.booking : undefined
  return last && { at: last.startsAt, id: last.id }
}
