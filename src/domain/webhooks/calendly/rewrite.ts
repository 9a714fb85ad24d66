import type { Booking } from '../../bookings/booking.ts'
import type { Answers } from '../../forms/routing.ts'
import { trackingOf } from './resource.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON that was stored
type Json = any

type Remains = Pick<Booking, 'invitee' | 'guests' | 'location' | 'utm'>

/** A message that says of the guests what the booking says now. */
export function calendlyAbout(message: Json, booking: Remains, erased: boolean): Json {
  const { payload } = message
  const event_guests = payload.scheduled_event.event_guests.filter(({ email }: { readonly email: string }) =>
    booking.guests.includes(email),
  )
  const scheduled_event = { ...payload.scheduled_event, event_guests }
  if (!erased) return { ...message, payload: { ...payload, scheduled_event } }
  return { ...message, payload: withoutGuest({ ...payload, scheduled_event }, booking) }
}

function withoutGuest(payload: Json, { invitee, location, utm }: Remains): Json {
  const { scheduled_event: event } = payload
  const cancellation = payload.cancellation && {
    cancellation: { ...payload.cancellation, canceled_by: '', reason: null },
  }
  const place = event.location
  return {
    ...payload,
    name: invitee.name,
    email: invitee.email,
    timezone: invitee.timeZone,
    questions_and_answers: [],
    tracking: trackingOf(utm),
    text_reminder_number: null,
    ...cancellation,
    scheduled_event: {
      ...event,
      meeting_notes_plain: null,
      location: {
        ...place,
        location: location.value,
        ...('join_url' in place && { join_url: location.value }),
      },
      ...cancellation,
    },
  }
}

/** A message about a form with only those answers that are kept. */
export function calendlyAnswers(message: Json, kept: Answers): Json {
  const { payload } = message
  const given: readonly { readonly question_uuid: string }[] = payload.questions_and_answers
  const questions_and_answers = given.filter(({ question_uuid: id }) => Object.hasOwn(kept, id))
  return { ...message, payload: { ...payload, questions_and_answers } }
}
