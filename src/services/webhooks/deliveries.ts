import { type PageRequest, readPage } from '../../domain/cursor.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { sampleTellings } from '../../domain/webhooks/sample.ts'
import {
  type DeliveryStatus,
  type SubscribedEvent,
  WEBHOOK_EVENTS,
  type Webhook,
} from '../../domain/webhooks/webhook.ts'
import type { Db, Trx } from '../../store/engine/database.ts'
import { newId } from '../../store/new-id.ts'
import { insertJobs } from '../../store/outbox.ts'
import { findScheduler } from '../../store/people/schedulers.ts'
import {
  type Delivery,
  type DeliverySummary,
  expediteLane,
  findDeliveries,
  findDelivery,
  findFailed,
  findRetryable,
  insertDeliveries,
  requeueDelivery,
} from '../../store/webhooks/deliveries.ts'
import { findWebhook, findWebhooksById } from '../../store/webhooks/webhooks.ts'
import type { Context } from '../context.ts'
import { getId, notFound } from '../people/access.ts'
import type { Principal } from '../people/sign-in/principal.ts'
import { jobFor, laneOf, UNTRIED } from './queue-deliveries.ts'
import { recordOf, sendDelivery, sentBody } from './try-delivery.ts'
import { getOwnWebhook } from './webhooks.ts'

/** A delivery with its body as it is sent. */
export async function readDelivery(
  context: Context,
  principal: Principal,
  webhookId: string,
  deliveryId: string,
): Promise<Delivery> {
  const delivery = await getDelivery(context.db, principal, webhookId, deliveryId)
  return { ...delivery, body: sentBody(context, delivery) }
}

/** The deliveries of a webhook, newest first. */
export async function listDeliveries(
  context: Context,
  principal: Principal,
  { webhookId, status }: { readonly webhookId: string; readonly status?: DeliveryStatus | undefined },
  page: PageRequest,
): Promise<DeliverySummary[]> {
  const { id } = await getOwnWebhook(context.db, principal, webhookId)
  return findDeliveries(context.db, id, status, readPage(page))
}

async function getDelivery(
  db: Db,
  principal: Principal,
  webhookId: string,
  deliveryId: string,
): Promise<Delivery> {
  const webhook = await getOwnWebhook(db, principal, webhookId)
  const delivery = await findDelivery(db, getId(deliveryId))
  if (delivery?.webhookId !== webhook.id) throw notFound()
  return delivery
}

/** Sends a delivery again, with the same id. One that waits for a retry is sent at once. */
export async function replayDelivery(
  context: Context,
  principal: Principal,
  webhookId: string,
  deliveryId: string,
): Promise<Delivery> {
  const replayed = await context.db.transaction().execute(async (trx) => {
    const delivery = await getDelivery(trx, principal, webhookId, deliveryId)
    const webhook = await getOwnWebhook(trx, principal, webhookId)
    refuseSwitchedOff(webhook)
    await replay(trx, webhook, delivery, context.now())
    return getDelivery(trx, principal, webhookId, deliveryId)
  })
  context.outbox.wake()
  return { ...replayed, body: sentBody(context, replayed) }
}

const BATCH = 500

/** Sends all deliveries again that were queued since then and failed. Returns how many. */
export async function replayFailed(
  context: Context,
  principal: Principal,
  webhookId: string,
  since: number,
): Promise<number> {
  const webhook = await getOwnWebhook(context.db, principal, webhookId)
  refuseSwitchedOff(webhook)
  return replayInBatches(context, async (trx, until) => {
    const failed = await findFailed(trx, webhook.id, { since, triedUntil: until }, BATCH)
    for (const delivery of failed) await replay(trx, webhook, delivery, context.now())
    return failed.length
  })
}

