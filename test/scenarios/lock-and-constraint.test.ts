import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Booking } from '../../src/domain/bookings/booking.ts'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { HOUR, MINUTE } from '../../src/domain/interval.ts'
import type { Scheduler } from '../../src/domain/people/scheduler.ts'
import { Problem } from '../../src/domain/problem.ts'
import { book } from '../../src/services/bookings/book.ts'
import { type Context, createContext } from '../../src/services/context.ts'
import type { Db } from '../../src/store/engine/database.ts'
import type { EngineName } from '../../src/store/engine/engine.ts'
import { migrate } from '../../src/store/engine/migrate.ts'
import { openDatabase } from '../../src/store/engine/open-database.ts'
import { type FreshDatabase, freshDatabase } from '../databases.ts'
import { addEventType, addTeam, addUser, bookingOf, MONDAY_NOON, quietContext } from '../kit.ts'
import { stopAfterReading, untilSomeoneWaits } from '../standstill.ts'

// Two things prevent double bookings: a lock on the host, and a constraint in the database. Each is tested
// with the other removed. Instances meet at the worst moment: one has read that the time is free, and is
// stopped there while another books.

const GUESTS_AT_ONCE = 20
const NINE = MONDAY_NOON + 21 * HOUR

interface Offered {
  readonly owner: Scheduler
  readonly eventType: EventType
}

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`the lock alone, without the constraints, on ${engine}`, () => {
    const { db, url, world } = freshWorld(engine)
    before(() => dropRules(db(), engine))

    it('refuses a booking that was decided before another instance booked', async (t) => {
      const { hour, half } = world().alone
      const early = stopAfterReading(t, db())
      const first = outcomeOf(tryToBook(instance(early.db), hour, NINE))
      await early.reached
      assert.equal(await outcomeOf(tryToBook(instance(db()), half, NINE + 30 * MINUTE)), 'booked')
      early.goOn()
      assert.equal(await first, 'slot_unavailable')
    })

    it('refuses a host who is just being booked for a collective meeting', async (t) => {
      const { together, own } = world().pair
      const early = stopAfterReading(t, db())
      const first = outcomeOf(tryToBook(instance(early.db), together, NINE))
      await early.reached
      const second = outcomeOf(tryToBook(instance(db()), own, NINE + 30 * MINUTE))
      await waitingOrDone(db(), engine, second)
      early.goOn()
      assert.deepEqual([await first, await second], ['booked', 'slot_unavailable'])
    })

    it('refuses a collective meeting that was decided on outdated data', async (t) => {
      const { together } = world().pair
      const early = stopAfterReading(t, db())
      const first = outcomeOf(tryToBook(instance(early.db), together, NINE + 2 * HOUR))
      await early.reached
      const second = outcomeOf(tryToBook(instance(db()), together, NINE + 2 * HOUR + 15 * MINUTE))
      await waitingOrDone(db(), engine, second)
      early.goOn()
      assert.deepEqual([await first, await second], ['booked', 'slot_unavailable'])
    })

    it('refuses a booking that was decided before a collective meeting took the host', async (t) => {
      const { together, own } = world().pair
      const early = stopAfterReading(t, db())
      const first = outcomeOf(tryToBook(instance(early.db), own, NINE + 4 * HOUR))
      await early.reached
      assert.equal(
        await outcomeOf(tryToBook(instance(db()), together, NINE + 4 * HOUR + 15 * MINUTE)),
        'booked',
      )
      early.goOn()
      assert.equal(await first, 'slot_unavailable')
    })

    it('gives the last seat to one guest', async (t) => {
      const { seated } = world()
      assert.equal(await outcomeOf(tryToBook(instance(db()), seated, NINE)), 'booked')
      const early = stopAfterReading(t, db())
      const first = outcomeOf(tryToBook(instance(early.db), seated, NINE))
      await early.reached
      const second = outcomeOf(tryToBook(instance(db()), seated, NINE))
      await waitingOrDone(db(), engine, second)
      early.goOn()
      assert.deepEqual([await first, await second], ['booked', 'slot_unavailable'])
    })

    it('gives a slot to one of many instances', async (t) => {
      const { busy } = world()
      const others = Array.from({ length: GUESTS_AT_ONCE }, () => openDatabase(url(), { poolSize: 1 }))
      t.after(() => Promise.all(others.map((other) => other.destroy())))
      // Everyone is connected before the first begins.
      await Promise.all(others.map((other) => other.selectFrom('schedulers').select('id').execute()))
      const outcomes = await Promise.all(
        others.map((other, i) =>
          // Each overlaps all the others.
          outcomeOf(tryToBook(instance(other), busy, NINE + (i % 4) * 15 * MINUTE)),
        ),
      )
      assert.equal(outcomes.filter((outcome) => outcome === 'booked').length, 1)
      assert.equal(outcomes.filter((outcome) => outcome === 'slot_unavailable').length, GUESTS_AT_ONCE - 1)
    })
  })

  describe(`the constraints alone, bypassing the lock, on ${engine}`, () => {
    const { db, world } = freshWorld(engine)

    it('refuse a meeting on time that was taken without the lock', async (t) => {
      const { hour } = world().alone
      const early = stopAfterReading(t, db())
      const first = outcomeOf(tryToBook(instance(early.db), hour, NINE))
      await early.reached
      await db()
        .insertInto('claims')
        .values({
          host_id: hour.owner.id,
          starts_at: NINE + 30 * MINUTE,
          ends_at: NINE + 40 * MINUTE,
          meeting_id: hour.eventType.id,
          event_type_id: hour.eventType.id,
          buffer_before: 0,
          buffer_after: 0,
        })
        .execute()
      early.goOn()
      assert.equal(await first, 'slot_unavailable')
      assert.deepEqual(await bookingsOf(db(), hour), [])
    })
  })
}

