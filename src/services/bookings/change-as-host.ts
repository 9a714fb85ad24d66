import type { ListedBooking } from '../../store/bookings/list.ts'
import type { Context } from '../context.ts'
import { requireRole } from '../people/access.ts'
import type { Principal } from '../people/principal.ts'
import type { Author } from './change-state.ts'
import { getBooking, type HostedBooking } from './list.ts'

/**
 * Lets someone change a booking who hosts it, owns it, or manages the team that does.
 *
 * `expect` may throw when the present version is not the one that the change was made for.
 */
export async function changeAsHost(
  context: Context,
  principal: Principal,
  id: string,
  expect: (current: HostedBooking) => void,
  change: (author: Author, seen: ListedBooking) => Promise<ListedBooking>,
): Promise<HostedBooking> {
  const seen = await getBooking(context, principal, id)
  if (!seen.hostIds.includes(principal.userId)) {
    await requireRole(context.db, principal, seen.schedulerId, 'admin')
  }
  expect(seen)
  await change({ by: 'host', actor: principal }, seen)
  return getBooking(context, principal, id)
}
