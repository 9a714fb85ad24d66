import { TryAgain, TryAgainAt } from '../../domain/job.ts'
import type { Context } from '../../services/context.ts'
import { tryDelivery } from '../../services/webhooks/try-delivery.ts'
import type { JobOutcome } from '../../services/work-queue.ts'
import type { JobOf } from '../handler.ts'

/** Sends one delivery to its webhook. A repeated delivery has the same id. */
export async function deliverWebhook(
  context: Context,
  job: JobOf<'webhook'>,
  record: (outcome: JobOutcome) => void,
): Promise<void> {
  const notYet = await tryDelivery(context, job.data.deliveryId, job, (delivery) => record({ delivery }))
  if (notYet === undefined) return
  if (notYet.notBefore !== undefined) throw new TryAgainAt(notYet.notBefore, notYet.reason)
  throw new TryAgain(notYet.reason)
}
