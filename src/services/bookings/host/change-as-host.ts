import type { Author } from '../../../domain/bookings/decisions/author.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import type { VersionOf } from '../../change.ts'
import type { Context } from '../../context.ts'
import { requireRole } from '../../people/access.ts'
import type { Principal } from '../../people/sign-in/principal.ts'
import { getBooking, type HostedBooking, readBooking } from '../reports/list.ts'

/** A booking that the principal may change: its host, its owner, or an admin of the team that owns it. */
export async function getChangeable(
  context: Context,
  principal: Principal,
  id: string,
): Promise<HostedBooking> {
  const seen = await getBooking(context, principal, id)
  if (!seen.hostIds.includes(principal.userId)) {
    await requireRole(context.db, principal, seen.schedulerId, 'admin')
  }
  return seen
}

/** Runs a change to a booking for those who may change it. */
export async function changeAsHost(
  context: Context,
  principal: Principal,
  { id, expect }: VersionOf<HostedBooking>,
  change: (author: Author, seen: ListedBooking) => Promise<ListedBooking>,
): Promise<HostedBooking> {
  const seen = await getChangeable(context, principal, id)
  expect(seen)
  await change({ by: 'host', actor: principal }, seen)
  // Someone who has handed a meeting over no longer hosts it.
  return readBooking(context, id)
}
