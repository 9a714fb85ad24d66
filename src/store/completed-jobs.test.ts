import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { onEveryDatabase, openPatiently } from '../../test/databases.ts'
import { jobsOf } from '../../test/jobs.ts'
import { addUser, MONDAY_NOON } from '../../test/kit.ts'
import { addDelivery, addWebhook } from '../../test/webhooks.ts'
import { NOTHING, verbatim } from '../domain/sentence.ts'
import type { Webhook } from '../domain/webhooks/webhook.ts'
import { type CompletedJob, completeJobs } from './completed-jobs.ts'
import { insertJobs } from './outbox.ts'
import { type Delivery, findDelivery } from './webhooks/deliveries.ts'

onEveryDatabase('completeJobs', ({ db, url }) => {
  let webhook: Webhook

  before(async () => {
    webhook = await addWebhook(db(), await addUser(db(), 'ada'))
  })

  /** A delivery that has just succeeded, and its job; neither is recorded yet. */
  async function ended(given: Partial<Delivery> = {}): Promise<{ id: number; delivery: Delivery }> {
    const pending = await addDelivery(db(), webhook, { status: 'pending', nextAttemptAt: MONDAY_NOON })
    const job = { kind: 'webhook' as const, lane: null, data: { deliveryId: pending.id }, dueAt: MONDAY_NOON }
    await db()
      .transaction()
      .execute((trx) => insertJobs(trx, [job], MONDAY_NOON))
    const { id } =
      (await jobsOf(db(), 'webhook')).find(({ data }) => data.deliveryId === pending.id) ?? assert.fail()
    const arrived = { status: 'succeeded', nextAttemptAt: null, responseStatus: 204, error: NOTHING } as const
    return { id, delivery: { ...pending, ...arrived, ...given } }
  }
  const idsLeft = async () => (await jobsOf(db(), 'webhook')).map(({ id }) => id)

  it('deletes the jobs and records the outcome of each delivery', async () => {
    const jobs: CompletedJob[] = [
      await ended({ responseHeaders: { 'x-said': '"é\\' }, responseBody: 'line\n\u{1f600}', duration: 51 }),
      await ended({
        attempts: 10,
        status: 'failed',
        responseStatus: null,
        error: verbatim('It’s "broken"\\.'),
      }),
      { id: (await ended()).id },
    ]
    const other = await ended()
    await completeJobs(db(), jobs)
    assert.deepEqual(await idsLeft(), [other.id])
    for (const { delivery } of jobs) {
      if (delivery !== undefined) assert.deepEqual(await findDelivery(db(), delivery.id), delivery)
    }
    assert.equal((await findDelivery(db(), other.delivery.id))?.status, 'pending')
    await completeJobs(db(), [other])
  })

  it('records the outcome even if the job is already deleted', async () => {
    const { id, delivery } = await ended()
    await db().deleteFrom('outbox').where('id', '=', id).execute()
    await completeJobs(db(), [{ id, delivery }])
    assert.deepEqual(await findDelivery(db(), delivery.id), delivery)
  })

  it('keeps and returns a job whose outcome the database rejects, and completes the others', async () => {
    const fine = await ended()
    const wrong = await ended({ status: 'unheard of' as Delivery['status'] })
    const alsoFine = await ended()
    const unfit = await completeJobs(db(), [fine, wrong, alsoFine])
    assert.deepEqual(
      unfit.map(({ id }) => id),
      [wrong.id],
    )
    assert.match(unfit[0]?.error.message ?? '', /constraint/)
    assert.deepEqual(await idsLeft(), [wrong.id])
    for (const { delivery } of [fine, alsoFine])
      assert.deepEqual(await findDelivery(db(), delivery.id), delivery)
    assert.equal((await findDelivery(db(), wrong.delivery.id))?.status, 'pending')
  })

  it('keeps every job if the database is closed', async () => {
    const jobs = [await ended(), await ended()]
    const before = await idsLeft()
    const closed = openPatiently(url())
    await jobsOf(closed, 'webhook')
    await closed.destroy()
    await assert.rejects(completeJobs(closed, jobs))
    assert.deepEqual(await idsLeft(), before)
  })
})
