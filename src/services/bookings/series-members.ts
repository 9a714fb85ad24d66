import type { BookingStatus } from '../../domain/bookings/booking.ts'
import type { ListedBooking } from '../../domain/bookings/listed-booking.ts'
import type { ScopeOfChange } from '../../domain/bookings/series.ts'
import { isActive } from '../../domain/bookings/states.ts'
import { findSeries } from '../../store/bookings/list.ts'
import type { Context } from '../context.ts'

/** The bookings of one change, the first of which was asked about. */
export type Members = [ListedBooking, ...ListedBooking[]]

/** The bookings that a change is about, this one first: it alone, or those of its series that follow as well. */
export async function inScope(
  { db }: Context,
  seen: ListedBooking,
  scope: ScopeOfChange | undefined,
): Promise<Members> {
  const place = seen.booking.series
  if (scope !== 'following' || place === undefined) return [seen]
  const all = await findSeries(db, place.id)
  const later = all.filter(({ booking }) => isActive(booking) && (booking.series?.index ?? 0) > place.index)
  return [seen, ...later]
}

/** This booking, and the others of its series that are in the same state: a host answers for all of them. */
export async function withSameState(
  { db }: Context,
  seen: ListedBooking,
  state: BookingStatus,
): Promise<Members> {
  const { id, series } = seen.booking
  if (series === undefined) return [seen]
  const all = await findSeries(db, series.id)
  return [seen, ...all.filter(({ booking }) => booking.id !== id && booking.status === state)]
}
