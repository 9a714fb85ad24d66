import { sql } from 'kysely'
import { type Booking, meetingUid } from '../../domain/bookings/booking.ts'
import type { EntryVersion } from '../../domain/bookings/change.ts'
import type { Question } from '../../domain/event-types/questions.ts'
import type { Db, Trx } from '../engine/database.ts'
import { isActive } from './active.ts'
import { bookingFromRow } from './rows.ts'

/** A meeting with the guests who attend it. */
export interface Roster {
  readonly meetingId: string
  /** The iCalendar UID of its hosts' entries. */
  readonly uid: string
  /** Grows with every change to the meeting or its guests. */
  readonly sequence: number
  readonly seats: number
  readonly eventTypeName: string
  /** The calendar that the event type chooses; null: each host's own. */
  readonly writeToCalendarId: string | null
  readonly questions: readonly Question[]
  readonly hostIds: readonly string[]
  /** Confirmed ones, the first seat first; never empty. */
  readonly bookings: readonly [Booking, ...Booking[]]
}

/** Who attends a meeting and who hosts it, as of now; undefined if no confirmed guest is left. */
export async function findRoster(db: Db, meetingId: string): Promise<Roster | undefined> {
  // Read first: a roster that is newer than its number is written again by the change that made it so.
  const counted = await db
    .selectFrom('meeting_sequences')
    .select(['sequence', 'ical_uid'])
    .where('meeting_id', '=', meetingId)
    .executeTakeFirst()
  const rows = await db
    .selectFrom('claims as c')
    .innerJoin('event_types as e', 'e.id', 'c.event_type_id')
    // By owner and start: there is an index for it, unlike for the meeting of a booking that is over.
    .innerJoin('bookings as b', (join) =>
      join
        .onRef('b.scheduler_id', '=', 'e.scheduler_id')
        .onRef('b.starts_at', '=', 'c.starts_at')
        .onRef('b.meeting_id', '=', 'c.meeting_id'),
    )
    .selectAll('b')
    .select([
      'e.name as event_type_name',
      'e.questions',
      'e.write_to_calendar_id',
      'c.host_id as claiming_id',
    ])
    .where('c.meeting_id', '=', meetingId)
    .where('b.status', 'in', ['Confirmed', 'Completed', 'NoShow'])
    .orderBy('b.seat')
    .execute()
  const [first, ...others] = [...new Map(rows.map((row) => [row.id, row])).values()]
  if (first === undefined) return undefined
  const all = [first, ...others]
  const bookings = [bookingFromRow(first), ...others.map(bookingFromRow)] as const
  return {
    meetingId,
    uid: meetingUid({ meetingId, uid: counted?.ical_uid ?? undefined, bookings }),
    sequence: counted?.sequence ?? Math.max(...all.map(({ sequence }) => sequence)),
    seats: Math.max(...all.map(({ seats }) => seats)),
    eventTypeName: first.event_type_name,
    writeToCalendarId: first.write_to_calendar_id,
    questions: JSON.parse(first.questions),
    hostIds: [...new Set(rows.map((row) => row.claiming_id))],
    bookings,
  }
}

/** The active bookings of a meeting. */
export async function findActiveIds(db: Db, meetingId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('bookings')
    .select('id')
    .where('meeting_id', '=', meetingId)
    .where(isActive('bookings'))
    .orderBy('seat')
    .execute()
  return rows.map(({ id }) => id)
}

/** Changes to a seated meeting that get numbers. */
interface MeetingChanges {
  readonly meetingId: string
  readonly count: number
  /** The last number that the booking which changed had for itself. */
  readonly used: number
}

/** Numbers changes to seated meetings; returns the last version of each. */
export async function countMeetingChanges(
  trx: Trx,
  changes: readonly MeetingChanges[],
): Promise<ReadonlyMap<string, EntryVersion>> {
  const last = new Map<string, EntryVersion>()
  // In one order, so that two batches never wait for each other.
  for (const { meetingId, count, used } of changes.toSorted((a, b) => (a.meetingId < b.meetingId ? -1 : 1))) {
    const row = await trx
      .insertInto('meeting_sequences')
      .values({
        meeting_id: meetingId,
        // Starts above the numbers that its bookings had while they were not counted together.
        sequence: sql`${used + count} + coalesce((
          select max(sequence) from bookings
          where meeting_id = ${meetingId} and ${isActive('bookings')}), 0)`,
      })
      .onConflict((conflict) =>
        conflict.column('meeting_id').doUpdateSet({
          sequence: sql`meeting_sequences.sequence + ${count}`,
        }),
      )
      .returning(['sequence', 'ical_uid'])
      .executeTakeFirstOrThrow()
    const { sequence, ical_uid: uid } = row
    last.set(meetingId, { meetingId, sequence, ...(uid !== null && { uid }) })
  }
  return last
}

/** Records that hosts have an entry of a seated meeting that was made elsewhere, under this UID and with this number. */
export async function insertMeetingVersion(
  trx: Trx,
  { meetingId, sequence, uid }: EntryVersion,
): Promise<void> {
  await trx
    .insertInto('meeting_sequences')
    .values({ meeting_id: meetingId, sequence, ical_uid: uid ?? null })
    .execute()
}
