import type { Booking } from '../bookings/booking.ts'
import { isErased } from '../bookings/erased.ts'
import type { Answers } from '../forms/routing.ts'
import { calcomAbout, calcomAnswers } from './calcom/rewrite.ts'
import { calendlyAbout, calendlyAnswers } from './calendly/rewrite.ts'

/** A stored message, as JSON has it. */
// biome-ignore lint/suspicious/noExplicitAny: it was written by any version of any format
type Message = any

/** What is left of a booking's guests. */
export type Remains = Pick<Booking, 'invitee' | 'guests' | 'location' | 'customFields' | 'notes' | 'utm'>

/** A message that says of the guests what the booking says now. It has its own format, whatever its webhook has by now. */
export function messageAbout(message: Message, booking: Remains): object {
  const erased = isErased(booking)
  if ('triggerEvent' in message) return calcomAbout(message, booking, erased)
  if ('event' in message) return calendlyAbout(message, booking, erased)
  // It tells of a message: only what a mail server said can name anyone.
  if (message.type === 'message.failed') return { ...message, data: { ...message.data, reason: '' } }
  const { guests, invitee, location, customFields, notes, utm } = booking
  if (!erased) return { ...message, data: { ...message.data, guests } }
  const { name, email, phone, timeZone: timezone, locale } = invitee
  const data = {
    ...message.data,
    invitee: { name, email, phone, timezone, locale },
    guests,
    location: { type: location.type, value: location.value },
    customFields,
    notes,
    utm,
    reason: '',
  }
  return { ...message, data }
}

/** A message about a form with only those answers that are kept. */
export function messageWithAnswers(message: Message, kept: Answers): object {
  if ('triggerEvent' in message) return calcomAnswers(message, kept)
  if ('event' in message) return calendlyAnswers(message, kept)
  const given: readonly { readonly fieldId: string }[] = message.data.answers
  const answers = given.filter(({ fieldId }) => Object.hasOwn(kept, fieldId))
  return { ...message, data: { ...message.data, answers } }
}
