import type { Webhook } from '../../domain/webhooks/webhook.ts'
import { Together, type Waiting } from '../engine/batcher.ts'
import type { Db } from '../engine/database.ts'
import { type Delivery, findDeliveriesById } from './deliveries.ts'
import { findWebhooksById } from './webhooks.ts'

/** A delivery and the webhook that it is for. */
export interface Sendable {
  readonly delivery: Delivery
  readonly webhook: Webhook
}

const readings = new WeakMap<Db, Together<string, Sendable | undefined>>()

/** Those that are to be sent at the same time are read together. */
export function findSendable(db: Db, id: string): Promise<Sendable | undefined> {
  let together = readings.get(db)
  if (together === undefined) {
    together = new Together({ answer: (waiting) => readAll(db, waiting) })
    readings.set(db, together)
  }
  return together.ask(id)
}

async function readAll(db: Db, waiting: readonly Waiting<string, Sendable | undefined>[]): Promise<void> {
  const found = await findDeliveriesById(
    db,
    waiting.map(({ wish }) => wish),
  )
  const deliveries = new Map(found.map((delivery) => [delivery.id, delivery]))
  const wanted = new Set(found.map(({ webhookId }) => webhookId))
  const webhooks = new Map((await findWebhooksById(db, [...wanted])).map((webhook) => [webhook.id, webhook]))
  for (const { wish, resolve } of waiting) {
    const delivery = deliveries.get(wish)
    const webhook = delivery && webhooks.get(delivery.webhookId)
    resolve(webhook && { delivery, webhook })
  }
}
