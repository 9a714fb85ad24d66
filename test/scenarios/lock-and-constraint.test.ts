import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import type { Booking } from '../../src/domain/bookings/booking.ts'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { HOUR, MINUTE } from '../../src/domain/interval.ts'
import type { Scheduler } from '../../src/domain/people/scheduler.ts'
import { Problem } from '../../src/domain/problem.ts'
import { book } from '../../src/services/bookings/guest/book.ts'
import { type Context, createContext } from '../../src/services/context.ts'
import type { Db } from '../../src/store/engine/database.ts'
import type { EngineName } from '../../src/store/engine/engine.ts'
import { newId } from '../../src/store/new-id.ts'
import { type FreshDatabase, migratedDatabase, openPatiently } from '../databases.ts'
import { addEventType, addTeam, addUser, bookingOf, MONDAY_NOON, quietContext } from '../kit.ts'
import { untilSomeoneWaits } from '../standstill.ts'

// Two nets keep meetings apart: the lock on the hosts, and the constraints of the database. Here each is taken away
// in turn, and instances meet at the worst moment: one has decided, and has not committed yet.

const GUESTS_AT_ONCE = 20
const NINE = MONDAY_NOON + 21 * HOUR

interface Offered {
  readonly owner: Scheduler
  readonly eventType: EventType
}

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`the lock alone, without the constraints, on ${engine}`, () => {
    const { db, url, world } = freshWorld(engine)
    before(() => dropConstraints(db(), engine))

    it('lets one of many instances have a slot', async (t) => {
      const { busy } = world()
      const others = Array.from({ length: GUESTS_AT_ONCE }, () => openPatiently(url(), { poolSize: 1 }))
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
}

describe('the lock alone, without the constraints, while another instance is booking on postgres', () => {
  const { db, world } = freshWorld('postgres')
  before(() => dropConstraints(db(), 'postgres'))

  /** Books while `taken` holds the first host and has taken that start, but is not committed yet. */
  async function meet(taken: Offered, hostId: string, start: number, wanted: Offered, wantedStart: number) {
    const other = await holdUncommitted(db(), { lock: [hostId], offered: taken, hostId, start })
    const attempt = outcomeOf(tryToBook(instance(db()), wanted, wantedStart))
    await untilSomeoneWaits(db(), attempt)
    await other.commit()
    return attempt
  }

  it('waits for it, and refuses what overlaps', async () => {
    const { hour, half } = world().alone
    assert.equal(await meet(half, half.owner.id, NINE + 30 * MINUTE, hour, NINE), 'slot_unavailable')
  })

  it('waits for it, and takes what does not overlap', async () => {
    const { hour, half } = world().alone
    assert.equal(await meet(half, half.owner.id, NINE + 4 * HOUR, hour, NINE + 5 * HOUR), 'booked')
  })

  it('waits for one host of a collective meeting', async () => {
    const { together, own } = world().pair
    assert.equal(await meet(own, own.owner.id, NINE + 30 * MINUTE, together, NINE), 'slot_unavailable')
  })

  it('waits for a collective meeting of the host', async () => {
    const { together, own } = world().pair
    const at = NINE + 4 * HOUR
    assert.equal(await meet(together, own.owner.id, at + 15 * MINUTE, own, at), 'slot_unavailable')
  })

  it('gives the last seat to one guest', async () => {
    const { seated } = world()
    assert.equal(await outcomeOf(tryToBook(instance(db()), seated, NINE)), 'booked')
    const [booking] = await bookingsOf(db(), seated)
    const other = await holdUncommitted(db(), {
      lock: [seated.owner.id],
      sql: [takeSeat(booking?.id as string)],
    })
    const attempt = outcomeOf(tryToBook(instance(db()), seated, NINE))
    await untilSomeoneWaits(db(), attempt)
    await other.commit()
    assert.equal(await attempt, 'slot_unavailable')
  })
})

describe('the constraints alone, with an instance that does not lock, on postgres', () => {
  const { db, world } = freshWorld('postgres')

  it('let one of two overlapping meetings through', async () => {
    const { hour, half } = world().alone
    const other = await holdUncommitted(db(), {
      lock: [],
      offered: half,
      hostId: half.owner.id,
      start: NINE + 30 * MINUTE,
    })
    const attempt = outcomeOf(tryToBook(instance(db()), hour, NINE))
    await untilSomeoneWaits(db(), attempt)
    await other.commit()
    assert.equal(await attempt, 'slot_unavailable')
    assert.deepEqual(await bookingsOf(db(), hour), [])
  })

  it('give the last seat to one guest, and book the same guest once', async () => {
    const { seated } = world()
    const given = { inviteeEmail: 'same@guests.example' }
    assert.equal(await outcomeOf(tryToBook(instance(db()), seated, NINE, given)), 'booked')
    const [booking] = await bookingsOf(db(), seated)
    const other = await holdUncommitted(db(), { lock: [], sql: [takeSeat(booking?.id as string)] })
    const attempt = outcomeOf(tryToBook(instance(db()), seated, NINE))
    await untilSomeoneWaits(db(), attempt)
    await other.commit()
    assert.equal(await attempt, 'slot_unavailable')
    assert.equal(await outcomeOf(tryToBook(instance(db()), seated, NINE, given)), 'slot_unavailable')
    assert.equal((await bookingsOf(db(), seated)).length, 2)
  })
})

interface Uncommitted {
  readonly lock: readonly string[]
  readonly offered?: Offered
  readonly hostId?: string
  readonly start?: number
  readonly sql?: readonly RawBuilder<unknown>[]
}

/** What another instance would have done so far: locked these hosts, and taken a start of one of them. */
async function holdUncommitted(db: Db, { lock, offered, hostId, start, sql: statements = [] }: Uncommitted) {
  const done = Promise.withResolvers<void>()
  const commit = Promise.withResolvers<void>()
  const ended = db.transaction().execute(async (trx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
    for (const id of lock) {
      await sql`select id from schedulers where id = ${id} for no key update`.execute(trx)
    }
    if (offered !== undefined && hostId !== undefined && start !== undefined) {
      await trx
        .insertInto('claims')
        .values({
          host_id: hostId,
          starts_at: start,
          ends_at: start + offered.eventType.durationMinutes * MINUTE,
          meeting_id: newId(),
          event_type_id: offered.eventType.id,
          buffer_before: 0,
          buffer_after: 0,
        })
        .execute()
    }
    for (const statement of statements) await statement.execute(trx)
    done.resolve()
    await commit.promise
  })
  await Promise.race([done.promise, ended])
  return {
    commit: async () => {
      commit.resolve()
      await ended
    },
  }
}

/** The second seat of the meeting of this booking. */
function takeSeat(bookingId: string): RawBuilder<unknown> {
  const copied = [
    'scheduler_id, event_type_id, meeting_id, host_id, seats, status, starts_at, ends_at, invitee_name',
    'invitee_email, invitee_phone, invitee_time_zone, invitee_locale, location_type, location_value, notes',
    'custom_fields, source, utm, created_at',
  ].join(', ')
  return sql`insert into bookings (id, seat, duplicate_key, ${sql.raw(copied)})
    select gen_random_uuid(), 2, gen_random_uuid()::text, ${sql.raw(copied)} from bookings where id = ${bookingId}`
}

/** A fresh database for one suite, with hosts in it. */
function freshWorld(engine: EngineName) {
  let fresh: FreshDatabase
  let db: Db
  let world: Awaited<ReturnType<typeof addWorld>>
  before(async () => {
    fresh = await migratedDatabase(engine)
    db = openPatiently(fresh.url, { poolSize: GUESTS_AT_ONCE + 2 })
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
  return {
    alone: {
      hour: await offered(alone, hour),
      half: await offered(alone, { durationMinutes: 30 }),
    },
    pair: {
      together: await offered(await addTeam(db, 'pair'), hour, [ada, ben]),
      own: await offered(ada, { ...hour, durationMinutes: 30 }),
    },
    seated: await offered(await addUser(db, 'seated'), { seats: 2 }),
    busy: await offered(await addUser(db, 'busy'), hour),
  }
}

async function dropConstraints(db: Db, engine: EngineName): Promise<void> {
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

/** A separate server, as far as the services can tell: it shares only the database. */
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
  const bookable = await context.slots.getBookable(owner.slug, eventType.slug)
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
