import { hash } from 'node:crypto'
import type { BookingChange } from '../../domain/bookings/change.ts'
import type { NewJob } from '../../domain/job.ts'
import { NOTHING, type Sentence, say } from '../../domain/sentence.ts'
import type { News } from '../../domain/webhooks/telling.ts'
import { eventOf, TRANSLATORS } from '../../domain/webhooks/translators.ts'
import { type Webhook, type WebhookContent, wants } from '../../domain/webhooks/webhook.ts'
import type { Trx } from '../../store/engine/database.ts'
import { findEventTypeById } from '../../store/event-types/event-types.ts'
import { numbersOf } from '../../store/numbers.ts'
import { type Delivery, insertDeliveries } from '../../store/webhooks/deliveries.ts'
import { findWebhooks, findWebhooksOf } from '../../store/webhooks/webhooks.ts'
import type { Context } from '../context.ts'
import type { AnnouncedResponse } from './announce-response.ts'

/** The data of a `webhook` job. */
export interface DeliveryRecord {
  readonly deliveryId: string
}

type Place = Pick<Context, 'publicUrl'>

/**
 * Stores a delivery about each booking change for each webhook that wants it; the jobs it returns will send them.
 *
 * Called again for the same change, it stores and returns nothing.
 */
export async function queueDeliveries(
  trx: Trx,
  changes: readonly BookingChange[],
  now: number,
  place: Place,
): Promise<NewJob[]> {
  const webhooks = await findWebhooksOf(trx, [...new Set(changes.map(({ scheduler }) => scheduler.id))])
  const sources = changes.map((change) => ({
    id: change.id,
    bookingId: change.bookingId,
    ownerId: change.scheduler.id,
    eventTypeId: change.eventType.id,
    news: { change },
  }))
  return queue(trx, webhooks, sources, now, place)
}

/** The same for a form response. */
export async function queueFormDeliveries(
  trx: Trx,
  { response, form, scheduler }: AnnouncedResponse,
  now: number,
  place: Place,
): Promise<NewJob[]> {
  const webhooks = await findWebhooks(trx, scheduler.id)
  if (webhooks.length === 0) return []
  const { id, result, answers, createdAt } = response
  const eventType =
    result.action === 'routeToEvent' ? await findEventTypeById(trx, result.eventTypeId) : undefined
  const news = { form: { id, form, scheduler, answers, result, eventType, at: createdAt } }
  const source = { id, bookingId: null, ownerId: scheduler.id, eventTypeId: null, news }
  return queue(trx, webhooks, [source], now, place)
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
  place: Place,
): Promise<NewJob[]> {
  const webhooks = await findWebhooks(trx, message.schedulerId)
  const { id, bookingId, responseId } = record
  const news = { failed: { message, bookingId, responseId, to, reason: say(reason), at: now } }
  const source = { id, bookingId, ownerId: message.schedulerId, eventTypeId: null, news }
  return queue(trx, webhooks, [source], now, place)
}

/** Something that webhooks of its owner may want to hear of. */
interface DeliverySource {
  readonly id: string
  readonly bookingId: string | null
  readonly ownerId: string
  readonly eventTypeId: string | null
  readonly news: News
}

async function queue(
  trx: Trx,
  webhooks: readonly Webhook[],
  sources: readonly DeliverySource[],
  now: number,
  { publicUrl }: Place,
): Promise<NewJob[]> {
  const numbers = await findNumbers(trx, webhooks, sources)
  const deliveries = sources.flatMap((source) => {
    const own = webhooks.filter(({ schedulerId }) => schedulerId === source.ownerId)
    const byFormat = Map.groupBy(own, ({ format }) => format)
    return [...byFormat].flatMap(([format, telling]) => {
      if (!telling.some(({ active }) => active)) return []
      return TRANSLATORS[format](source.news, { publicUrl, numbers }).flatMap(({ event, body }, index) => {
        const text = JSON.stringify(body)
        const wanting = telling.filter((webhook) =>
          wants(webhook, eventOf(source.news), source.eventTypeId, event),
        )
        return wanting.map((webhook) => ({
          ...UNTRIED,
          id: deliveryIdOf(index === 0 ? source.id : `${source.id}:${index}`, webhook.id),
          webhookId: webhook.id,
          event,
          bookingId: source.bookingId,
          body: text,
          createdAt: now,
          nextAttemptAt: now,
        }))
      })
    })
  })
  const inserted = await insertDeliveries(trx, deliveries)
  const byId = new Map(webhooks.map((webhook) => [webhook.id, webhook]))
  return deliveries
    .filter(({ id }) => inserted.has(id))
    .map((delivery) => jobFor(byId.get(delivery.webhookId) as Webhook, delivery, now))
}

/** The numbers of what these news name, if a format needs them. */
async function findNumbers(
  trx: Trx,
  webhooks: readonly WebhookContent[],
  sources: readonly DeliverySource[],
): Promise<Readonly<Record<string, number>>> {
  if (!webhooks.some(({ format, active }) => active && format === 'calcom')) return {}
  const changes = sources.flatMap(({ news }) => ('change' in news ? [news.change] : []))
  const owners = sources.map(({ news }) => ('form' in news ? news.form : 'change' in news && news.change))
  const teams = owners.flatMap((one) => (one && one.scheduler.kind === 'team' ? [one.scheduler.id] : []))
  const bookings = changes.map(({ bookingId }) => bookingId)
  const eventTypes = changes.map(({ eventType }) => eventType.id)
  const hosts = changes.flatMap(({ hosts, newHostIds = [], formerHostIds = [] }) => [
    ...hosts.map(({ id }) => id),
    ...newHostIds,
    ...formerHostIds,
  ])
  const found = [
    await numbersOf(trx, 'booking', bookings),
    await numbersOf(trx, 'event-type', eventTypes),
    await numbersOf(trx, 'user', hosts),
    await numbersOf(trx, 'team', teams),
  ]
  return Object.fromEntries(found.flatMap((numbers) => [...numbers]))
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
  const bytes = hash('sha256', `${sourceId}:${webhookId}`, 'buffer').subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
