import type { GermanAddress } from '../../../domain/people/scheduler.ts'
import { findBooking } from '../../../store/bookings/list.ts'
import { findScheduler } from '../../../store/people/schedulers.ts'
import type { Context } from '../../context.ts'
import { isId } from '../../people/access.ts'
import { isManageToken } from './manage-link.ts'

/** How German speaks to the guest of a booking; undefined without the token of its manage link. */
export async function findGermanAddress(
  context: Context,
  bookingId: string,
  token: unknown,
): Promise<GermanAddress | undefined> {
  const valid = isId(bookingId) && typeof token === 'string' && isManageToken(context, bookingId, token)
  const listed = valid ? await findBooking(context.db, bookingId) : undefined
  return listed && (await findScheduler(context.db, listed.schedulerId))?.germanAddress
}
