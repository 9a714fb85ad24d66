import type { Webhook } from '../../domain/webhooks/webhook.ts'
import { batchedRead } from '../engine/batcher.ts'
import { type Delivery, findDeliveriesById } from './deliveries.ts'
import { findWebhooksById } from './webhooks.ts'

/** A delivery and the webhook that it is for. */
interface Sendable {
  readonly delivery: Delivery
  readonly webhook: Webhook
}

/** Reads deliveries that are about to be sent at the same time in one batch. */
export const findSendable = batchedRead<Sendable>(async (db, ids) => {
  const deliveries = await findDeliveriesById(db, ids)
  const webhookIds = new Set(deliveries.map(({ webhookId }) => webhookId))
  const webhooks = new Map(
    (await findWebhooksById(db, [...webhookIds])).map((webhook) => [webhook.id, webhook]),
  )
  return new Map(
    deliveries.flatMap((delivery) => {
      const webhook = webhooks.get(delivery.webhookId)
      return webhook === undefined ? [] : [[delivery.id, { delivery, webhook }] as const]
    }),
  )
})
