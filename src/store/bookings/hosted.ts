import { sql } from 'kysely'
import type { Booking } from '../../domain/bookings/booking.ts'
import type { Question } from '../../domain/event-types/questions.ts'
import type { Interval } from '../../domain/interval.ts'
import type { Db } from '../engine/database.ts'

/** A booking with what its host's calendar says of it. */
export interface HostedBooking {
  readonly booking: Pick<
    Booking,
    'id' | 'status' | 'startsAt' | 'endsAt' | 'invitee' | 'location' | 'notes' | 'customFields' | 'createdAt'
  >
  readonly sequence: number
  readonly eventTypeName: string
  readonly questions: readonly Question[]
}

/** Bookings that this user hosts, alone or with others, that start within `span` and were not called off. */
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
    .selectAll('b')
    .select(['e.name as event_type_name', 'e.questions'])
    // By the owner and the start, as the desk's list is read: there is an index for it.
    .where('b.scheduler_id', 'in', [userId, ...teams.map((team) => team.team_id)])
    .where('b.starts_at', '>=', span.start)
    .where('b.starts_at', '<', span.end)
    .where('b.status', 'in', ['PendingApproval', 'Confirmed', 'Completed', 'NoShow'])
    .where((eb) =>
      eb.or([
        eb('b.host_id', '=', userId),
        eb.exists(
          eb
            .selectFrom('claims as c')
            .select(sql.lit(1).as('one'))
            .whereRef('c.meeting_id', '=', 'b.meeting_id')
            .where('c.host_id', '=', userId),
        ),
      ]),
    )
    .orderBy('b.starts_at')
    .orderBy('b.id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    booking: {
      id: row.id,
      status: row.status as Booking['status'],
      startsAt: row.starts_at,
      endsAt: row.ends_at,
      invitee: {
        name: row.invitee_name,
        email: row.invitee_email,
        phone: row.invitee_phone,
        timeZone: row.invitee_time_zone,
        locale: row.invitee_locale,
      },
      location: { type: row.location_type, value: row.location_value } as Booking['location'],
      notes: row.notes,
      customFields: JSON.parse(row.custom_fields),
      createdAt: row.created_at,
    },
    sequence: row.sequence,
    eventTypeName: row.event_type_name,
    questions: JSON.parse(row.questions),
  }))
}
