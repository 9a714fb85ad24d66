import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { MINUTE } from '../../src/domain/interval.ts'
import { migrate } from '../../src/store/engine/migrate.ts'
import { openPatiently } from '../databases.ts'
import { addEventType, addUser, appOn, bookingOf, fromSomeoneNew } from '../kit.ts'
import { startReplicatedPostgres } from '../postgres.ts'
import { alwaysOpen, FUTURE_MIDNIGHT } from '../server-process.ts'

describe('a primary whose standby is away', () => {
  it('says that it does not know, and keeps its connections', { timeout: 300_000 }, async () => {
    await using ending = new AsyncDisposableStack()
    const { primary, standby, stop } = await startReplicatedPostgres()
    // It would wait for sessions that wait for the standby.
    ending.defer(async () => {
      await primary.kill()
      await stop()
    })
    const db = openPatiently(primary.url)
    ending.defer(() => db.destroy())
    await migrate(db)
    const owner = await addUser(db, 'ada', alwaysOpen)
    const eventType = await addEventType(db, owner, { durationMinutes: 15 })
    const served = openPatiently(primary.url, { queryTimeout: 5000 })
    ending.defer(() => served.destroy())
    const { app } = await appOn(served)
    ending.defer(() => app.close())
    const book = async (startsAt: number) => {
      const url = `/api/public/scheduling/ada/${eventType.slug}/book`
      const payload = bookingOf(eventType, startsAt)
      return (await app.inject({ method: 'POST', url, payload, headers: fromSomeoneNew() })).statusCode
    }
    assert.equal(await book(FUTURE_MIDNIGHT), 201)
    await standby.kill()
    assert.equal(await book(FUTURE_MIDNIGHT + 15 * MINUTE), 504)
    const waiting = () => sql`select 1 from pg_stat_activity where wait_event = 'SyncRep'`.execute(db)
    while ((await waiting()).rows.length > 0) await sleep(20)
  })

  it('has no host locked while it waits, and acknowledges nothing', { timeout: 300_000 }, async () => {
    await using ending = new AsyncDisposableStack()
    const { primary, standby, stop } = await startReplicatedPostgres()
    ending.defer(async () => {
      await primary.kill()
      await stop()
    })
    const db = openPatiently(primary.url)
    ending.defer(() => db.destroy())
    await migrate(db)
    const owner = await addUser(db, 'ada', alwaysOpen)
    const eventType = await addEventType(db, owner, { durationMinutes: 15 })
    const instances = await Promise.all(
      [1, 2].map(async () => {
        const served = openPatiently(primary.url)
        ending.defer(() => served.destroy())
        const { app } = await appOn(served)
        ending.defer(() => app.close())
        return app
      }),
    )
    const payload = bookingOf(eventType, FUTURE_MIDNIGHT)
    const book = async (instance: number, headers: Record<string, string>, body: object = payload) => {
      const url = `/api/public/scheduling/ada/${eventType.slug}/book`
      const request = {
        method: 'POST',
        url,
        payload: body,
        headers: { ...fromSomeoneNew(), ...headers },
      } as const
      return (await (instances[instance] as FastifyInstance).inject(request)).statusCode
    }
    // What each instance needs to know is read before the standby is gone.
    assert.equal(await book(0, {}, bookingOf(eventType, FUTURE_MIDNIGHT + 60 * MINUTE)), 201)
    assert.equal(await book(1, {}, bookingOf(eventType, FUTURE_MIDNIGHT + 90 * MINUTE)), 201)
    await standby.kill()
    const key = { 'idempotency-key': 'the-key-of-this-guest' }
    const first = book(0, key)
    const waiting = async (action = sql`pid`) =>
      (await sql`select ${action} from pg_stat_activity where wait_event = 'SyncRep'`.execute(db)).rows.length
    while ((await waiting()) === 0) await sleep(20)
    const other = { ...payload, inviteeEmail: 'someone@else.example' }
    assert.equal(await book(1, {}, other), 400)
    const repeated = book(1, key)
    while ((await waiting()) < 2) await sleep(20)
    // The operator gives up the standby for what waits for it.
    assert.equal(await waiting(sql`pg_cancel_backend(pid)`), 2)
    assert.deepEqual(await Promise.all([first, repeated]), [201, 201])
  })
})
