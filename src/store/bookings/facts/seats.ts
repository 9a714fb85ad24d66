import { type Selectable, type SqlBool, sql } from 'kysely'
import type { TakenSeats } from '../../../domain/bookings/facts/seats.ts'
import { partyOf } from '../../../domain/bookings/guests.ts'
import { engine } from '../../engine/engine.ts'
import { prepared } from '../../engine/prepared.ts'
import type { Schema } from '../../engine/schema.ts'
import { isActive } from '../active.ts'
import { guestsFrom } from '../rows.ts'
import { reading, type StoredFact } from './fact.ts'

/** Seats are columns of bookings, and written with them. */
export const seats: StoredFact = {
  ask(db, questions) {
    const starts = questions.flatMap(({ hostIds, seatsAt = [] }) => {
      return seatsAt.flatMap((starts_at) => hostIds.map((host_id) => ({ host_id, starts_at })))
    })
    if (starts.length === 0) return []
    return [
      reading(readSeats.bind(db, { starts: JSON.stringify(starts) }), (rows, ledger) => {
        for (const row of rows) ledger.seats.add(takenSeats(row))
      }),
    ]
  },
}

type SeatRow = Pick<Selectable<Schema['bookings']>, 'id' | 'meeting_id' | 'seat' | 'guests'>

export const takenSeats = (row: SeatRow): TakenSeats => ({
  bookingId: row.id,
  meetingId: row.meeting_id,
  seat: row.seat,
  party: partyOf({ guests: guestsFrom(row.guests) }),
})

const readSeats = prepared<{ starts: string }, SeatRow>((db, value) => {
  const starts = engine(db).rowsFromJson('claims', ['host_id', 'starts_at'], value('starts'))
  const isThere = sql<SqlBool>`found.host_id = wanted.host_id and found.starts_at = wanted.starts_at`
  const meetings = sql`select found.meeting_id from ${engine(db).lookUpEach(starts, 'claims', isThere)}`
  const isSeated = sql<SqlBool>`found.meeting_id = wanted.meeting_id and ${isActive('found')}`
  return sql`select found.id, found.meeting_id, found.seat, found.guests
    from ${engine(db).lookUpEach(meetings, 'bookings', isSeated)}`
})