/** Calls `replaySome`, which replays at most `BATCH`, until nothing is left. Returns how many it has replayed. */
async function replayInBatches(
  context: Context,
  replaySome: (trx: Trx, until: number) => Promise<number>,
): Promise<number> {
  // Skip deliveries that fail again during the replay; otherwise this might never end.
  const until = context.now()
  let replayed = 0
  for (;;) {
    const count = await context.db.transaction().execute((trx) => replaySome(trx, until))
    context.outbox.wake()
    replayed += count
    if (count < BATCH) return replayed
  }
}

/**
 * Sends a failed delivery again, whoever owns its webhook: for admins of the instance, who learn only that it failed.
 *
 * Returns false if there is none, or if its webhook is turned off.
 */
export async function retryDelivery(context: Context, deliveryId: string): Promise<boolean> {
  const retried = await context.db.transaction().execute(async (trx) => {
    const delivery = await findDelivery(trx, deliveryId)
    const webhook = delivery?.status === 'failed' ? await findWebhook(trx, delivery.webhookId) : undefined
    if (delivery === undefined || !webhook?.active) return false
    await replay(trx, webhook, delivery, context.now())
    return true
  })
  if (retried) context.outbox.wake()
  return retried
}

/** Sends everything again that failed and is still kept, to all webhooks that are turned on. Returns how many. */
export function retryDeliveries(context: Context): Promise<number> {
  return replayInBatches(context, async (trx, until) => {
    const failed = await findRetryable(trx, until, BATCH)
    const ids = [...new Set(failed.map(({ webhookId }) => webhookId))]
    const webhooks = new Map((await findWebhooksById(trx, ids)).map((webhook) => [webhook.id, webhook]))
    for (const delivery of failed) {
      const webhook = webhooks.get(delivery.webhookId)
      // Undefined if it was deleted in this moment, with its deliveries.
      if (webhook !== undefined) await replay(trx, webhook, delivery, context.now())
    }
    return failed.length
  })
}

async function replay(trx: Trx, webhook: Webhook, delivery: DeliverySummary, now: number): Promise<void> {
  if (await requeueDelivery(trx, delivery.id, now))
    await insertJobs(trx, [jobFor(webhook, delivery, now)], now)
  else await expediteLane(trx, laneOf(webhook, delivery), now)
}

/** Sends a sample at once and returns the last delivery. It is not retried and does not count as a failure. */
export async function sendTest(
  context: Context,
  principal: Principal,
  webhookId: string,
  event: SubscribedEvent | undefined,
): Promise<Delivery> {
  const webhook = await getOwnWebhook(context.db, principal, webhookId)
  const scheduler = await findScheduler(context.db, webhook.schedulerId)
  if (scheduler === undefined) throw notFound()
  const now = context.now()
  const { publicUrl } = context
  const samplesOf = (wanted: SubscribedEvent) =>
    sampleTellings(wanted, { format: webhook.format, scheduler, publicUrl, now })
  const wanted = event === undefined ? [...webhook.events, WEBHOOK_EVENTS[0]] : [event]
  const samples = wanted.map(samplesOf).find(({ length }) => length > 0)
  if (samples === undefined) {
    const reason = sentence`The format of this webhook has no such event.`
    throw new Problem('invalid', reason, { field: 'event' })
  }
  const sent: Delivery[] = []
  for (const { event: name, body } of samples) {
    const untried: Delivery = {
      ...UNTRIED,
      test: true,
      id: newId(),
      webhookId: webhook.id,
      event: name,
      bookingId: null,
      body: JSON.stringify(body),
      createdAt: now,
      nextAttemptAt: null,
    }
    const answer = await sendDelivery(context, webhook, untried, now)
    sent.push({
      ...untried,
      ...recordOf(answer),
      status: answer.error === '' ? 'succeeded' : 'failed',
      attempts: 1,
      attemptedAt: now,
    })
  }
  await insertDeliveries(context.db, sent)
  const last = sent.at(-1) as Delivery
  return { ...last, body: sentBody(context, last) }
}

function refuseSwitchedOff({ active }: Webhook): void {
  if (!active) throw new Problem('invalid', sentence`This webhook is turned off. Turn it on first.`)
}
