import type { Webhook } from '../../domain/webhooks/webhook.ts'
import { Batcher, type Pending } from '../engine/batcher.ts'
import type { Db } from '../engine/database.ts'
import { type Delivery, findDeliveriesById } from './deliveries.ts'
import { findWebhooksById } from './webhooks.ts'

/** A delivery and the webhook that it is for. */
export interface Sendable {
  readonly delivery: Delivery
  readonly webhook: Webhook
}

const batchers = new WeakMap<Db, Batcher<string, Sendable | undefined>>()

/** Reads deliveries that are about to be sent at the same time in one batch. */
export function findSendable(db: Db, id: string): Promise<Sendable | undefined> {
  let batcher = batchers.get(db)
  if (batcher === undefined) {
    batcher = new Batcher({ run: (batch) => readAll(db, batch) })
    batchers.set(db, batcher)
  }
  return batcher.submit(id)
}

async function readAll(db: Db, batch: readonly Pending<string, Sendable | undefined>[]): Promise<void> {
  const found = await findDeliveriesById(
    db,
    batch.map(({ request }) => request),
  )
  const deliveries = new Map(found.map((delivery) => [delivery.id, delivery]))
  const webhookIds = new Set(found.map(({ webhookId }) => webhookId))
  const webhooks = new Map(
    (await findWebhooksById(db, [...webhookIds])).map((webhook) => [webhook.id, webhook]),
  )
  for (const { request, resolve } of batch) {
    const delivery = deliveries.get(request)
    const webhook = delivery && webhooks.get(delivery.webhookId)
    resolve(webhook && { delivery, webhook })
  }
}
