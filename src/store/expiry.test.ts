import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEveryDatabase } from '../../test/databases.ts'
import { addEventType, addUser } from '../../test/kit.ts'
import { addDelivery, addWebhook } from '../../test/webhooks.ts'
import { insertUsedSolution } from './bookings/guests/used-solutions.ts'
import { insertAnswer } from './bookings/idempotency-keys.ts'
import { DELIVERY_RETENTION, deleteExpired, type Retention } from './expiry.ts'
import { newId } from './new-id.ts'

const DAY = 24 * 3_600_000
const FOR_EVER: Retention = { auditDays: 0, deadJobsDays: 0, responsesDays: 0 }

onEveryDatabase('expiry', ({ db }) => {
  it('deletes what has expired, and nothing else', async () => {
    const { id } = await addEventType(db(), await addUser(db(), 'ada'))
    for (const expiresAt of [1999, 2000, 2001]) {
      const key = `until ${expiresAt}`
      await insertAnswer(db(), { eventTypeId: id, key, bodyHash: '', answer: '{}', expiresAt }, 0)
      await insertUsedSolution(db(), key, expiresAt)
    }
    await deleteExpired(db(), 2000, FOR_EVER)
    assert.deepEqual(await db().selectFrom('idempotency_keys').select('key').execute(), [
      { key: 'until 2001' },
    ])
    assert.deepEqual(await db().selectFrom('used_solutions').select('id').execute(), [{ id: 'until 2001' }])
    assert.equal((await db().selectFrom('event_types').select('id').execute()).length, 1)
  })
  it('deletes webhook deliveries after 30 days', async () => {
    const webhook = await addWebhook(db(), await addUser(db(), 'grace'))
    const now = 100 * 24 * 3_600_000
    await addDelivery(db(), webhook, { createdAt: now - 30 * 24 * 3_600_000 })
    const kept = await addDelivery(db(), webhook, { createdAt: now - DELIVERY_RETENTION + 1 })
    await deleteExpired(db(), now, FOR_EVER)
    assert.deepEqual(await db().selectFrom('webhook_deliveries').select('id').execute(), [{ id: kept.id }])
    assert.equal((await db().selectFrom('webhooks').select('id').execute()).length, 1)
  })

  it('keeps audit, responses and dead jobs for as long as the operator says', async () => {
    const now = 1000 * DAY
    const user = await addUser(db(), 'keeper')
    const formId = newId()
    const form = { id: formId, scheduler_id: user.id, slug: 'form', name: '', description: '' }
    await db()
      .insertInto('routing_forms')
      .values({ ...form, fields: '[]', rules: '[]', fallback: '{}' } as never)
      .execute()
    for (const days of [10, 20, 30]) {
      const created_at = now - days * DAY
      const object = { object_type: '', object_id: '', action: '', changes: '[]', actor: '', actor_id: null }
      await db()
        .insertInto('audit')
        .values({ id: newId(), scheduler_id: user.id, ...object, created_at })
        .execute()
      await db()
        .insertInto('routing_responses')
        .values({ id: newId(), form_id: formId, answers: '{}', result: '{}', created_at })
        .execute()
      for (const failed_at of [created_at, null]) {
        await db()
          .insertInto('outbox')
          .values({ kind: 'mail', lane: null, data: '{}', due_at: 0, failed_at, created_at: 0 })
          .execute()
      }
    }
    const left = async () => {
      const age = (at: number | null) => (at === null ? 'alive' : (now - at) / DAY)
      const [audit, responses, jobs] = await Promise.all([
        db().selectFrom('audit').select('created_at').orderBy('created_at', 'desc').execute(),
        db().selectFrom('routing_responses').select('created_at').orderBy('created_at', 'desc').execute(),
        db().selectFrom('outbox').select('failed_at').where('failed_at', 'is not', null).execute(),
      ])
      return [
        audit.map((row) => age(row.created_at)),
        responses.map((row) => age(row.created_at)),
        jobs.map((row) => age(row.failed_at)).sort(),
      ]
    }
    await deleteExpired(db(), now, FOR_EVER)
    assert.deepEqual(await left(), [
      [10, 20, 30],
      [10, 20, 30],
      [10, 20, 30],
    ])
    await deleteExpired(db(), now, { auditDays: 20, responsesDays: 30, deadJobsDays: 10 })
    assert.deepEqual(await left(), [[10], [10, 20], []])
    assert.equal((await db().selectFrom('outbox').selectAll().execute()).length, 3)
  })

  it('deletes many rows, a bounded number at a time', async () => {
    const rows = Array.from({ length: 1300 }, (_, i) => ({ id: `many ${i}`, expires_at: 1 }))
    for (let i = 0; i < rows.length; i += 100) {
      await db()
        .insertInto('used_solutions')
        .values(rows.slice(i, i + 100))
        .execute()
    }
    const deletes: bigint[] = []
    const counting = db().withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (result.numAffectedRows) deletes.push(result.numAffectedRows)
        return result
      },
    })
    await deleteExpired(counting, 2, FOR_EVER)
    assert.deepEqual(deletes, [500n, 500n, 300n])
    const left = await db().selectFrom('used_solutions').select('id').where('expires_at', '=', 1).execute()
    assert.deepEqual(left, [])
  })
})
