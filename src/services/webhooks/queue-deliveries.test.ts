import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { changeOf } from '../../../test/booking-change.ts'
import { onEveryDatabase } from '../../../test/databases.ts'
import { addEventType, addTeam, addUser, MONDAY_NOON } from '../../../test/kit.ts'
import { addWebhook } from '../../../test/webhooks.ts'
import type { BookingChange } from '../../domain/bookings/change.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import type { NewJob } from '../../domain/job.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { bookingPayload, type Webhook } from '../../domain/webhooks/webhook.ts'
import { findDelivery } from '../../store/webhooks/deliveries.ts'
import { type DeliveryRecord, queueDeliveries } from './queue-deliveries.ts'

const PLACE = { publicUrl: 'https://book.example' }

onEveryDatabase('queueing deliveries', ({ db }) => {
  let user: Scheduler
  let eventType: EventType
  let all: Webhook
  before(async () => {
    user = await addUser(db(), 'ada')
    eventType = await addEventType(db(), user)
    all = await addWebhook(db(), user)
  })

  const queue = (change: BookingChange) =>
    db()
      .transaction()
      .execute((trx) => queueDeliveries(trx, [change], MONDAY_NOON, PLACE))
  const deliveryIds = (jobs: readonly NewJob[]) => jobs.map(({ data }) => (data as DeliveryRecord).deliveryId)

  it('stores the whole message, and queues it in the booking’s lane', async () => {
    const change = changeOf(user, eventType, { type: 'cancelled', status: 'Cancelled' })
    const [job, ...others] = await queue(change)
    assert.ok(job)
    assert.deepEqual(others, [])
    const [id] = deliveryIds([job])
    assert.deepEqual(job, {
      kind: 'webhook',
      lane: `webhook:${all.schedulerId}:${all.id}:${change.bookingId}`,
      data: { deliveryId: id },
      dueAt: MONDAY_NOON,
    })
    const delivery = await findDelivery(db(), id ?? '')
    assert.equal(delivery?.body, JSON.stringify(bookingPayload(change)))
    assert.deepEqual(
      [delivery?.status, delivery?.event, delivery?.bookingId, delivery?.webhookId, delivery?.attempts],
      ['pending', 'booking.cancelled', change.bookingId, all.id, 0],
    )
  })

  it('queues deliveries for exactly those webhooks that want the event', async () => {
    const host = await addUser(db(), 'grace')
    const [own, other] = [await addEventType(db(), host), await addEventType(db(), host)]
    const crew = await addTeam(db(), 'crew')
    await addWebhook(db(), crew)
    await addWebhook(db(), host, { active: false })
    await addWebhook(db(), host, { events: ['booking.approved'] })
    await addWebhook(db(), host, { eventTypeIds: [other.id] })
    const wanting = [
      await addWebhook(db(), host),
      await addWebhook(db(), host, { events: ['booking.created'], eventTypeIds: [own.id] }),
    ]
    const jobs = await queue(changeOf(host, own))
    const told = await Promise.all(deliveryIds(jobs).map((id) => findDelivery(db(), id)))
    assert.deepEqual(told.map((delivery) => delivery?.webhookId).sort(), wanting.map(({ id }) => id).sort())
  })

  it('does nothing when called again for the same change', async () => {
    const change = changeOf(user, eventType)
    const first = await queue(change)
    assert.equal(first.length, 1)
    assert.deepEqual(await queue(change), [])
    const later = await queue({ ...change, id: changeOf(user, eventType).id, type: 'approved' })
    assert.equal(later.length, 1)
    assert.notDeepEqual(deliveryIds(later), deliveryIds(first))
    assert.equal(later[0]?.lane, first[0]?.lane)
  })

  it('leaves nothing behind when the transaction fails', async () => {
    const change = changeOf(user, eventType)
    let ids: string[] = []
    const failing = db()
      .transaction()
      .execute(async (trx) => {
        ids = deliveryIds(await queueDeliveries(trx, [change], MONDAY_NOON, PLACE))
        throw new Error('rolled back')
      })
    await assert.rejects(failing, /rolled back/)
    assert.equal(await findDelivery(db(), ids[0] ?? ''), undefined)
    assert.deepEqual(deliveryIds(await queue(change)), ids)
  })
})
