import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createContext } from '../../src/services/context.ts'
import type { Db } from '../../src/store/engine/database.ts'
import { insertJobs } from '../../src/store/outbox.ts'
import { startWorker } from '../../src/worker/worker.ts'
import { type FreshDatabase, migratedDatabase, openPatiently } from '../databases.ts'
import { quietContext } from '../kit.ts'

/** Twice as long as a worker's lease. */
const AHEAD = 120_000

describe('two instances whose clocks differ', () => {
  let fresh: FreshDatabase
  const dbs: Db[] = []
  const open = () => {
    const db = openPatiently(fresh.url)
    dbs.push(db)
    return db
  }
  beforeEach(async () => {
    fresh = await migratedDatabase('postgres')
    open()
  })
  afterEach(async () => {
    await Promise.all(dbs.splice(0).map((db) => db.destroy()))
    await fresh.drop()
  })

  const queue = (data: string) => {
    // Due for both of them.
    const dueAt = Date.now() - AHEAD
    return (dbs[0] as Db)
      .transaction()
      .execute((trx) => insertJobs(trx, [{ kind: 'mail', lane: null, data, dueAt }], dueAt))
  }
  /** An instance with its own clock, which sends one mail at a time and hears of new ones at once. */
  const startInstance = (offset: number, send: (mail: unknown) => Promise<void>) => {
    const context = createContext({
      ...quietContext,
      db: open(),
      now: () => Date.now() + offset,
      publicUrl: 'https://book.example.com',
      captcha: { altchaSecret: 'altcha-secret-of-the-tests', services: {} },
    })
    const handlers = { mail: (_: unknown, { data }: { data: unknown }) => send(data) }
    return startWorker(context, { handlers, concurrency: { mail: 1 }, pollEvery: 20 })
  }

  for (const [which, first, second] of [
    ['the later one is ahead', 0, AHEAD],
    ['the earlier one is ahead', AHEAD, 0],
  ] as const) {
    it(`send every mail once, if ${which}`, async () => {
      const sent: unknown[] = []
      const begun = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      const both = Promise.withResolvers<void>()
      await queue('leased')
      const one = startInstance(first, async (mail) => {
        sent.push(mail)
        begun.resolve()
        await released.promise
      })
      await begun.promise
      await queue('free')
      const other = startInstance(second, async (mail) => {
        sent.push(mail)
        // One statement takes both, if both are to be had, and the leased one is the older.
        if (mail === 'free') both.resolve()
      })
      await both.promise
      released.resolve()
      await Promise.all([one.stop(), other.stop()])
      assert.deepEqual(sent, ['leased', 'free'])
    })
  }
})
