import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { sql } from 'kysely'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { HOUR } from '../../src/domain/interval.ts'
import { type Db, isUnavailable } from '../../src/store/engine/database.ts'
import { engine } from '../../src/store/engine/engine.ts'
import type { DatabaseOptions } from '../../src/store/engine/open-database.ts'
import { newId } from '../../src/store/new-id.ts'
import { lockHosts } from '../../src/store/people/schedulers.ts'
import { type FreshDatabase, migratedDatabase, openPatiently } from '../databases.ts'
import { signIn } from '../host-api.ts'
import {
  type AppUnderTest,
  addEventType,
  addUser,
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  stoppedClock,
} from '../kit.ts'
import { untilSomeoneWaits } from '../standstill.ts'
import { startTcpProxy, type TcpProxy } from '../tcp-proxy.ts'

/** What a statement may take where a test waits for that, which is less than in production. */
const IMPATIENT = { queryTimeout: 4000 }

describe('a request whose database connection fails', () => {
  let fresh: FreshDatabase
  let proxy: TcpProxy
  /** Past the proxy, to see what is really there. */
  let db: Db
  let served: Db
  let tested: AppUnderTest
  let eventTypes: Record<'ada' | 'ben', EventType>

  beforeEach(async () => {
    fresh = await migratedDatabase('postgres')
    db = openPatiently(fresh.url)
    eventTypes = {
      ada: await addEventType(db, await addUser(db, 'ada')),
      ben: await addEventType(db, await addUser(db, 'ben')),
    }
    proxy = await startTcpProxy(fresh.url)
  })
  /** Every test begins with it. */
  const serve = async (limits: DatabaseOptions = {}) => {
    served = openPatiently(proxy.url, { poolSize: 4, ...limits })
    tested = await appOn(served, { now: stoppedClock().now })
  }
  /** Called after a test that failed, too: closing would wait for a lock that is held. */
  const releases: (() => void)[] = []
  afterEach(async () => {
    for (const release of releases.splice(0)) release()
    await tested?.app.close()
    await proxy?.close()
    await served?.destroy()
    await db?.destroy()
    await fresh?.drop()
  })

  let hours = 0
  const book = async (host: 'ada' | 'ben' = 'ada', headers: Record<string, string> = {}, body?: object) => {
    const {
      statusCode: status,
      headers: answered,
      ...reply
    } = await tested.app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${host}/${eventTypes[host].slug}/book`,
      headers: { ...fromSomeoneNew(), ...headers },
      payload: body ?? bookingOf(eventTypes[host], MONDAY_NOON + (hours++ % 4) * HOUR),
    })
    return { status, retryAfter: answered['retry-after'], body: JSON.parse(reply.payload) }
  }
  const bookings = async () => (await db.selectFrom('bookings').select('id').execute()).map(({ id }) => id)
  /** Until no transaction is left that might still commit something. */
  const untilNothingRuns = async () => {
    for (let running = 1; running > 0; ) {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`.execute(db)
      running = rows.length
    }
  }

  const lockAda = async () => {
    const held = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const holding = db.transaction().execute(async (trx) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
      await lockHosts(trx, [eventTypes.ada.schedulerId])
      held.resolve()
      await released.promise
    })
    releases.push(released.resolve)
    await held.promise
    return { holding, release: released.resolve }
  }

  it('is answered with 201 if the answer to its commit was lost, and has booked once', async () => {
    await serve()
    const lost = proxy.loseCommit('answer', 'cut')
    const { status, body } = await book()
    await lost
    assert.equal(status, 201)
    assert.deepEqual(await bookings(), [body.id])
  })

  it('is answered with 503 if the commit never arrived, and has booked nothing', async () => {
    await serve()
    const lost = proxy.loseCommit('request', 'cut')
    const { status, retryAfter } = await book()
    await lost
    assert.deepEqual([status, retryAfter], [503, '5'])
    await untilNothingRuns()
    assert.deepEqual(await bookings(), [])
    assert.equal((await book()).status, 201)
  })

  it('is answered with 503 if the line went silent before the commit, and has booked nothing', async () => {
    await serve(IMPATIENT)
    const lost = proxy.loseCommit('request', 'freeze')
    const { status } = await book()
    await lost
    assert.equal(status, 503)
    await untilNothingRuns()
    assert.deepEqual(await bookings(), [])
    assert.equal((await book()).status, 201)
  })

  it('is answered with 504 if the outcome is unknown, and can be repeated with its key', async () => {
    // Connections that are accepted and left alone must be given up, too.
    await serve({ ...IMPATIENT, connectTimeout: 2000 })
    const lost = proxy.loseCommit('answer', 'cut').then(() => proxy.stall())
    const body = bookingOf(eventTypes.ada, MONDAY_NOON)
    const key = { 'idempotency-key': 'the-key-of-this-guest' }
    const unknown = await book('ada', key, body)
    await lost
    assert.equal(unknown.status, 504)
    assert.equal(unknown.retryAfter, '5')
    assert.match(unknown.body.error, /may or may not be saved.*same Idempotency-Key/)
    proxy.resume()
    proxy.cut()
    const repeated = await book('ada', key, body)
    assert.equal(repeated.status, 201)
    assert.deepEqual(await bookings(), [repeated.body.id])
  })

  it('is not taken for another transaction that got the same id after a crash', async () => {
    await serve()
    const lock = sql`select id from schedulers where slug = 'ada' ${engine(db).lockRows}`.compile(db)
    const write = sql`update schedulers set name = 'Someone' where slug = 'ada'`.compile(db)
    // The server knows the id as committed, and yet the booking that we wrote is not there.
    const commitAnother = async (isNew: boolean) => {
      const lost = proxy.loseCommit('answer', 'cut')
      const evidence = { bookingId: newId(), isNew }
      await engine(served)
        .inTwoTrips([lock], () => ({ writes: [write], result: undefined, evidence }))
        .finally(() => lost)
    }
    await assert.rejects(commitAnother(true), isUnavailable)
    await assert.rejects(commitAnother(false), { code: 'outcome_unknown' })
  })

  const nameOfAda = async () =>
    (await db.selectFrom('schedulers').select('name').where('slug', '=', 'ada').executeTakeFirstOrThrow())
      .name

  it('is answered with 504 if it changes settings and the answer to its commit was lost', async () => {
    await serve()
    const host = await signIn(tested.app, tested.mailbox, 'ada@hosts.example')
    const lost = proxy.loseCommit('answer', 'cut')
    const reply = await host.patch('/me', { name: 'Ada L.' })
    await lost
    assert.equal(reply.statusCode, 504)
    assert.match(reply.json().error, /may or may not be saved/)
    assert.equal(await nameOfAda(), 'Ada L.')
  })

  it('is answered with 503 if it changes settings and was cut off before its commit', async () => {
    await serve()
    const host = await signIn(tested.app, tested.mailbox, 'ada@hosts.example')
    const before = await nameOfAda()
    const { holding, release } = await lockAda()
    const changing = host.patch('/me', { name: 'Ada L.' })
    await untilSomeoneWaits(db, changing)
    proxy.cut()
    assert.equal((await changing).statusCode, 503)
    release()
    await holding
    await untilNothingRuns()
    assert.equal(await nameOfAda(), before)
  })

  it('is answered with 503 while its host is locked, and other hosts can be booked', async () => {
    await serve(IMPATIENT)
    const { holding, release } = await lockAda()
    const refused = Promise.all(Array.from({ length: 3 }, () => book('ada')))
    const booked = await book('ben')
    // It is the lock that is given up, before the statement and long before the request.
    const waiting = served.transaction().execute((trx) => lockHosts(trx, [eventTypes.ada.schedulerId]))
    await assert.rejects(waiting, { code: '55P03' })
    assert.equal(booked.status, 201)
    assert.deepEqual(
      (await refused).map(({ status }) => status),
      [503, 503, 503],
    )
    release()
    await holding
    await untilNothingRuns()
    assert.deepEqual(await bookings(), [booked.body.id])
    assert.equal((await book('ada')).status, 201)
  })
})
