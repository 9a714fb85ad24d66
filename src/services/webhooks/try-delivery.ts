import { JOBS } from '../../domain/job.ts'
import type { Actor } from '../../domain/people/audit.ts'
import { english, type Sentence, say, sentence } from '../../domain/sentence.ts'
import { MANAGE_TOKEN } from '../../domain/webhooks/formats.ts'
import { readRetryAfter, shouldDisable, signingSecrets, type Webhook } from '../../domain/webhooks/webhook.ts'
import type { WebhookAnswer } from '../../outside/webhooks/webhook.ts'
import { insertJobs } from '../../store/outbox.ts'
import { type Delivery, updateDelivery } from '../../store/webhooks/deliveries.ts'
import { findSendable } from '../../store/webhooks/sendable-deliveries.ts'
import { disableWebhook, markFailing, markWorking } from '../../store/webhooks/webhooks.ts'
import { manageToken } from '../bookings/guest/manage-link.ts'
import { recordAudit } from '../change.ts'
import type { Context } from '../context.ts'
import { openSecret } from './secret.ts'

/** Why a delivery has to be retried. */
interface RetryLater {
  readonly reason: Sentence
  /** Set if the receiver's `Retry-After` is later than the schedule. */
  readonly notBefore: number | undefined
}

/** Stores the final outcome of a delivery. */
type RecordOutcome = (delivery: Delivery) => void

/**
 * Sends a delivery once. A final outcome goes to `record`, to be stored as the job is completed;
 * one that will be retried is stored here.
 *
 * Returns undefined if nothing is left to do: it succeeded, failed for good, or was deleted.
 */
export async function tryDelivery(
  context: Context,
  deliveryId: string,
  job: { readonly attempts: number; readonly createdAt: number },
  record: RecordOutcome,
): Promise<RetryLater | undefined> {
  const { db } = context
  const { delivery, webhook } = (await findSendable(db, deliveryId)) ?? {}
  if (delivery?.status !== 'pending' || webhook === undefined) return undefined
  if (!webhook.active) {
    const error = english`The webhook was turned off before this could be sent.`
    record({ ...delivery, status: 'failed', nextAttemptAt: null, error })
    return undefined
  }

  const sentAt = context.now()
  const answer = await sendDelivery(context, webhook, delivery, sentAt)
  const now = context.now()
  // After a crash between an attempt and its record, only the job has counted that attempt.
  const attempts = Math.max(delivery.attempts, job.attempts) + 1
  const tried = { ...delivery, ...recordOf(answer), attempts, attemptedAt: sentAt }
  if (answer.error === '') {
    record({ ...tried, status: 'succeeded', nextAttemptAt: null })
    if (webhook.failingSince !== null) await markWorking(db, webhook.id)
    return undefined
  }

  if (webhook.failingSince === null) await markFailing(db, webhook.id, now)
  const gone = answer.status === 410
  const exhausted = shouldDisable(webhook, job.createdAt, now)
  const delay = JOBS.webhook.retryAfter[attempts - 1]
  if (gone || exhausted || delay === undefined) {
    record({ ...tried, status: 'failed', nextAttemptAt: null })
    if (gone) await disable(context, webhook, sentence`The receiver answered 410: it is gone for good.`, now)
    else if (exhausted) await disable(context, webhook, sentence`Nothing has arrived for five days.`, now)
    return undefined
  }
  const scheduled = now + delay
  const asked = readRetryAfter(answer.headers['retry-after'], now)
  const notBefore = asked !== undefined && asked > scheduled ? asked : undefined
  await updateDelivery(db, { ...tried, status: 'pending', nextAttemptAt: notBefore ?? scheduled })
  return { reason: answer.sentence, notBefore }
}

export async function sendDelivery(
  context: Context,
  webhook: Webhook,
  delivery: Pick<Delivery, 'id' | 'body' | 'bookingId'>,
  sentAt: number,
): Promise<WebhookAnswer> {
  const stored = signingSecrets(webhook, sentAt)
  const secrets = stored.map((one) => openSecret(context, webhook.id, one)).filter((one) => one !== undefined)
  if (secrets.length === 0) return UNREADABLE
  const { url, format } = webhook
  return context.webhooks.send({
    url,
    id: delivery.id,
    body: sentBody(context, delivery),
    format,
    secrets,
    sentAt,
  })
}

/** The body as it is sent: a manage link opens the booking that it is about. */
export function sentBody(
  context: Pick<Context, 'jwtSecret'>,
  { body, bookingId }: Pick<Delivery, 'body' | 'bookingId'>,
): string {
  return body.replaceAll(MANAGE_TOKEN, () => (bookingId === null ? 'test' : manageToken(context, bookingId)))
}

const NO_SECRET = english`The secret can no longer be read, because JWT_SECRET has changed. Please rotate it.`

const UNREADABLE: WebhookAnswer = {
  requestHeaders: {},
  duration: 0,
  status: null,
  headers: {},
  body: '',
  error: say(NO_SECRET),
  sentence: NO_SECRET,
}

export function recordOf(answer: WebhookAnswer) {
  return {
    duration: answer.duration,
    requestHeaders: answer.requestHeaders,
    responseStatus: answer.status,
    responseHeaders: answer.headers,
    responseBody: answer.body,
    error: answer.sentence,
  }
}

const SERVICE: Actor = { userId: null, email: 'service' }

/** Disables a webhook, and queues a mail to its owners. */
async function disable(context: Context, webhook: Webhook, reason: Sentence, now: number): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    if (!(await disableWebhook(trx, webhook.id, reason, now))) return
    const data = { webhookId: webhook.id }
    await insertJobs(trx, [{ kind: 'webhook-disabled', lane: null, data, dueAt: now }], now)
    await recordAudit(trx, SERVICE, now, {
      schedulerId: webhook.schedulerId,
      objectType: 'webhook',
      objectId: webhook.id,
      action: 'disabled',
      changes: ['active'],
    })
  })
  context.outbox.wake()
}
