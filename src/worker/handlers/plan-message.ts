import type { Context } from '../../services/context.ts'
import { planForBookings } from '../../services/messages/plan.ts'
import type { JobOf } from '../handler.ts'

/** Plans a message for the bookings that there are. */
export async function planMessage(context: Context, job: JobOf<'message-plan'>): Promise<void> {
  await planForBookings(context, job.data.messageId, job.createdAt)
}
