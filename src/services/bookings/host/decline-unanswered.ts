import { unansweredUntil } from '../../../domain/bookings/states.ts'
import { HOUR } from '../../../domain/interval.ts'
import { Problem } from '../../../domain/problem.ts'
import { findRequests } from '../../../store/bookings/changes.ts'
import { findBooking } from '../../../store/bookings/list.ts'
import type { Context } from '../../context.ts'
import { decline } from './decline.ts'

const BATCH = 1000

/** The reason that the guest reads. */
export const UNANSWERED = 'The host didn’t respond in time.'

/** Declines requests that no host has answered in time. */
export async function declineUnanswered(context: Context): Promise<void> {
  const now = context.now()
  // No request is declined earlier than an hour before its start.
  for (const { id, startsAt, requestedAt } of await findRequests(context.db, now + HOUR + 1, BATCH)) {
    if (now < unansweredUntil(startsAt, requestedAt)) continue
    const request = await findBooking(context.db, id)
    if (request?.booking.status !== 'PendingApproval' || request.booking.startsAt !== startsAt) continue
    try {
      await decline(context, { by: 'service' }, request, { reason: UNANSWERED })
    } catch (error) {
      // A host has just answered.
      if (!(error instanceof Problem)) throw error
    }
  }
}
