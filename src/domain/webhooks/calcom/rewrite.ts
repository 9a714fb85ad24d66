import type { Booking } from '../../bookings/booking.ts'
import type { Answers } from '../../forms/routing.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON that was stored
type Json = any

/** A message that says of the guests what the booking says now. */
export function calcomAbout(
  message: Json,
  booking: Pick<Booking, 'guests' | 'location'>,
  erased: boolean,
): Json {
  const clean = (fields: Json) =>
    erased ? withoutGuest(fields, booking) : withGuests(fields, booking.guests)
  const { triggerEvent, createdAt, payload, ...flat } = message
  return { ...('attendees' in flat && clean(flat)), triggerEvent, createdAt, payload: clean(payload) }
}

/** Whatever of this is there: not every event has all of it. */
function withoutGuest(fields: Json, { location }: Pick<Booking, 'location'>): Json {
  const empty = {
    title: fields.eventTitle ?? fields.eventType?.title ?? '',
    message: '',
    description: fields.eventDescription ?? '',
    additionalNotes: '',
    attendees: [],
    location: location.value,
    previousLocation: '',
    responses: {},
    userFieldsResponses: {},
    cancellationReason: '',
    rejectionReason: '',
    cancelledBy: '',
    rescheduledBy: '',
    smsReminderNumber: '',
    videoCallData: null,
    metadata: {},
  }
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      Object.hasOwn(empty, name) ? empty[name as keyof typeof empty] : value,
    ]),
  )
}

function withGuests(fields: Json, guests: readonly string[]): Json {
  const [guest, ...brought] = fields.attendees ?? []
  const { responses } = fields
  return {
    ...fields,
    attendees: [guest, ...brought.filter(({ email }: { readonly email: string }) => guests.includes(email))],
    ...(responses?.guests && { responses: { ...responses, guests: { ...responses.guests, value: guests } } }),
  }
}

/** A message about a form with only those answers that are kept. */
export function calcomAnswers(message: Json, kept: Answers): Json {
  const { payload } = message
  const isKept = ([name]: readonly [string, unknown]) =>
    Object.hasOwn(kept, name) || !Object.hasOwn(payload.responses, name)
  const { triggerEvent, createdAt, payload: _, ...flat } = message
  const responses = Object.fromEntries(Object.entries(payload.responses).filter(isKept))
  return {
    ...Object.fromEntries(Object.entries(flat).filter(isKept)),
    triggerEvent,
    createdAt,
    payload: { ...payload, responses },
  }
}
