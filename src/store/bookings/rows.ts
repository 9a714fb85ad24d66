import type { Insertable, Selectable } from 'kysely'
import type { Booking, BookingStatus } from '../../domain/bookings/booking.ts'
import type { NewBooking } from '../../domain/bookings/listed-booking.ts'
import { locationOf } from '../../domain/event-types/location.ts'
import { guestKey } from '../../domain/people/guest-key.ts'
import type { Claim } from '../../domain/slots/openings.ts'
import type { Schema } from '../engine/schema.ts'

/** The columns of a new booking; the others have defaults. */
export const BOOKING_COLUMNS = [
  'id',
  'scheduler_id',
  'event_type_id',
  'meeting_id',
  'host_id',
  'seat',
  'seats',
  'status',
  'starts_at',
  'ends_at',
  'invitee_name',
  'invitee_email',
  'invitee_phone',
  'invitee_time_zone',
  'invitee_locale',
  'location_type',
  'location_value',
  'location_provider',
  'notes',
  'custom_fields',
  'source',
  'utm',
  'duplicate_key',
  'guest',
  'created_at',
  'sequence',
  'reason',
  'client',
] as const satisfies readonly (keyof Schema['bookings'])[]

/** Columns that few bookings have, so that the others don't pay for them. */
export const UNCOMMON_COLUMNS = [
  'link_id',
  'routing',
  'guests',
  'series_id',
  'series',
  'assignment',
  'host_notes',
  'sms_number',
  'metadata',
  'ical_uid',
  'payment',
] as const

type Uncommon = { readonly [Column in (typeof UNCOMMON_COLUMNS)[number]]?: string }

type BookingRow = Insertable<Omit<Schema['bookings'], 'requested_at' | keyof Uncommon>> & Uncommon

export const isUncommon = (row: Uncommon): boolean =>
  UNCOMMON_COLUMNS.some((column) => row[column] !== undefined)

export function bookingRow({
  booking,
  schedulerId,
  hostId,
  seat,
  seats,
  assignment,
  hostNotes,
  duplicateKey,
  client,
}: NewBooking): BookingRow {
  return {
    id: booking.id,
    scheduler_id: schedulerId,
    event_type_id: booking.eventTypeId,
    meeting_id: booking.meetingId,
    host_id: hostId,
    seat,
    seats,
    status: booking.status,
    starts_at: booking.startsAt,
    ends_at: booking.endsAt,
    invitee_name: booking.invitee.name,
    invitee_email: booking.invitee.email,
    invitee_phone: booking.invitee.phone,
    invitee_time_zone: booking.invitee.timeZone,
    invitee_locale: booking.invitee.locale,
    location_type: booking.location.type,
    location_value: booking.location.value,
    location_provider: booking.location.provider ?? '',
    notes: booking.notes,
    custom_fields: JSON.stringify(booking.customFields),
    source: booking.source,
    utm: JSON.stringify(booking.utm),
    duplicate_key: duplicateKey,
    guest: guestKey(booking.invitee.email),
    created_at: booking.createdAt,
    sequence: booking.sequence,
    reason: booking.reason,
    client: client ?? null,
    ...(booking.linkId !== undefined && { link_id: booking.linkId }),
    ...(booking.routing && { routing: JSON.stringify(booking.routing) }),
    ...(booking.guests.length > 0 && { guests: JSON.stringify(booking.guests) }),
    ...(booking.series && { series_id: booking.series.id, series: JSON.stringify(booking.series) }),
    ...(assignment && { assignment: JSON.stringify(assignment) }),
    ...(hostNotes && { host_notes: hostNotes }),
    ...(booking.invitee.smsNumber && { sms_number: booking.invitee.smsNumber }),
    ...(booking.metadata && { metadata: JSON.stringify(booking.metadata) }),
    ...(booking.uid && { ical_uid: booking.uid }),
    ...(booking.payment && { payment: JSON.stringify(booking.payment) }),
  }
}

/** What a claim is about, whether it is a meeting's or a hold's. */
export type ClaimRow = Omit<Selectable<Schema['claims']>, 'expires_at' | 'hold_client'>

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

const NONE: readonly string[] = []

/** Most bookings have no guests, and nothing stored about them. */
export const guestsFrom = (stored: string | null): readonly string[] =>
  stored === null ? NONE : JSON.parse(stored)

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
      ...(row.sms_number !== null && { smsNumber: row.sms_number }),
    },
    guests: guestsFrom(row.guests),
    location: locationOf(row.location_type, row.location_value, row.location_provider),
    notes: row.notes,
    customFields: JSON.parse(row.custom_fields),
    source: row.source as Booking['source'],
    utm: JSON.parse(row.utm),
    createdAt: row.created_at,
    sequence: row.sequence,
    reason: row.reason,
    ...(row.link_id !== null && { linkId: row.link_id }),
    ...(row.routing !== null && { routing: JSON.parse(row.routing) }),
    ...(row.metadata !== null && { metadata: JSON.parse(row.metadata) }),
    ...(row.series !== null && { series: JSON.parse(row.series) }),
    ...(row.ical_uid !== null && { uid: row.ical_uid }),
    ...(row.payment !== null && { payment: JSON.parse(row.payment) }),
  }
}
