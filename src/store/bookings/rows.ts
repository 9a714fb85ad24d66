import type { Insertable, Selectable } from 'kysely'
import type { Booking, BookingStatus } from '../../domain/bookings/booking.ts'
import type { Location } from '../../domain/event-types/event-type.ts'
import type { Claim } from '../../domain/slots/openings.ts'
import type { Schema } from '../engine/schema.ts'

/** The columns of a new booking; the others have defaults. */
export type BookingRow = Insertable<Omit<Schema['bookings'], 'sequence' | 'reason' | 'requested_at'>>

/** Those columns with their types on PostgreSQL. */
export const BOOKING_COLUMNS: Readonly<Record<keyof BookingRow, string>> = {
  id: 'uuid',
  scheduler_id: 'uuid',
  event_type_id: 'uuid',
  meeting_id: 'uuid',
  host_id: 'uuid',
  seat: 'integer',
  seats: 'integer',
  status: 'text',
  starts_at: 'bigint',
  ends_at: 'bigint',
  invitee_name: 'text',
  invitee_email: 'text',
  invitee_phone: 'text',
  invitee_time_zone: 'text',
  invitee_locale: 'text',
  location_type: 'text',
  location_value: 'text',
  notes: 'text',
  custom_fields: 'text',
  source: 'text',
  utm: 'text',
  duplicate_key: 'text',
  created_at: 'bigint',
}

export type ClaimRow = Selectable<Schema['claims']>

/** The columns of a claim besides its host. */
export const CLAIM_DETAILS = [
  'starts_at',
  'ends_at',
  'meeting_id',
  'event_type_id',
  'buffer_before',
  'buffer_after',
] as const satisfies readonly (keyof ClaimRow)[]

export const CLAIM_COLUMNS = ['host_id', ...CLAIM_DETAILS] as const

export function claimRow(hostId: string, claim: Claim): ClaimRow {
  return {
    host_id: hostId,
    starts_at: claim.startsAt,
    ends_at: claim.endsAt,
    meeting_id: claim.meetingId,
    event_type_id: claim.eventTypeId,
    buffer_before: claim.bufferBefore,
    buffer_after: claim.bufferAfter,
  }
}

export function claimFromRow(row: Omit<ClaimRow, 'host_id'>, seatsTaken: number): Claim {
  return {
    meetingId: row.meeting_id,
    eventTypeId: row.event_type_id,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    bufferBefore: row.buffer_before,
    bufferAfter: row.buffer_after,
    seatsTaken,
  }
}

export function bookingFromRow(row: Selectable<Schema['bookings']>): Booking {
  return {
    id: row.id,
    eventTypeId: row.event_type_id,
    meetingId: row.meeting_id,
    status: row.status as BookingStatus,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    invitee: {
      name: row.invitee_name,
      email: row.invitee_email,
      phone: row.invitee_phone,
      timeZone: row.invitee_time_zone,
      locale: row.invitee_locale,
    },
    location: { type: row.location_type as Location['type'], value: row.location_value },
    notes: row.notes,
    customFields: JSON.parse(row.custom_fields),
    source: row.source as Booking['source'],
    utm: JSON.parse(row.utm),
    createdAt: row.created_at,
    sequence: row.sequence,
    reason: row.reason,
  }
}
