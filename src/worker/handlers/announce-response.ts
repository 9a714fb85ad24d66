import type { Job } from '../../domain/job.ts'
import type { ResponseRecord } from '../../domain/webhooks/webhook.ts'
import type { Context } from '../../services/context.ts'
import { announceResponse as announce } from '../../services/webhooks/announce-response.ts'

/** Announces a response to a routing form. */
export async function announceResponse(context: Context, job: Job): Promise<void> {
  await announce(context, (job.data as ResponseRecord).responseId)
}
