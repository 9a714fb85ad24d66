import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEveryDatabase } from '../../test/databases.ts'
import { jobsOf } from '../../test/jobs.ts'
import { endAllLeases, takeLease } from './leases.ts'
import { insertJobs, takeJobs } from './outbox.ts'

onEveryDatabase('leases', ({ db }) => {
  it('end for a process that is the only one', async () => {
    const now = Date.now()
    const job = { kind: 'mail', lane: null, data: {}, dueAt: now } as const
    await db()
      .transaction()
      .execute((trx) => insertJobs(trx, [job], now))
    const take = () => takeJobs(db(), { kind: 'mail', limit: 1, now, lease: 60_000, without: [] })
    assert.equal((await take()).length, 1)
    assert.equal(await takeLease(db(), 'search', 0, 60_000), true)
    assert.deepEqual([(await take()).length, await takeLease(db(), 'search', 0, 60_000)], [0, false])
    await endAllLeases(db())
    assert.deepEqual([(await take()).length, await takeLease(db(), 'search', 0, 60_000)], [1, true])
    assert.equal((await jobsOf(db(), 'mail')).length, 1)
  })
})
