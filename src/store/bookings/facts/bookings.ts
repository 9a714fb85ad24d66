import { type Selectable, type SqlBool, sql } from 'kysely'
import type { BookingStatus } from '../../../domain/bookings/booking.ts'
import type { UpdatedBooking } from '../../../domain/bookings/facts/bookings.ts'
import { engine } from '../../engine/engine.ts'
import { prepared, preparedInsertAll } from '../../engine/prepared.ts'
import type { Schema } from '../../engine/schema.ts'
import { isActive } from '../active.ts'
import { listedFromRow } from '../list.ts'
import { BOOKING_COLUMNS, bookingRow, isUncommon, UNCOMMON_COLUMNS } from '../rows.ts'
import { type Ids, lastOfEach, reading, rowStatement, type StoredFact, unique, writing } from './fact.ts'
import { takenSeats } from './seats.ts'

export const bookings: StoredFact = {
  ask(db, questions) {
    const bookingIds = unique(questions.flatMap((question) => question.bookingIds ?? []))
    if (bookingIds.length === 0) return []
    const wanted = { ids: engine(db).idList(bookingIds) }
    return [
      reading(readBookings.bind(db, wanted), (rows, ledger) => {
        for (const row of rows) ledger.bookings.add(listedFromRow(row))
      }),
      reading(readCompanions.bind(db, wanted), (rows, ledger) => {
        for (const row of rows) {
          const { id, meeting_id: meetingId, status } = row
          ledger.bookings.addCompanion({ id, meetingId, status: status as BookingStatus })
          if (row.seats > 1) ledger.seats.add(takenSeats(row))
        }
      }),
    ]
  },
  // Updates first: one may free the seat that a new booking takes.
  write({ updates = [], bookings = [] }) {
    const rows = bookings.map(bookingRow)
    const leaving = updates.filter(({ leavesFirst }) => leavesFirst)
    return [
      writing(
        leaving.map(({ booking }) => ({ id: booking.id })),
        leaveTimes,
      ),
      writing(lastOfEach(withRequests(updates), ({ booking }) => booking.id).map(updateRow), updateBookings),
      writing(
        rows.filter((row) => !isUncommon(row)),
        insertBookings,
      ),
      writing(rows.filter(isUncommon), insertUncommonBookings),
    ]
  },
}

// Locked as well: meetings that have ended are completed without their hosts.
const readBookings = prepared<Ids, Selectable<Schema['bookings']>>(
  (db, value) => sql`select * from bookings where ${engine(db).isAmong('id', value('ids'))}
    order by id ${engine(db).lockRows}`,
)

const readCompanions = prepared<
  Ids,
  Pick<Selectable<Schema['bookings']>, 'id' | 'meeting_id' | 'status' | 'seat' | 'seats' | 'guests'>
>((db, value) => {
  const meetings = sql`select distinct meeting_id from bookings where ${engine(db).isAmong('id', value('ids'))}`
  const isCompanion = sql<SqlBool>`found.meeting_id = wanted.meeting_id and ${isActive('found')}`
  return sql`select found.id, found.meeting_id, found.status, found.seat, found.seats, found.guests
    from ${engine(db).lookUpEach(meetings, 'bookings', isCompanion)}`
})

const insertBookings = preparedInsertAll('bookings', BOOKING_COLUMNS)
const insertUncommonBookings = preparedInsertAll('bookings', [...BOOKING_COLUMNS, ...UNCOMMON_COLUMNS])

/** What of a booking can change. */
const MUTABLE_COLUMNS = [
  'meeting_id',
  'host_id',
  'seat',
  'seats',
  'status',
  'starts_at',
  'ends_at',
  'sequence',
  'reason',
  'requested_at',
  'assignment',
  'guest_moves',
  'payment',
] as const

// Whoever is cancelled is in no unique index. The next statement gives them their true status.
const leaveTimes = rowStatement(
  (db, rows) => sql`update bookings set status = 'Cancelled'
    from (${engine(db).rowsFromJson('bookings', ['id'], rows)}) as changed
    where bookings.id = changed.id`,
)

const updateBookings = rowStatement(
  (db, rows) => sql`update bookings
    set ${sql.join(
      MUTABLE_COLUMNS.map((column) => {
        const changed = sql`${sql.ref(`changed.${column}`)}`
        const value = column === 'requested_at' ? sql`coalesce(${changed}, bookings.requested_at)` : changed
        return sql`${sql.ref(column)} = ${value}`
      }),
    )}
    from (${engine(db).rowsFromJson('bookings', ['id', ...MUTABLE_COLUMNS], rows)}) as changed
    where bookings.id = changed.id`,
)

function updateRow({ booking, hostId, seat, seats, requestedAt, assignment, guestMoves }: UpdatedBooking) {
  return {
    id: booking.id,
    meeting_id: booking.meetingId,
    host_id: hostId,
    seat,
    seats,
    status: booking.status,
    starts_at: booking.startsAt,
    ends_at: booking.endsAt,
    sequence: booking.sequence,
    reason: booking.reason,
    requested_at: requestedAt ?? null,
    ...(assignment && { assignment: JSON.stringify(assignment) }),
    ...(guestMoves && { guest_moves: JSON.stringify(guestMoves) }),
    ...(booking.payment && { payment: JSON.stringify(booking.payment) }),
  }
}

/** The same, where a later change to a booking keeps when an earlier one has asked for approval. */
function withRequests(updates: readonly UpdatedBooking[]): readonly UpdatedBooking[] {
  if (updates.length < 2) return updates
  const asked = new Map<string, number>()
  return updates.map((update) => {
    const requestedAt = update.requestedAt ?? asked.get(update.booking.id)
    if (requestedAt === undefined) return update
    asked.set(update.booking.id, requestedAt)
    return { ...update, requestedAt }
  })
}
