import { type Job, TryAgainAt } from '../../domain/job.ts'
import type { Context } from '../../services/context.ts'
import type { DeliveryRecord } from '../../services/webhooks/queue-deliveries.ts'
import { type RecordOutcome, tryDelivery } from '../../services/webhooks/try-delivery.ts'

/** Sends one delivery to its webhook. A repeated delivery has the same id. */
export async function deliverWebhook(context: Context, job: Job, record: RecordOutcome): Promise<void> {
  const { deliveryId } = job.data as DeliveryRecord
  const notYet = await tryDelivery(context, deliveryId, job, record)
  if (notYet === undefined) return
  if (notYet.notBefore !== undefined) throw new TryAgainAt(notYet.notBefore, notYet.reason)
  throw new Error(notYet.reason)
}