describe('the constraints alone, with locks that hold nothing, on postgres', () => {
  const { db, world } = freshWorld('postgres')
  before(() => sql`create rule no_lock as on update to schedulers do instead nothing`.execute(db()))

  async function meet(
    t: TestContext,
    offer: Offered,
    starts: readonly [number, number],
    given: Record<string, unknown> = {},
  ): Promise<string[]> {
    const early = stopAfterReading(t, db())
    const first = outcomeOf(tryToBook(instance(early.db), offer, starts[0], given))
    await early.reached
    const second = await outcomeOf(tryToBook(instance(db()), offer, starts[1], given))
    early.goOn()
    return [await first, second]
  }

  it('accept one of two overlapping meetings', async (t) => {
    const { together } = world().pair
    assert.deepEqual(await meet(t, together, [NINE, NINE + 15 * MINUTE]), ['slot_unavailable', 'booked'])
    assert.equal((await bookingsOf(db(), together)).length, 1)
  })

  it('give the last seat to one guest', async (t) => {
    const { seated } = world()
    assert.equal(await outcomeOf(tryToBook(instance(db()), seated, NINE)), 'booked')
    assert.deepEqual(await meet(t, seated, [NINE, NINE]), ['slot_unavailable', 'booked'])
    assert.equal((await bookingsOf(db(), seated)).length, 2)
  })

  it('accept the same guest once', async (t) => {
    const { seated } = world()
    const given = { inviteeEmail: 'same@guests.example' }
    const start = NINE + 2 * HOUR
    assert.deepEqual(await meet(t, seated, [start, start], given), ['duplicate_booking', 'booked'])
  })
})

/** A database of its own for one suite, with hosts in it. */
function freshWorld(engine: EngineName) {
  let fresh: FreshDatabase
  let db: Db
  let world: Awaited<ReturnType<typeof addWorld>>
  before(async () => {
    fresh = await freshDatabase(engine)
    db = openDatabase(fresh.url, { poolSize: GUESTS_AT_ONCE + 2 })
    await migrate(db)
    world = await addWorld(db)
  })
  after(async () => {
    await db?.destroy()
    await fresh?.drop()
  })
  return { db: () => db, url: () => fresh.url, world: () => world }
}

async function addWorld(db: Db) {
  const offered = async (owner: Scheduler, given: Partial<EventType>, hosts = [owner]): Promise<Offered> => ({
    owner,
    eventType: await addEventType(
      db,
      owner,
      given,
      hosts.map((host) => ({ hostId: host.id, fixed: true })),
    ),
  })
  const alone = await addUser(db, 'alone')
  const ada = await addUser(db, 'ada')
  const ben = await addUser(db, 'ben')
  const hour = { durationMinutes: 60, intervalMinutes: 15 }
  // With a limit to look at, one reads before one decides, and can be stopped in between.
  const limits = { day: 1000, week: null, month: null }
  return {
    alone: {
      hour: await offered(alone, { ...hour, limits }),
      half: await offered(alone, { durationMinutes: 30 }),
    },
    pair: {
      together: await offered(await addTeam(db, 'pair'), hour, [ada, ben]),
      own: await offered(ada, { ...hour, durationMinutes: 30, limits }),
    },
    seated: await offered(await addUser(db, 'seated'), { seats: 2 }),
    busy: await offered(await addUser(db, 'busy'), hour),
  }
}

async function dropRules(db: Db, engine: EngineName): Promise<void> {
  const statements =
    engine === 'postgres'
      ? [
          'alter table claims drop constraint claims_overlap',
          'alter table claims drop constraint claims_pkey',
          'drop index bookings_seat',
        ]
      : [
          'drop trigger claims_insert_overlap',
          'drop trigger claims_update_overlap',
          'drop index bookings_seat',
        ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** A server of its own, as far as the services can tell: it shares nothing but the database. */
function instance(db: Db): Context {
  return createContext({
    ...quietContext,
    db,
    publicUrl: 'https://book.example.com',
    captcha: { altchaSecret: 'altcha-secret-of-the-tests', services: {} },
    now: () => MONDAY_NOON,
  })
}

async function tryToBook(
  context: Context,
  { owner, eventType }: Offered,
  start: number,
  given: Record<string, unknown> = {},
): Promise<Booking> {
  const bookable = await context.slots.readBookableAt(context.db, owner.slug, eventType.slug)
  const circumstances = { clientAddress: '127.0.0.1', idempotencyKey: undefined }
  return book(context, bookable, bookingOf(eventType, start, given), circumstances)
}

async function outcomeOf(attempt: Promise<Booking>): Promise<string> {
  try {
    await attempt
    return 'booked'
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

async function bookingsOf(db: Db, { eventType }: Offered): Promise<{ id: string }[]> {
  return db.selectFrom('bookings').select('id').where('event_type_id', '=', eventType.id).execute()
}

/** Until the attempt stands before a lock of the engine, or is over because nothing held it up. */
async function waitingOrDone(db: Db, engine: EngineName, attempt: Promise<unknown>): Promise<void> {
  if (engine === 'postgres') await untilSomeoneWaits(db, attempt)
  // SQLite: whoever writes holds the file, and there is nowhere to look up who waits for it.
  else await nextTurn()
}
