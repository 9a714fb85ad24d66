import type { Static } from 'typebox'
import type { BookingRequest } from '../../../domain/bookings/request.ts'
import type { EventType } from '../../../domain/event-types/event-type.ts'
import { hostCalls, type Location } from '../../../domain/event-types/location.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { MINUTE } from '../../../domain/interval.ts'
import { invalidField } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { Type } from '../../../format/type.ts'
import { instantIn } from './request.ts'

const Line = Type.String({ maxLength: 500 })
const Answers = Type.Record(Type.String(), Type.Unknown(), { maxProperties: 100 })

/** As many as there, and as long. */
const Metadata = Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 500 }), {
  maxProperties: 50,
  propertyNames: { maxLength: 40 },
})

const Named = {
  eventTypeId: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 })),
  eventTypeSlug: Type.Optional(Line),
  username: Type.Optional(Line),
  teamSlug: Type.Optional(Line),
}

export const CreateBooking = Type.Object({
  ...Named,
  start: Type.String({ maxLength: 64 }),
  attendee: Type.Object({
    name: Line,
    email: Type.String({ maxLength: 254 }),
    timeZone: Type.String({ maxLength: 64 }),
    phoneNumber: Type.Optional(Type.Union([Line, Type.Null()])),
    language: Type.Optional(Type.Union([Line, Type.Null()])),
  }),
  bookingFieldsResponses: Type.Optional(Answers),
  guests: Type.Optional(Type.Array(Type.String({ maxLength: 254 }), { maxItems: 50 })),
  location: Type.Optional(Type.Unknown()),
  metadata: Type.Optional(Metadata),
  lengthInMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440 })),
  recurrenceCount: Type.Optional(Type.Integer({ minimum: 1, maximum: 52 })),
  emailVerificationCode: Type.Optional(Line),
  captchaToken: Type.Optional(Type.String({ maxLength: 8192 })),
})

/** Before 2024-08-13. */
export const CreateOlderBooking = Type.Object({
  ...Named,
  start: Type.String({ maxLength: 64 }),
  end: Type.Optional(Type.String({ maxLength: 64 })),
  timeZone: Type.String({ maxLength: 64 }),
  language: Type.Optional(Line),
  responses: Type.Object(
    { name: Type.Unknown(), email: Type.String({ maxLength: 254 }) },
    { maxProperties: 100 },
  ),
  metadata: Type.Optional(Metadata),
  captchaToken: Type.Optional(Type.String({ maxLength: 8192 })),
})

/** What both versions come to. */
export interface ReadBooking {
  readonly startsAt: number
  readonly request: BookingRequest
  readonly metadata?: Readonly<Record<string, string>>
}

export function readBooking(body: Static<typeof CreateBooking>, eventType: EventType): ReadBooking {
  const { attendee, lengthInMinutes = eventType.durationMinutes, recurrenceCount, metadata } = body
  const startsAt = instantIn('start', body.start)
  const { notes, customFields } = answersIn(body.bookingFieldsResponses ?? {}, eventType)
  const { locationId, phone } = locationIn(body.location, eventType)
  const inviteePhone = attendee.phoneNumber ?? phone
  const step = eventType.series?.every[0]
  if (recurrenceCount !== undefined && recurrenceCount > 1 && step === undefined) {
    throw invalidField('recurrenceCount', sentence`{field} is not valid.`)
  }
  return {
    startsAt,
    request: {
      startTime: formatExactly(startsAt),
      endTime: formatExactly(startsAt + lengthInMinutes * MINUTE),
      inviteeName: attendee.name,
      inviteeEmail: attendee.email,
      inviteeTimezone: attendee.timeZone,
      ...(attendee.language && { inviteeLocale: attendee.language }),
      ...(inviteePhone && { inviteePhone }),
      ...(locationId !== undefined && { locationId }),
      ...(body.guests && body.guests.length > 0 && { guests: body.guests }),
      customFields,
      inviteeNotes: notes,
      source: 'API',
      ...(body.captchaToken !== undefined && { captchaToken: body.captchaToken }),
      ...(body.emailVerificationCode !== undefined && { emailCode: body.emailVerificationCode }),
      ...(recurrenceCount !== undefined &&
        recurrenceCount > 1 &&
        step !== undefined && { repeat: { every: step, count: recurrenceCount } }),
    },
    ...(metadata && Object.keys(metadata).length > 0 && { metadata }),
  }
}

