import type { Job } from '../domain/job.ts'
import type { ResponseRecord } from '../domain/webhook.ts'
import { announceResponse as announce } from '../services/announce-response.ts'
import type { Context } from '../services/context.ts'

/** Spreads the news of answers to a routing form. */
export async function announceResponse(context: Context, job: Job): Promise<void> {
  await announce(context, (job.data as ResponseRecord).responseId)
}
