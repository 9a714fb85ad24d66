import type { Context } from '../../services/context.ts'
import { unbookedJobsFor } from '../../services/messages/jobs.ts'
import { announceResponse as announce } from '../../services/webhooks/announce-response.ts'
import { queueFormDeliveries } from '../../services/webhooks/queue-deliveries.ts'
import type { JobOf } from '../handler.ts'

/** Announces a response to a routing form. */
export async function announceResponse(context: Context, job: JobOf<'announce-response'>): Promise<void> {
  await announce(context, job.data.responseId, [queueFormDeliveries, unbookedJobsFor])
}
