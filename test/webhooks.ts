import { randomBytes } from 'node:crypto'
import type { Scheduler } from '../src/domain/people/scheduler.ts'
import { NOTHING, sentence } from '../src/domain/sentence.ts'
import type { Webhook } from '../src/domain/webhooks/webhook.ts'
import { formatSecret } from '../src/outside/webhooks/signatures.ts'
import type { Context } from '../src/services/context.ts'
import { completeJobs } from '../src/store/completed-jobs.ts'
import type { Db } from '../src/store/engine/database.ts'
import { newId } from '../src/store/new-id.ts'
import { type Delivery, insertDeliveries } from '../src/store/webhooks/deliveries.ts'
import { insertWebhook } from '../src/store/webhooks/webhooks.ts'
import type { JobOf } from '../src/worker/handler.ts'
import { deliverWebhook } from '../src/worker/handlers/deliver-webhook.ts'
import { MONDAY_NOON } from './kit.ts'

/** A webhook that hears of everything, past every check of its address. */
export async function addWebhook(
  db: Db,
  owner: Pick<Scheduler, 'id'>,
  given: Partial<Webhook> = {},
): Promise<Webhook> {
  const webhook: Webhook = {
    id: newId(),
    schedulerId: owner.id,
    url: 'https://93.184.215.14/hook',
    format: 'standard',
    events: [],
    eventTypeIds: [],
    active: true,
    secret: formatSecret(randomBytes(32)),
    previousSecret: null,
    previousSecretUntil: null,
    createdAt: MONDAY_NOON,
    failingSince: null,
    disabledAt: null,
    disabledReason: NOTHING,
    ...given,
  }
  await db.transaction().execute((trx) => insertWebhook(trx, webhook))
  return webhook
}

/** Something that was to be sent to a webhook, and has failed. */
export async function addDelivery(
  db: Db,
  webhook: Webhook,
  given: Partial<Delivery> = {},
): Promise<Delivery> {
  const delivery: Delivery = {
    id: newId(),
    webhookId: webhook.id,
    event: 'booking.created',
    bookingId: newId(),
    test: false,
    body: '{"type":"booking.created","data":{}}',
    status: 'failed',
    attempts: 1,
    createdAt: MONDAY_NOON,
    nextAttemptAt: null,
    attemptedAt: given.createdAt ?? MONDAY_NOON,
    duration: 12,
    requestHeaders: { 'webhook-timestamp': '1' },
    responseStatus: 500,
    responseHeaders: {},
    responseBody: 'no',
    error: sentence`The response was ${500}.`,
    ...given,
  }
  await insertDeliveries(db, [delivery])
  return delivery
}

/** Runs the job of a delivery as the worker does: completing the job records the outcome. */
export async function deliver(context: Context, job: JobOf<'webhook'>): Promise<void> {
  let delivery: Delivery | undefined
  await deliverWebhook(context, job, (ended) => {
    delivery = ended.delivery
  })
  await completeJobs(context.db, [{ id: job.id, delivery }])
}
