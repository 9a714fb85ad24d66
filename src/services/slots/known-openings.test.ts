import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import fc from 'fast-check'
import { bookAt, getListed } from '../../../test/bookings.ts'
import { onEveryDatabase } from '../../../test/databases.ts'
import {
  addEventType,
  addTeam,
  addUser,
  changeElsewhere,
  contextOn,
  stoppedClock,
  weekdays,
} from '../../../test/kit.ts'
import { repeat } from '../../../test/repeat.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { DAY, MINUTE } from '../../domain/interval.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { Problem } from '../../domain/problem.ts'
import { cancel } from '../bookings/cancel.ts'
import type { Context } from '../context.ts'

/** A Thursday; New York changes its clocks three days later. */
const NOW = Date.UTC(2027, 2, 11, 12)

const TODAY = { dateFrom: '2027-03-11', dateTo: '2027-03-11', timezone: 'UTC' }

const dateOf = (instant: number) => new Date(instant).toISOString().slice(0, 10)

interface Talk {
  readonly owner: Scheduler
  readonly eventType: EventType
}

onEveryDatabase('known openings', ({ db }) => {
  const clock = stoppedClock(NOW)
  let names = 0
  let ada: Scheduler
  const talks: Talk[] = []

  const add = async (owner: Scheduler, given: Partial<EventType>, hosts?: readonly Scheduler[]) => {
    const members = hosts?.map(({ id }) => ({ hostId: id, fixed: given.assignment !== 'round-robin' }))
    talks.push({ owner, eventType: await addEventType(db(), owner, given, members) })
  }

  before(async () => {
    ada = await addUser(db(), 'ada', weekdays('America/New_York'))
    const ben = await addUser(db(), 'ben', weekdays('Asia/Kathmandu'))
    const team = await addTeam(db(), 'team')
    await add(ada, { durationMinutes: 45, intervalMinutes: 20, bufferBeforeMinutes: 10 })
    await add(ada, { durations: [30, 60], noticeMinutes: 90, window: { kind: 'rolling', days: 40 } })
    await add(ada, { seats: 3 })
    await add(ada, { limits: { day: 3, week: 7, month: null, year: null } })
    await add(team, { assignment: 'round-robin', window: { kind: 'rolling', days: 9 } }, [ada, ben])
    await add(team, { assignment: 'collective', durationMinutes: 15 }, [ada, ben])
  })

  const deleteBookings = async () => {
    await db().deleteFrom('claims').execute()
    await db().deleteFrom('bookings').execute()
  }

  interface Asked {
    readonly dateFrom: string
    readonly dateTo: string
    readonly timezone: string
    readonly duration?: string
  }

  /** As a guest is answered: under a key of its own, so that no listing is reused. */
  const list = async ({ slots }: Context, { owner, eventType }: Talk, asked: Asked): Promise<string> =>
    Buffer.from(await slots.list(owner.slug, eventType.slug, asked, { key: `listing ${++names}` })).toString()
  /** The same from the database, past what is known. */
  const listAnew = async (context: Context, { owner, eventType }: Talk, asked: Asked): Promise<string> => {
    const { slots } = contextOn(db(), { now: clock.now }).context
    const bookable = await slots.readBookable(owner, eventType)
    return Buffer.from(await context.slots.listFrom(bookable, asked)).toString()
  }
  const startsIn = (listing: string): number[] =>
    JSON.parse(listing).flatMap(({ slots }: { slots: { startTime: string }[] }) =>
      slots.map(({ startTime }) => Date.parse(startTime)),
    )

  const asked: fc.Arbitrary<Asked> = fc
    .record({
      first: fc.integer({ min: -3, max: 70 }),
      days: fc.integer({ min: 1, max: 92 }),
      timezone: fc.constantFrom('UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati'),
    })
    .map(({ first, days, timezone }) => ({
      dateFrom: dateOf(NOW + first * DAY),
      dateTo: dateOf(NOW + (first + days - 1) * DAY),
      timezone,
    }))
  const step = fc.oneof(
    {
      arbitrary: fc.record({ what: fc.constant('list' as const), asked, askedBefore: fc.constantFrom(0, 5) }),
      weight: 6,
    },
    {
      arbitrary: fc.record({ what: fc.constant('book' as const), at: fc.nat(300), elsewhere: fc.boolean() }),
      weight: 3,
    },
    { arbitrary: fc.record({ what: fc.constant('cancel' as const) }), weight: 1 },
    { arbitrary: fc.record({ what: fc.constant('wait' as const), time: fc.nat(200 * MINUTE) }), weight: 1 },
    { arbitrary: fc.record({ what: fc.constant('change hours' as const), opens: fc.nat(3) }), weight: 1 },
  )

  it('are what the database says, whatever was listed, booked, cancelled and changed here', async () => {
    const steps = fc.array(fc.record({ talk: fc.nat(5), step }), { minLength: 10, maxLength: 40 })
    const runs = repeat({ few: 15, many: 300 })
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        clock.moveTo(NOW)
        await deleteBookings()
        const { context } = contextOn(db(), { now: clock.now })
        const booked: string[] = []
        for (const { talk, step } of history) {
          const chosen = talks[talk] as Talk
          if (step.what === 'list') {
            for (let i = 0; i < step.askedBefore; i++) await list(context, chosen, TODAY)
            const { durations } = chosen.eventType
            for (const duration of durations.length === 0 ? [undefined] : durations.map(String)) {
              const query: Asked = { ...step.asked, ...(duration !== undefined && { duration }) }
              assert.equal(await list(context, chosen, query), await listAnew(context, chosen, query))
            }
          } else if (step.what === 'book') {
            const soon = {
              dateFrom: dateOf(clock.now()),
              dateTo: dateOf(clock.now() + 40 * DAY),
              timezone: 'UTC',
            }
            const starts = startsIn(await list(context, chosen, soon))
            const start = starts[step.at % starts.length]
            if (start === undefined) continue
            const instance = step.elsewhere ? contextOn(db(), { now: clock.now }).context : context
            booked.push((await bookAt(instance, chosen.owner, chosen.eventType, start)).booking.id)
            // What another instance books shows within a second.
            if (step.elsewhere) clock.moveTo(clock.now() + 1000)
          } else if (step.what === 'cancel') {
            const id = booked.pop()
            if (id === undefined) continue
            // Unless it has begun.
            const cancelled = cancel(context, { by: 'guest' }, await getListed(db(), id), { reason: '' })
            await cancelled.catch((error: unknown) => assert.ok(error instanceof Problem, String(error)))
          } else if (step.what === 'wait') {
            clock.moveTo(clock.now() + step.time)
          } else {
            await changeElsewhere(db(), ada.id, (trx) =>
              trx
                .updateTable('schedules')
                .set({ weekly: JSON.stringify(weekdaysFrom(`0${7 + (step.opens % 3)}:00`)) })
                .where('user_id', '=', ada.id)
                .execute(),
            )
            // Another instance may be a second ahead.
            clock.moveTo(clock.now() + 1000)
          }
        }
      }),
      { numRuns: runs },
    )
  })

  it('lose a start in the moment in which it falls under the notice', async () => {
    await deleteBookings()
    // Nine o'clock in New York is 90 minutes ahead.
    clock.moveTo(NOW + 30 * MINUTE)
    const { context } = contextOn(db(), { now: clock.now })
    const talk = talks[1] as Talk
    const nine = NOW + 120 * MINUTE
    for (let i = 0; i < 6; i++) assert.ok(startsIn(await list(context, talk, TODAY)).includes(nine))
    clock.moveTo(clock.now() + 1)
    assert.ok(!startsIn(await list(context, talk, TODAY)).includes(nine))
  })

  it('need no other read for other dates and zones', async () => {
    clock.moveTo(NOW)
    const { context } = contextOn(db(), { now: clock.now })
    const talk = talks[0] as Talk
    const query = (from: number, days: number, timezone: string): Asked => ({
      dateFrom: dateOf(NOW + from * DAY),
      dateTo: dateOf(NOW + (from + days - 1) * DAY),
      timezone,
    })
    // At first, only what is needed.
    for (let i = 0; i < 4; i++) await list(context, talk, query(i, 1, 'UTC'))
    await list(context, talk, query(1, 60, 'UTC'))
    const { primary } = context.slots.readCounts
    for (const from of [2, 20, 45]) {
      for (const zone of ['UTC', 'Asia/Kathmandu']) await list(context, talk, query(from, 7, zone))
    }
    assert.equal(context.slots.readCounts.primary, primary)
    clock.moveTo(clock.now() + 1000)
    await list(context, talk, query(2, 7, 'UTC'))
    assert.equal(context.slots.readCounts.primary, primary + 1)
  })
})

const weekdaysFrom = (opens: string) =>
  Object.fromEntries([1, 2, 3, 4, 5].map((day) => [day, [{ opens, closes: '17:00' }]]))
