import { type Selectable, sql } from 'kysely'
import type { BookingStatus } from '../../../domain/bookings/booking.ts'
import type { GuestBooking } from '../../../domain/bookings/facts/guests.ts'
import { engine, type IdList } from '../../engine/engine.ts'
import { prepared, preparedInsertAll } from '../../engine/prepared.ts'
import type { Schema } from '../../engine/schema.ts'
import { reading, type StoredFact, unique, writing } from './fact.ts'

export const guests: StoredFact = {
  ask(db, questions) {
    const asked = questions.flatMap(({ guests }) => guests ?? [])
    if (asked.length === 0) return []
    const keys = engine(db).idList(unique(asked.flatMap((guest) => guest.keys)))
    const from = Math.min(...asked.map((guest) => guest.from))
    return [
      reading(readGuestBookings.bind(db, { keys, from }), (rows, ledger) => {
        for (const row of rows) {
          const { id, guest, created_at: createdAt } = row
          const client = row.client ?? undefined
          if (row.source === ADDED) {
            ledger.guests.addMail({
              bookingId: id,
              position: row.starts_at,
              guest,
              sentAt: createdAt,
              client,
            })
            continue
          }
          ledger.guests.addBooking({
            id,
            guest,
            eventTypeId: row.event_type_id,
            status: row.status as BookingStatus,
            startsAt: row.starts_at,
            createdAt,
            source: row.source as GuestBooking['source'],
            seriesId: row.series_id,
            client,
          })
        }
      }),
    ]
  },
  write: ({ guestMails = [] }) => [
    writing(
      guestMails.map(({ bookingId, position, guest, sentAt, client = null }) => {
        return { booking_id: bookingId, position, guest, created_at: sentAt, client }
      }),
      insertAddedGuests,
    ),
  ],
}

/** Marks mails to those whom others brought; no booking has this source. */
const ADDED = 'Added'

// By a list, not by a join: PostgreSQL would expect a hundred guests, and read all bookings. One statement for both
// tables, since every booking asks.
const readGuestBookings = prepared<
  { keys: IdList; from: number },
  Pick<
    Selectable<Schema['bookings']>,
    'id' | 'guest' | 'event_type_id' | 'status' | 'starts_at' | 'created_at' | 'series_id' | 'client'
  > & { source: string }
>(
  (
    db,
    value,
  ) => sql`select b.id, b.guest, b.event_type_id, b.status, b.starts_at, b.created_at, b.source, b.series_id, b.client
    from bookings as b
    where ${engine(db).isAmong('b.guest', value('keys'), 'text')} and b.starts_at >= ${value('from')}
    union all
    select a.booking_id, a.guest, a.booking_id, '', a.position, a.created_at, ${sql.lit(ADDED)}, null, a.client
    from added_guests as a
    where ${engine(db).isAmong('a.guest', value('keys'), 'text')} and a.created_at >= ${value('from')}`,
)

const insertAddedGuests = preparedInsertAll('added_guests', [
  'booking_id',
  'position',
  'guest',
  'created_at',
  'client',
])