export function readOlderBooking(body: Static<typeof CreateOlderBooking>, eventType: EventType): ReadBooking {
  const { responses, start, end, timeZone, language, ...others } = body
  const { name, email, guests, location, attendeePhoneNumber, phone, ...answers } = responses as Record<
    string,
    unknown
  > & { readonly email: string }
  const startsAt = instantIn('start', start)
  const minutes = end === undefined ? undefined : (instantIn('end', end) - startsAt) / MINUTE
  return readBooking(
    {
      ...others,
      start,
      attendee: {
        name: nameIn(name),
        email,
        timeZone,
        ...(language !== undefined && { language }),
        ...(typeof attendeePhoneNumber === 'string' && { phoneNumber: attendeePhoneNumber }),
      },
      bookingFieldsResponses: answers,
      ...(Array.isArray(guests) && { guests: guests.map(String) }),
      ...(minutes !== undefined && { lengthInMinutes: minutes }),
      location: olderLocation(location),
    },
    eventType,
  )
}

/** A name may come in two parts. */
function nameIn(name: unknown): string {
  if (typeof name === 'string') return name
  const { firstName = '', lastName = '' } = Object(name) as { firstName?: unknown; lastName?: unknown }
  return `${firstName} ${lastName}`.trim()
}

/** There it was `{ value, optionValue }`. */
function olderLocation(location: unknown): unknown {
  const { value, optionValue } = Object(location) as { value?: unknown; optionValue?: unknown }
  if (value === 'phone' && typeof optionValue === 'string')
    return { type: 'attendeePhone', phone: optionValue }
  return typeof value === 'string' ? value : location
}

/** Answers that have a field of their own here. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'email',
  'guests',
  'location',
  'notes',
  'title',
  'rescheduleReason',
  'attendeePhoneNumber',
])

/** An answer under the key of a question is always that answer. */
function answersIn(given: Readonly<Record<string, unknown>>, { questions }: EventType) {
  const asked = new Set(questions.map(({ key }) => key))
  const customFields = Object.fromEntries(
    Object.entries(given)
      .filter(([key]) => asked.has(key) || !OWN_FIELDS.has(key))
      .map(([key, value]) => [key, value ?? '']),
  )
  const { notes } = given
  return { customFields, notes: typeof notes === 'string' && !asked.has('notes') ? notes : '' }
}

const TYPES: Readonly<Record<string, Location['type']>> = {
  address: 'InPerson',
  link: 'Link',
  integration: 'Video',
  organizersDefaultApp: 'Video',
  phone: 'Phone',
  attendeePhone: 'Phone',
}

/** The offered location that is meant; throws `invalid` if there is none of that type. */
function locationIn(
  given: unknown,
  { location, locations }: EventType,
): { readonly locationId?: string; readonly phone?: string } {
  if (given === undefined || given === null) return {}
  // A text was any of them, in earlier versions: what fits none is left to the event type.
  if (typeof given === 'string') {
    const offered = locations.find(({ value }) => value === given)
    return offered === undefined ? {} : { locationId: offered.id }
  }
  const { type, integration, phone } = Object(given) as Readonly<Record<string, unknown>>
  const wanted = typeof type === 'string' ? TYPES[type] : undefined
  const isCalled = type === 'attendeePhone'
  const fits = (one: Location) => one.type === wanted && (wanted !== 'Phone' || hostCalls(one) === isCalled)
  const found = locations.find((one) => fits(one) && one.provider === integration) ?? locations.find(fits)
  if (found === undefined && !(locations.length === 0 && fits(location))) {
    throw invalidField('location', sentence`{field} is not one of the values allowed.`)
  }
  return {
    ...(found !== undefined && { locationId: found.id }),
    ...(isCalled && typeof phone === 'string' && { phone }),
  }
}

/** A fraction of a second is no start, and must not be rounded to one. */
const formatExactly = (instant: number) =>
  instant % 1000 === 0 ? formatInstant(instant) : new Date(instant).toISOString()
