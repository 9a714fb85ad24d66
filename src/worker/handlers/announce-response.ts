import type { Context } from '../../services/context.ts'
import { announceResponse as announce } from '../../services/webhooks/announce-response.ts'
import type { JobOf } from '../handler.ts'

/** Announces a response to a routing form. */
export async function announceResponse(context: Context, job: JobOf<'announce-response'>): Promise<void> {
  await announce(context, job.data.responseId)
}
