import assert from 'node:assert/strict'
import { after, before, it, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { onEveryDatabase, openPatiently } from '../../test/databases.ts'
import type { Db } from './engine/database.ts'
import { openDatabase } from './engine/open-database.ts'
import { createRateLimit, type RateLimit } from './rate-limits.ts'

const rush = async (times: number, ...limits: readonly [RateLimit, ...RateLimit[]]) =>
  Promise.all(Array.from({ length: times }, (_, i) => (limits[i % limits.length] as RateLimit)('10.0.0.1')))

onEveryDatabase('rate limits', ({ db, url, engine }) => {
  it('counts down to zero and then refuses', async () => {
    const limit = createRateLimit(db(), 'countdown', 3, 60)
    const counts = [await limit('a'), await limit('a'), await limit('a'), await limit('a'), await limit('a')]
    assert.deepEqual(
      counts.map(({ allowed }) => allowed),
      [true, true, true, false, false],
    )
    assert.deepEqual(
      counts.map(({ remaining }) => remaining),
      [2, 1, 0, 0, 0],
    )
    for (const count of counts) {
      assert.equal(count.limit, 3)
      assert.ok(Number.isInteger(count.resetSeconds) && count.resetSeconds >= 1 && count.resetSeconds <= 60)
    }
  })

  it('counts each key and each limit separately', async () => {
    const one = createRateLimit(db(), 'one', 1, 60)
    const other = createRateLimit(db(), 'other', 1, 60)
    assert.equal((await one('a')).allowed, true)
    assert.equal((await one('b')).allowed, true)
    assert.equal((await other('a')).allowed, true)
    assert.equal((await one('a')).allowed, false)
  })

  it('allows exactly the limit when all requests arrive at once', async () => {
    const limit = createRateLimit(db(), 'rush', 15, 60)
    await rush(20, createRateLimit(db(), 'warm-up', 15, 60))
    const counts = await rush(60, limit)
    assert.equal(counts.filter(({ allowed }) => allowed).length, 15)
  })

  /** Moves the clock that ends windows: on PostgreSQL that is the server's, so move the windows instead. */
  const moveClock = async (t: TestContext, by: number) => {
    t.mock.timers.setTime(Date.now() + by)
    if (engine === 'postgres') await sql`update rate_limits set expire = expire - ${by}::bigint`.execute(db())
  }

  it('starts again at zero when a window ends', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
    const limit = createRateLimit(db(), 'windows', 1, 60)
    assert.equal((await limit('a')).allowed, true)
    assert.equal((await limit('a')).allowed, false)
    await moveClock(t, 30_000)
    assert.equal((await limit('a')).allowed, false)
    await moveClock(t, 30_001)
    const { allowed, resetSeconds } = await limit('a')
    assert.deepEqual([allowed, resetSeconds], [true, 60])
  })

  it('starts again at zero when the clock has been set back', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
    const limit = createRateLimit(db(), 'set-back', 1, 60)
    await limit('a')
    assert.equal((await limit('a')).allowed, false)
    await moveClock(t, -3_600_000)
    const { allowed, resetSeconds } = await limit('a')
    assert.deepEqual([allowed, resetSeconds], [true, 60])
  })

  if (engine === 'postgres') {
    let elsewhere: Db
    before(() => {
      elsewhere = openPatiently(url())
    })
    after(() => elsewhere.destroy())

    it('shares one count among instances, also for requests that arrive at once', async () => {
      const [here, there] = [db(), elsewhere].map((each) => createRateLimit(each, 'shared', 15, 60)) as [
        RateLimit,
        RateLimit,
      ]
      await rush(40, createRateLimit(db(), 'warm-up', 15, 60), createRateLimit(elsewhere, 'warm-up', 15, 60))
      const counts = await rush(60, here, there)
      assert.equal(counts.filter(({ allowed }) => allowed).length, 15)
    })

    it('ends windows by the database’s clock, whatever the instance’s own clock says', async (t) => {
      const limit = createRateLimit(db(), 'clock', 1, 60)
      await limit('a')
      for (const time of [Date.now() + 120_000, Date.now() - 3_600_000]) {
        t.mock.timers.enable({ apis: ['Date'], now: time })
        const { allowed, resetSeconds } = await limit('a')
        assert.equal(allowed, false)
        assert.ok(resetSeconds <= 60)
        t.mock.timers.reset()
      }
    })

    it('throws if it cannot count', async () => {
      const away = openDatabase('postgres://nobody@127.0.0.1:1/nothing')
      await assert.rejects(createRateLimit(away, 'away', 15, 60)('a'))
      await away.destroy()
    })
  }
})
