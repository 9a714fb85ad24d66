import assert from 'node:assert/strict'
import { beforeEach, it } from 'node:test'
import { onEveryDatabase } from '../../test/databases.ts'
import { abandonLease, finishLease, renewLease, takeLease } from './leases.ts'

const HOUR = 3_600_000

onEveryDatabase('a lease', ({ db }) => {
  const take = (every = HOUR, lease = HOUR) => takeLease(db(), 'backup', every, lease)
  const row = () => db().selectFrom('leases').selectAll().executeTakeFirstOrThrow()
  beforeEach(async () => {
    await db().deleteFrom('leases').execute()
  })

  it('is taken by one of many instances that ask at the same time', async () => {
    const taken = await Promise.all(Array.from({ length: 10 }, () => take()))
    assert.equal(taken.filter(Boolean).length, 1)
  })

  it('can be taken again when it has expired', async () => {
    assert.equal(await take(HOUR, 0), true)
    assert.equal(await take(HOUR, HOUR), true)
    assert.equal(await take(), false)
  })

  it('is not taken again before the work is due again', async () => {
    assert.equal(await take(), true)
    await finishLease(db(), 'backup')
    assert.equal(await take(), false)
    assert.equal(await take(0), true)
  })

  it('uses the database’s clock', async () => {
    await take()
    await finishLease(db(), 'backup')
    const { done_at } = await row()
    assert.ok(Math.abs((done_at ?? 0) - Date.now()) < HOUR)
  })

  it('can be renewed, and abandoned', async () => {
    await take(HOUR, 0)
    await renewLease(db(), 'backup', HOUR)
    assert.equal(await take(), false)
    await abandonLease(db(), 'backup', 0)
    assert.equal((await row()).done_at, null)
    assert.equal(await take(), true)
  })

  it('is free again when the clock has been set back', async () => {
    const set = (values: { leased_until?: number; done_at?: number }) =>
      db().updateTable('leases').set(values).execute()
    await take()
    await set({ leased_until: Date.now() + 24 * HOUR })
    assert.equal(await take(), true)
    await finishLease(db(), 'backup')
    await set({ done_at: Date.now() + 24 * HOUR })
    assert.equal(await take(), true)
  })
})
