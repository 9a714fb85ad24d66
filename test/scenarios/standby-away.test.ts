import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { MINUTE } from '../../src/domain/interval.ts'
import { migrate } from '../../src/store/engine/migrate.ts'
import { openDatabase } from '../../src/store/engine/open-database.ts'
import { addEventType, addUser, appOn, bookingOf, fromSomeoneNew } from '../kit.ts'
import { startReplicatedPostgres } from '../postgres.ts'
import { alwaysOpen, FUTURE_MIDNIGHT } from '../server-process.ts'

describe('a primary whose standby is away', () => {
  it('says that it does not know, and keeps its connections', { timeout: 60_000 }, async () => {
    await using ending = new AsyncDisposableStack()
    const { primary, standby, stop } = await startReplicatedPostgres()
    // It would wait for sessions that wait for the standby.
    ending.defer(async () => {
      await primary.kill()
      await stop()
    })
    const db = openDatabase(primary.url)
    ending.defer(() => db.destroy())
    await migrate(db)
    const owner = await addUser(db, 'ada', alwaysOpen)
    const eventType = await addEventType(db, owner, { durationMinutes: 15 })
    const served = openDatabase(primary.url, { queryTimeout: 1000 })
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
})
