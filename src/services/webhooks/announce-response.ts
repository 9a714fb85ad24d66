import { insertJobs } from '../../store/outbox.ts'
import type { Context } from '../context.ts'
import { queueFormDeliveries } from './queue-deliveries.ts'

/** Queues the webhook deliveries about a form response. Repeating it has no effect. */
export async function announceResponse(context: Context, responseId: string): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const now = context.now()
    await insertJobs(trx, await queueFormDeliveries(trx, responseId, now), now)
  })
  context.outbox.wake()
}
