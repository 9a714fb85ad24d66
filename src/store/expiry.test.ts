import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEveryDatabase } from '../../test/databases.ts'
import { addEventType, addUser } from '../../test/kit.ts'
import { addDelivery, addWebhook } from '../../test/webhooks.ts'
import { insertAnswer } from './bookings/idempotency-keys.ts'
import { insertUsedSolution } from './bookings/used-solutions.ts'
import { DELIVERIES_KEPT, deleteExpired } from './expiry.ts'

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
  it('forgets what was sent to webhooks after 30 days', async () => {
    const webhook = await addWebhook(db(), await addUser(db(), 'grace'))
    const now = 100 * 24 * 3_600_000
    await addDelivery(db(), webhook, { createdAt: now - 30 * 24 * 3_600_000 })
    const kept = await addDelivery(db(), webhook, { createdAt: now - DELIVERIES_KEPT + 1 })
    await deleteExpired(db(), now)
    assert.deepEqual(await db().selectFrom('webhook_deliveries').select('id').execute(), [{ id: kept.id }])
    assert.equal((await db().selectFrom('webhooks').select('id').execute()).length, 1)
  })
})
