import type { ListedBooking } from '../../domain/bookings/listed-booking.ts'
import type { Db, Trx } from '../engine/database.ts'
import { isAgreed } from './active.ts'
import { listedFromRow } from './list.ts'

/** What a booking says now about where it is. */
export async function findLocation(
  db: Db,
  bookingId: string,
): Promise<{ readonly status: string; readonly value: string } | undefined> {
  return db
    .selectFrom('bookings')
    .select(['status', 'location_value as value'])
    .where('id', '=', bookingId)
    .executeTakeFirst()
}

export async function updateLocation(trx: Trx, bookingId: string, value: string): Promise<void> {
  await trx.updateTable('bookings').set({ location_value: value }).where('id', '=', bookingId).execute()
}

/** Whose link a meeting gets: one that a provider made, or one that its host has given. */
type LinkSource = 'provider' | 'host'

/** A booking that has got a link, and where it was before. */
export interface LinkedBooking extends ListedBooking {
  readonly previousLocation: string
}

/** Gives a meeting's confirmed bookings its link; returns those that did not have it. */
export async function updateLocations(
  trx: Trx,
  meetingId: string,
  url: string,
  source: LinkSource,
): Promise<LinkedBooking[]> {
  const before = await trx
    .selectFrom('bookings')
    .select(['id', 'location_value'])
    .where('meeting_id', '=', meetingId)
    .where(isAgreed('bookings'))
    .execute()
  const rows = await trx
    .updateTable('bookings')
    .set({ location_value: url })
    .where('meeting_id', '=', meetingId)
    // Written out: only then a partial index serves.
    .where(isAgreed('bookings'))
    .where('status', '=', 'Confirmed')
    .where('location_provider', source === 'provider' ? '<>' : '=', '')
    .where('location_value', '<>', url)
    .returningAll()
    .execute()
  const previous = new Map(before.map((row) => [row.id, row.location_value]))
  return rows.map((row) => ({ ...listedFromRow(row), previousLocation: previous.get(row.id) ?? '' }))
}
