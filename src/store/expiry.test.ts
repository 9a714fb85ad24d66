import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEveryDatabase } from '../../test/databases.ts'
import { addEventType, addUser } from '../../test/kit.ts'
import { deleteExpired } from './expiry.ts'
import { insertAnswer } from './idempotency-keys.ts'
import { insertUsedSolution } from './used-solutions.ts'

onEveryDatabase('expiry', ({ db }) => {
  it('forgets what has expired, and nothing else', async () => {
    const { id } = await addEventType(db(), await addUser(db(), 'ada'))
    for (const expiresAt of [1999, 2000, 2001]) {
      const key = `until ${expiresAt}`
      await insertAnswer(db(), { eventTypeId: id, key, bodyHash: '', answer: '{}', expiresAt }, 0)
      await insertUsedSolution(db(), key, expiresAt)
    }
    await deleteExpired(db(), 2000)
    assert.deepEqual(await db().selectFrom('idempotency_keys').select('key').execute(), [
      { key: 'until 2001' },
    ])
    assert.deepEqual(await db().selectFrom('used_solutions').select('id').execute(), [{ id: 'until 2001' }])
    assert.equal((await db().selectFrom('event_types').select('id').execute()).length, 1)
  })
})
