import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Cursor } from '../../domain/cursor.ts'
import { DAY, MINUTE } from '../../domain/interval.ts'
import type { NewJob } from '../../domain/job.ts'
import { isAboutForm, type Message } from '../../domain/messages/message.ts'
import { planMessage, unbookedDueAt } from '../../domain/messages/schedule.ts'
import { findBookingPage } from '../../store/bookings/list.ts'
import type { Db } from '../../store/engine/database.ts'
import { findFormsOf, findResponses } from '../../store/forms/forms.ts'
import { findMessage } from '../../store/messages/messages.ts'
import { findLanes, insertJobs } from '../../store/outbox.ts'
import type { Context } from '../context.ts'
import { messageJob } from './jobs.ts'

const BATCH = 500

/** Plans a message for all bookings that it was still ahead of when it began to apply. */
export async function planForBookings(context: Context, messageId: string, since: number): Promise<void> {
  const message = await findMessage(context.db, messageId)
  if (message === undefined || !message.enabled) return
  if (message.on === 'unbooked') await planForResponses(context, message, since)
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
      planMessage(message, booking, since).map((planned) => messageJob(planned, { bookingId: booking.id })),
    )
  await insertNew(db, jobs, now())
  const last = found.length === BATCH ? found.at(-1)?.booking : undefined
  return last && { at: last.startsAt, id: last.id }
}

/** Queues those that are not queued yet. */
async function insertNew(db: Db, jobs: readonly NewJob[], now: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const lanes = jobs.map(({ lane }) => lane ?? '')
    const planned = await findLanes(trx, lanes)
    const fresh = jobs.filter(({ lane }) => !planned.has(lane ?? ''))
    await insertJobs(trx, fresh, now)
  })
}

/** Plans a message for those who have answered a form and not booked yet. */
async function planForResponses({ db, now }: Context, message: Message, since: number): Promise<void> {
  const forms = await findFormsOf(db, message.schedulerId)
  for (const form of forms.filter(({ id }) => isAboutForm(message, id))) {
    let after: Cursor | undefined
    do {
      const found = await findResponses(db, form.id, { limit: BATCH, ...(after && { after }) })
      const ahead = found.filter(({ createdAt }) => unbookedDueAt(message, createdAt) > since)
      const jobs = ahead
        .filter(({ route, bookingId }) => route !== null && bookingId === null)
        .map(({ id, createdAt }) =>
          messageJob({ message, dueAt: unbookedDueAt(message, createdAt) }, { responseId: id }),
        )
      await insertNew(db, jobs, now())
      // The newest come first: after the first that is too old, all are.
      const last = ahead.length === BATCH ? ahead.at(-1) : undefined
      after = last && { at: last.createdAt, id: last.id }
      await nextTurn()
    } while (after !== undefined)
  }
}
