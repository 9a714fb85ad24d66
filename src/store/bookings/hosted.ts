import { type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { Booking } from '../../domain/bookings/booking.ts'
import type { ListedBooking } from '../../domain/bookings/listed-booking.ts'
import type { Question } from '../../domain/event-types/questions.ts'
import type { Interval } from '../../domain/interval.ts'
import type { Db } from '../engine/database.ts'
import { engine } from '../engine/engine.ts'
import type { Schema } from '../engine/schema.ts'
import { isActive, isAgreed } from './active.ts'
import { listedFromRow } from './list.ts'
import { bookingFromRow } from './rows.ts'

/** A booking with what its host's calendar feed shows. */
interface HostedBooking {
  readonly booking: Pick<
    Booking,
    | 'id'
    | 'meetingId'
    | 'status'
    | 'startsAt'
    | 'endsAt'
    | 'invitee'
    | 'location'
    | 'notes'
    | 'customFields'
    | 'createdAt'
    | 'uid'
  >
  readonly seats: number
  /** The iCalendar UID of a meeting that several guests share, if it was made elsewhere. */
  readonly meetingUid: string | undefined
  /** That of its meeting, if several guests share it. */
  readonly sequence: number
  readonly eventTypeName: string
  readonly questions: readonly Question[]
}

/** Bookings that this user hosts, alone or with others, that start within `span` and were not cancelled. */
export async function findHostedBookings(
  db: Db,
  userId: string,
  span: Interval,
  limit: number,
): Promise<HostedBooking[]> {
  const teams = await db.selectFrom('team_members').select('team_id').where('user_id', '=', userId).execute()
  const rows = await db
    .selectFrom('bookings as b')
    .innerJoin('event_types as e', 'e.id', 'b.event_type_id')
    .leftJoin('meeting_sequences as m', 'm.meeting_id', 'b.meeting_id')
    .selectAll('b')
    .select([
      'e.name as event_type_name',
      'e.questions',
      'm.sequence as meeting_sequence',
      'm.ical_uid as meeting_uid',
    ])
    // By owner and start, like the list of bookings: there is an index for it.
    .where('b.scheduler_id', 'in', [userId, ...teams.map((team) => team.team_id)])
    .where('b.starts_at', '>=', span.start)
    .where('b.starts_at', '<', span.end)
    .where('b.status', 'in', ['PendingApproval', 'Confirmed', 'Completed', 'NoShow'])
    .where(isHostedBy(userId))
    .orderBy('b.starts_at')
    .orderBy('b.id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    booking: bookingFromRow(row),
    seats: row.seats,
    meetingUid: row.meeting_uid ?? undefined,
    sequence: row.meeting_sequence ?? row.sequence,
    eventTypeName: row.event_type_name,
    questions: JSON.parse(row.questions),
  }))
}

/** The bookings and meetings among these that this user hosts; bookings also if they hosted them before. */
export async function findHostedIds(
  db: Db,
  userId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const hosted = new Set<string>()
  for (let at = 0; at < ids.length; at += 500) {
    const some = ids.slice(at, at + 500)
    const rows = await db
      .selectFrom('bookings as b')
      .select('b.id')
      .where('b.id', 'in', some)
      .where(isHostedBy(userId))
      .union(
        db
          .selectFrom('claims as c')
          .select('c.meeting_id as id')
          .where('c.meeting_id', 'in', some)
          .where('c.host_id', '=', userId),
      )
      .execute()
    for (const { id } of rows) hosted.add(id)
  }
  return hosted
}

/** The iCalendar UIDs that meetings of this user have from elsewhere, but for those that ended before then. */
export async function findBroughtUids(db: Db, userId: string, endsAfter: number): Promise<string[]> {
  const meetings = sql`select meeting_id from claims where host_id = ${userId} and starts_at > ${endsAfter}`
  // What was made elsewhere is never paid for here.
  const isBrought = sql<SqlBool>`found.meeting_id = wanted.meeting_id and found.ical_uid is not null
    and ${isAgreed('found')}`
  const { rows } = await sql<Pick<Selectable<Schema['bookings']>, 'ical_uid'>>`
    select ical_uid from bookings
    where host_id = ${userId} and ends_at > ${endsAfter} and ical_uid is not null
    union select found.ical_uid from ${engine(db).lookUpEach(meetings, 'bookings', isBrought)}`.execute(db)
  return rows.flatMap(({ ical_uid }) => ical_uid ?? [])
}

const isHostedBy = (userId: string) => (eb: ExpressionBuilder<Schema & { b: Schema['bookings'] }, 'b'>) =>
  eb.or([
    eb('b.host_id', '=', userId),
    eb.exists(
      eb
        .selectFrom('claims as c')
        .select(sql.lit(1).as('one'))
        .whereRef('c.meeting_id', '=', 'b.meeting_id')
        .where('c.host_id', '=', userId),
    ),
  ])

/** Bookings and requests ahead whose meetings this user hosts, alone or with others, earliest first. */
export async function findUpcomingHosted(db: Db, userId: string, now: number): Promise<ListedBooking[]> {
  const meetings = sql`select meeting_id from claims where host_id = ${userId} and starts_at > ${now}`
  const isAhead = sql<SqlBool>`found.meeting_id = wanted.meeting_id and ${isActive('found')}`
  const { rows } = await sql<Selectable<Schema['bookings']>>`
    select found.* from ${engine(db).lookUpEach(meetings, 'bookings', isAhead)}
    order by found.starts_at, found.id`.execute(db)
  return rows.map(listedFromRow)
}
