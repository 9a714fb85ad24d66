import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { bookAt, getListed } from '../../test/bookings.ts'
import { onEveryDatabase } from '../../test/databases.ts'
import { runDueJobs } from '../../test/jobs.ts'
import { type AppUnderTest, addEventType, addUser, appOn, MONDAY_NOON, stoppedClock } from '../../test/kit.ts'
import { addWebhook } from '../../test/webhooks.ts'
import { DAY, HOUR } from '../domain/interval.ts'
import { completeBookings } from '../services/bookings/complete.ts'
import { markNoShow, undoNoShow } from '../services/bookings/host/mark-no-show.ts'
import type { Context } from '../services/context.ts'

const TUESDAY_NINE = MONDAY_NOON + DAY - 3 * HOUR

onEveryDatabase('what became of a meeting', ({ db }) => {
  const clock = stoppedClock()
  let contexts: [Context, Context]
  let mailbox: AppUnderTest['mailbox']

  before(async () => {
    const [one, other] = [await appOn(db(), { now: clock.now }), await appOn(db(), { now: clock.now })]
    contexts = [one.context, other.context]
    mailbox = one.mailbox
  })

  it('is told to webhooks once, whichever instance sees it first, and to nobody else', async () => {
    const [context] = contexts
    const ada = await addUser(db(), 'ada')
    await addWebhook(db(), ada)
    const talk = await addEventType(db(), ada, { seats: 3, reminderMinutes: [] })
    const booked = []
    for (let n = 0; n < 6; n++) {
      booked.push(await bookAt(context, ada, talk, TUESDAY_NINE + Math.floor(n / 2) * HOUR))
    }
    await runDueJobs(context)
    const mailed = mailbox.length
    assert.ok(mailed > 0)
    const { id } = (booked[0] as (typeof booked)[0]).booking
    clock.moveTo(TUESDAY_NINE + 3 * HOUR)
    const host = { by: 'host', actor: { userId: ada.id, email: 'ada@hosts.example' } } as const
    const missed = await markNoShow(context, host, await getListed(db(), id))
    await Promise.all(contexts.flatMap((one) => [completeBookings(one), completeBookings(one)]))
    await Promise.all(contexts.map(runDueJobs))
    await undoNoShow(context, host, missed)
    await Promise.all(contexts.map(completeBookings))
    await Promise.all(contexts.map(runDueJobs))
    assert.equal(mailbox.length, mailed)
    const told = await db()
      .selectFrom('webhook_deliveries')
      .select(['booking_id', 'event', 'body'])
      .where('event', '!=', 'booking.created')
      .orderBy('event')
      .orderBy('booking_id')
      .execute()
    assert.deepEqual(
      told.map(({ event, booking_id }) => [event, booking_id]),
      [...booked.slice(1).map(({ booking }) => ['booking.completed', booking.id]), ['booking.no_show', id]],
    )
    const { data } = JSON.parse(told[0]?.body ?? '')
    assert.deepEqual([data.status, data.changedBy, data.hosts[0].id], ['Completed', 'service', ada.id])
    // No mail, no calendar entry and no meeting link follows.
    const left = await db().selectFrom('outbox').select('kind').where('kind', '!=', 'webhook').execute()
    assert.deepEqual(left, [])
  })
})
