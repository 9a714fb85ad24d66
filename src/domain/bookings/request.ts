import { offeredDurations } from '../event-types/durations.ts'
import type { EventType } from '../event-types/event-type.ts'
import { chooseLocation } from '../event-types/location.ts'
import { type CustomFields, checkAnswers } from '../event-types/questions.ts'
import { parseInstant } from '../instant.ts'
import { MINUTE } from '../interval.ts'
import { isEmail, isPhone } from '../people/contact.ts'
import { e164Of } from '../people/phone.ts'
import { invalidField } from '../problem.ts'
import { anyOf, sentence } from '../sentence.ts'
import { isLine, isProse } from '../text.ts'
import type { Zones } from '../zone.ts'
import type { BOOKING_SOURCES, Booking, Invitee } from './booking.ts'
import { checkRepeat, type Repeat } from './series.ts'

/** A request to book, with the names it has on the wire. */
export interface BookingRequest {
  readonly startTime: string
  readonly endTime: string
  readonly inviteeName: string
  readonly inviteeEmail: string
  readonly inviteePhone?: string
  /** Whether the guest agrees to text messages to that number. */
  readonly smsConsent?: boolean
  readonly inviteeTimezone: string
  readonly inviteeLocale?: string
  /** One of the event type's `locations`; left out: the first. */
  readonly locationId?: string
  /** Email addresses of others who come. */
  readonly guests?: readonly string[]
  readonly customFields?: CustomFields
  readonly inviteeNotes?: string
  readonly source?: (typeof BOOKING_SOURCES)[number]
  readonly utm?: Readonly<Record<string, string>>
  readonly honeypotValue?: string
  readonly captchaToken?: string
  /** The hold that keeps this time for the guest. */
  readonly holdId?: string
  /** Proves the guest's address, where the event type asks for it. */
  readonly emailCode?: string
  readonly repeat?: Repeat
}

/** The content of a valid request. */
export type RequestedBooking = Pick<
  Booking,
  'startsAt' | 'endsAt' | 'invitee' | 'location' | 'notes' | 'customFields' | 'source' | 'utm'
> & { readonly repeat?: Repeat }

const LOCALE = /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}$/

/**
 * Reads a request, or throws `invalid` with what to correct. Doesn't check that the slot is free.
 *
 * `guests` are read later, by `readGuests`: they are checked after the blocklist.
 */
export function readBookingRequest(
  request: BookingRequest,
  eventType: EventType,
  zones: Zones,
): RequestedBooking {
  const { startsAt, endsAt } = readTimes(request, eventType)
  const invitee = readInvitee(request, zones)
  const location = chooseLocation(eventType, request.locationId, invitee.phone)
  const { source = 'API', utm = {}, inviteeNotes: notes = '' } = request
  checkProseOf({ notes, utm })
  const customFields = request.customFields ?? {}
  checkAnswers(eventType.questions, customFields)
  const read = { startsAt, endsAt, invitee, location, notes, customFields, source, utm }
  if (request.repeat === undefined) return read
  checkRepeat(request.repeat, eventType.series)
  return { ...read, repeat: { every: request.repeat.every, count: request.repeat.count } }
}

/** Throws `invalid` if what a guest says can't be shown. */
export function checkProseOf({ notes, utm }: Pick<Booking, 'notes' | 'utm'>): void {
  if (!isProse(notes))
    throw invalidField('inviteeNotes', sentence`{field} must not contain control characters.`)
  for (const [key, value] of Object.entries(utm)) {
    if (!isLine(key) || !isLine(value))
      throw invalidField('utm', sentence`{field} must not contain control characters.`)
  }
}

/** The two times of a slot, or throws `invalid` if they are not one of the lengths that are offered. */
export function readTimes(
  request: Pick<BookingRequest, 'startTime' | 'endTime'>,
  eventType: Pick<EventType, 'durationMinutes' | 'durations'>,
): Pick<Booking, 'startsAt' | 'endsAt'> {
  const startsAt = instantIn('startTime', request.startTime)
  const endsAt = instantIn('endTime', request.endTime)
  if (endsAt <= startsAt) throw invalidField('endTime', sentence`{field} must be after startTime.`)
  const durations = offeredDurations(eventType)
  if (!durations.includes((endsAt - startsAt) / MINUTE)) {
    throw invalidField(
      'endTime',
      sentence`{field} must be ${anyOf(durations)} minutes after startTime: take both from one listed slot.`,
    )
  }
  return { startsAt, endsAt }
}

function instantIn(field: string, text: string): number {
  const instant = parseInstant(text)
  if (instant === undefined) {
    throw invalidField(field, sentence`{field} must be a UTC instant such as 2030-01-31T09:30:00Z.`)
  }
  return instant
}

/** Who books, or throws `invalid`. */
export function readInvitee(
  request: Pick<
    BookingRequest,
    'inviteeName' | 'inviteeEmail' | 'inviteePhone' | 'inviteeTimezone' | 'inviteeLocale' | 'smsConsent'
  >,
  zones: Zones,
): Invitee {
  const name = lineIn('inviteeName', request.inviteeName)
  if (name === '') throw invalidField('inviteeName', sentence`{field} is required.`)
  const email = lineIn('inviteeEmail', request.inviteeEmail)
  if (!isEmail(email)) throw invalidField('inviteeEmail', sentence`{field} must be an email address.`)
  const phone = lineIn('inviteePhone', request.inviteePhone ?? '')
  if (phone !== '' && !isPhone(phone))
    throw invalidField('inviteePhone', sentence`{field} must be a phone number.`)
  const zone = zones.find(request.inviteeTimezone)
  if (zone === undefined) {
    throw invalidField('inviteeTimezone', sentence`{field} must be an IANA time zone such as Europe/Berlin.`)
  }
  const locale = request.inviteeLocale ?? ''
  if (locale !== '' && !LOCALE.test(locale)) {
    throw invalidField('inviteeLocale', sentence`{field} must be a language code such as en or pt-BR.`)
  }
  const invitee = { name, email, phone, timeZone: zone.id, locale }
  if (request.smsConsent !== true) return invitee
  const smsNumber = e164Of(phone)
  if (smsNumber === undefined) {
    throw invalidField(
      'inviteePhone',
      sentence`{field} must begin with + and the country code for text messages, such as +49 151 23456789.`,
    )
  }
  return { ...invitee, smsNumber }
}

function lineIn(field: string, text: string): string {
  if (!isLine(text)) throw invalidField(field, sentence`{field} must not contain control characters.`)
  return text.trim()
}
