import type { Context } from '../../services/context.ts'
import { sendDueMessage } from '../../services/messages/send.ts'
import type { JobOf } from '../handler.ts'

/** Sends a host's own message, if the booking still calls for it. */
export async function sendMessage(context: Context, job: JobOf<'message'>): Promise<void> {
  await sendDueMessage(context, job)
}
