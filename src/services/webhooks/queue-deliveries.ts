import { createHash } from 'node:crypto'
import type { BookingChange } from '../../domain/bookings/change.ts'
import type { NewJob } from '../../domain/job.ts'
import { NOTHING, type Sentence, say } from '../../domain/sentence.ts'
import {
  bookingPayload,
  formPayload,
  messagePayload,
  type Webhook,
  type WebhookPayload,
  wants,
} from '../../domain/webhooks/webhook.ts'
import type { Trx } from '../../store/engine/database.ts'
import { findEventTypeById } from '../../store/event-types/event-types.ts'
import { type Delivery, insertDeliveries } from '../../store/webhooks/deliveries.ts'
import { findWebhooks, findWebhooksOf } from '../../store/webhooks/webhooks.ts'
import type { AnnouncedResponse } from './announce-response.ts'

/** The data of a `webhook` job. */
export interface DeliveryRecord {
  readonly deliveryId: string
}

/**
 * Stores a delivery about each booking change for each webhook that wants it; the jobs it returns will send them.
 *
 * Called again for the same change, it stores and returns nothing.
 */
export async function queueDeliveries(
  trx: Trx,
  changes: readonly BookingChange[],
  now: number,
): Promise<NewJob[]> {
  const webhooks = await findWebhooksOf(trx, [...new Set(changes.map(({ scheduler }) => scheduler.id))])
  const deliveries = changes.flatMap((change) => {
    const wanting = webhooks.filter((webhook) => {
      return (
        webhook.schedulerId === change.scheduler.id &&
        wants(webhook, `booking.${change.type}`, change.eventType.id)
      )
    })
    return deliveriesOf(
      wanting,
      { id: change.id, bookingId: change.bookingId, writePayload: () => bookingPayload(change) },
      now,
    )
  })
  return queue(trx, webhooks, deliveries, now)
}

/** The same for a form response. */
export async function queueFormDeliveries(
  trx: Trx,
  { response, form, scheduler }: AnnouncedResponse,
  now: number,
): Promise<NewJob[]> {
  const wanting = (await findWebhooks(trx, scheduler.id)).filter((webhook) =>
    wants(webhook, 'form.submitted', null),
  )
  if (wanting.length === 0) return []
  const { result, answers, createdAt } = response
  const eventType =
    result.action === 'routeToEvent' ? await findEventTypeById(trx, result.eventTypeId) : undefined
  const payload = formPayload({
    id: response.id,
    form,
    userSlug: scheduler.slug,
    answers,
    result,
    eventType,
    at: createdAt,
  })
  const deliveries = deliveriesOf(
    wanting,
    { id: response.id, bookingId: null, writePayload: () => payload },
    now,
  )
  return queue(trx, wanting, deliveries, now)
}

/** A message that did not arrive, as its owner's webhooks hear of it. */
interface FailedRecord {
  readonly message: {
    readonly id: string
    readonly schedulerId: string
    readonly name: string
    readonly on: string
    readonly by: string
  }
  readonly record: {
    readonly id: string
    readonly bookingId: string | null
    readonly responseId: string | null
  }
  readonly to: string
  readonly reason: Sentence
}

/** The same for a message that did not arrive. */
export async function queueMessageDeliveries(
  trx: Trx,
  { message, record, to, reason }: FailedRecord,
  now: number,
): Promise<NewJob[]> {
  const wanting = (await findWebhooks(trx, message.schedulerId)).filter((webhook) =>
    wants(webhook, 'message.failed', null),
  )
  const { id, bookingId, responseId } = record
  const writePayload = () =>
    messagePayload({ message, bookingId, responseId, to, reason: say(reason), at: now })
  return queue(trx, wanting, deliveriesOf(wanting, { id, bookingId, writePayload }, now), now)
}

interface DeliverySource {
  readonly id: string
  readonly bookingId: string | null
  readonly writePayload: () => WebhookPayload
}

function deliveriesOf(
  webhooks: readonly Webhook[],
  { id, bookingId, writePayload }: DeliverySource,
  now: number,
): Delivery[] {
  if (webhooks.length === 0) return []
  const payload = writePayload()
  const body = JSON.stringify(payload)
  return webhooks.map((webhook) => ({
    ...UNTRIED,
    id: deliveryIdOf(id, webhook.id),
    webhookId: webhook.id,
    event: payload.type,
    bookingId,
    body,
    createdAt: now,
    nextAttemptAt: now,
  }))
}

async function queue(
  trx: Trx,
  webhooks: readonly Webhook[],
  deliveries: readonly Delivery[],
  now: number,
): Promise<NewJob[]> {
  const inserted = await insertDeliveries(trx, deliveries)
  const byId = new Map(webhooks.map((webhook) => [webhook.id, webhook]))
  return deliveries
    .filter(({ id }) => inserted.has(id))
    .map((delivery) => jobFor(byId.get(delivery.webhookId) as Webhook, delivery, now))
}

export const UNTRIED = {
  test: false,
  status: 'pending',
  attempts: 0,
  attemptedAt: null,
  duration: null,
  requestHeaders: {},
  responseStatus: null,
  responseHeaders: {},
  responseBody: '',
  error: NOTHING,
} as const

type Sender = Pick<Webhook, 'id' | 'schedulerId'>
type Sent = Pick<Delivery, 'id' | 'bookingId'>

export function jobFor(webhook: Sender, delivery: Sent, now: number): NewJob {
  const data: DeliveryRecord = { deliveryId: delivery.id }
  return { kind: 'webhook', lane: laneOf(webhook, delivery), data, dueAt: now }
}

/**
 * Deliveries about one booking share a lane, so they arrive in order; others have a lane of their own.
 *
 * It begins with the owner and the webhook: each of them has a limited share of the worker.
 */
export function laneOf(webhook: Sender, { bookingId, id }: Sent): string {
  return `webhook:${webhook.schedulerId}:${webhook.id}:${bookingId ?? id}`
}

/** A UUID (version 8) made from the change and the webhook, so that repeats get the same id. */
export function deliveryIdOf(sourceId: string, webhookId: string): string {
  const bytes = createHash('sha256').update(`${sourceId}:${webhookId}`).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
