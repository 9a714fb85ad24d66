import { isCalledAt, type Location } from '../event-types/location.ts'
import { type Answer, answersTo } from '../event-types/questions.ts'
import { isWebAddress } from '../people/contact.ts'
import { ownImage } from '../people/image.ts'
import { type BookingStatus, shownLocation } from './booking.ts'
import type { BookedMeeting } from './change.ts'
import { cancelUntil, isActive } from './states.ts'

/** A booking as its guest may know it. */
export interface ToldBooking {
  readonly eventName: string
  /** The main host first. */
  readonly hosts: readonly ToldHost[]
  readonly status: BookingStatus
  readonly startsAt: number
  readonly endsAt: number
  /** As guests see it, see `shownLocation`. */
  readonly location: Pick<Location, 'type' | 'value'>
  readonly phone: string
  readonly guests: readonly string[]
  readonly answers: readonly Answer[]
  readonly notes: string
  /** The instant from which the guest can no longer cancel. */
  readonly cancelUntil: number
}

export interface ToldHost {
  readonly name: string
  /** A picture on our own server, or empty: any other server would learn who looks. */
  readonly avatarUrl: string
}

/** A meeting as its guest may know it. */
export function toldBooking(
  { booking, eventType, scheduler, hosts }: BookedMeeting,
  site: string,
): ToldBooking {
  const shown = hosts.length > 0 ? hosts : [scheduler]
  return {
    eventName: eventType.name,
    hosts: shown.map(({ name, avatarUrl = '' }) => ({ name, avatarUrl: ownImage(site, avatarUrl) })),
    status: booking.status,
    startsAt: booking.startsAt,
    endsAt: booking.endsAt,
    location: shownLocation(booking),
    phone: booking.invitee.phone,
    guests: booking.guests,
    answers: answersTo(eventType.questions, booking.customFields),
    notes: booking.notes,
    cancelUntil: cancelUntil(booking, eventType),
  }
}

/** How guests get to the meeting: by a link, by one that is still to come, by a call to them, or by what `value` says. */
type Access = 'join' | 'follows' | 'called' | 'told'

/** Something that guests want to know about their booking. */
export type GuestFact =
  | { readonly name: 'what'; readonly eventName: string }
  | { readonly name: 'who'; readonly hosts: readonly ToldHost[] }
  | { readonly name: 'when'; readonly startsAt: number; readonly endsAt: number }
  | { readonly name: 'where'; readonly place: ToldBooking['location'] & { readonly access: Access } }
  | { readonly name: 'guests'; readonly emails: readonly string[] }
  | ({ readonly name: 'answer' } & Answer)
  | { readonly name: 'notes'; readonly notes: string }
  | { readonly name: 'cancellation'; readonly until: number }

/** What a guest wants to know about their booking, in the order in which pages, emails and calendars say it. */
export function guestFacts(booking: ToldBooking, now: number): GuestFact[] {
  const { eventName, hosts, startsAt, endsAt, guests, answers, notes, cancelUntil } = booking
  const takesPlace = booking.status !== 'Declined' && booking.status !== 'Cancelled'
  const facts: (GuestFact | false)[] = [
    { name: 'what', eventName },
    { name: 'who', hosts },
    { name: 'when', startsAt, endsAt },
    takesPlace && { name: 'where', place: { ...booking.location, access: accessTo(booking) } },
    guests.length > 0 && { name: 'guests', emails: guests },
    ...answers.map((answer) => ({ name: 'answer' as const, ...answer })),
    notes !== '' && { name: 'notes', notes },
    isActive(booking) && now < cancelUntil && { name: 'cancellation', until: cancelUntil },
  ]
  return facts.filter((fact) => fact !== false)
}

function accessTo({ status, location, phone }: ToldBooking): Access {
  const { type, value } = location
  if (isCalledAt(location, phone)) return 'called'
  if (type !== 'Video' && type !== 'Link') return 'told'
  if (isWebAddress(value)) return 'join'
  return value === '' && isActive({ status }) ? 'follows' : 'told'
}
