import { type BookingStatus, uidOf } from '../../bookings/booking.ts'
import type { MeetingHost } from '../../bookings/change.ts'
import { otherAnswers, type Question } from '../../event-types/questions.ts'
import { formatInstant } from '../../instant.ts'
import { MANAGE_TOKEN } from '../formats.ts'
import type { Surroundings } from '../telling.ts'
import { type ToldChange, toldLocation } from '../webhook.ts'

const MINUTE = 60_000

/** Completed meetings and those whose guest did not come were accepted. */
const STATUSES: Readonly<Record<BookingStatus, string>> = {
  PendingPayment: 'PENDING',
  PendingApproval: 'PENDING',
  Confirmed: 'ACCEPTED',
  Declined: 'REJECTED',
  Cancelled: 'CANCELLED',
  Expired: 'CANCELLED',
  Completed: 'ACCEPTED',
  NoShow: 'ACCEPTED',
}

/** What opens a booking there: here, its id with the token of its manage link. */
export const secretUid = (bookingId: string) => `${bookingId}_${MANAGE_TOKEN}`

/** A booking in the words of Cal.com's webhooks. */
export function bookingOf(change: ToldChange, { publicUrl, numbers }: Surroundings) {
  const { bookingId, booking, eventType, scheduler, hosts, startsAt, endsAt, status } = change
  const [host] = hosts
  const { url, text } = placeOf(change)
  const isTeam = scheduler.kind === 'team'
  return {
    bookerUrl: publicUrl,
    type: eventType.slug,
    title: titleOf(change),
    description: eventType.description || booking.notes,
    additionalNotes: booking.notes,
    startTime: formatInstant(startsAt),
    endTime: formatInstant(endsAt),
    length: (endsAt - startsAt) / MINUTE,
    organizer: host && organizerOf(host, startsAt, numbers),
    attendees: attendeesOf(change),
    ...(isTeam && {
      team: {
        id: numbers[scheduler.id],
        name: scheduler.name,
        members: hosts.slice(1).map((member) => organizerOf(member, startsAt, numbers)),
      },
    }),
    location: text,
    ...(url !== '' && { videoCallData: { type: 'custom', id: bookingId, password: '', url } }),
    customInputs: {},
    ...responsesOf(change, text),
    uid: secretUid(bookingId),
    bookingId: numbers[bookingId],
    iCalUID: uidOf(bookingId),
    iCalSequence: change.sequence,
    eventTypeId: numbers[eventType.id],
    eventTitle: eventType.name,
    eventDescription: eventType.description,
    requiresConfirmation: eventType.requiresApproval,
    ...priceOf(change),
    schedulingType: schedulingTypeOf(change),
    seatsPerTimeSlot: eventType.seats > 1 ? eventType.seats : null,
    seatsShowAttendees: false,
    seatsShowAvailabilityCount: true,
    destinationCalendar: null,
    hashedLink: null,
    hideCalendarNotes: false,
    hideCalendarEventDetails: false,
    hideOrganizerEmail: false,
    ...(booking.invitee.smsNumber && { smsReminderNumber: booking.invitee.smsNumber }),
    metadata: { ...booking.metadata, ...(url !== '' && { videoCallUrl: url }) },
    status: STATUSES[status],
  }
}

/** A meeting that is over has fields of its own there. */
export function endedMeetingOf(change: ToldChange, { numbers }: Surroundings) {
  const { bookingId, booking, eventType, hosts, startsAt, endsAt, status } = change
  const [host] = hosts
  const { text, url } = placeOf(change)
  return {
    id: numbers[bookingId],
    uid: secretUid(bookingId),
    userId: host === undefined ? null : numbers[host.id],
    userPrimaryEmail: host?.email ?? null,
    eventTypeId: numbers[eventType.id],
    title: titleOf(change),
    description: booking.notes,
    customInputs: {},
    ...responsesOf(change, text),
    startTime: formatInstant(startsAt),
    endTime: formatInstant(endsAt),
    location: text,
    status: STATUSES[status],
    paid: booking.payment?.status === 'paid',
    cancellationReason: null,
    rejectionReason: null,
    metadata: { ...booking.metadata, ...(url !== '' && { videoCallUrl: url }) },
    iCalUID: uidOf(bookingId),
    iCalSequence: change.sequence,
    user: host && {
      username: host.slug,
      name: host.name,
      email: host.email,
      timeZone: host.timeZone,
      locale: host.locale,
    },
    eventType: {
      title: eventType.name,
      slug: eventType.slug,
      description: eventType.description,
      requiresConfirmation: eventType.requiresApproval,
      ...priceOf(change),
      length: (endsAt - startsAt) / MINUTE,
    },
    attendees: attendeesOf(change).map((one) => ({
      ...one,
      locale: one.language.locale,
      bookingId: numbers[bookingId],
      noShow: false,
    })),
  }
}

/** In the smallest unit, as here. Free meetings have a currency there, too. */
const priceOf = ({ booking: { payment } }: ToldChange) => ({
  price: payment?.amount ?? 0,
  currency: payment?.currency.toLowerCase() ?? 'usd',
})

const titleOf = ({ eventType, hosts, scheduler, booking }: ToldChange) =>
  `${eventType.name} between ${hosts[0]?.name ?? scheduler.name} and ${booking.invitee.name}`

function schedulingTypeOf({ scheduler, eventType }: ToldChange): string | null {
  if (scheduler.kind === 'user') return null
  return eventType.assignment === 'round-robin' ? 'ROUND_ROBIN' : 'COLLECTIVE'
}

/** Where it is; `url` is empty where nobody joins by link. */
function placeOf(change: ToldChange): { readonly text: string; readonly url: string } {
  const { type, value } = toldLocation(change)
  return { text: value, url: type === 'Video' || type === 'Link' ? value : '' }
}

function organizerOf(host: MeetingHost, startsAt: number, numbers: Surroundings['numbers']) {
  const { id, slug, name, email, timeZone, locale } = host
  return {
    id: numbers[id],
    name,
    email,
    username: slug,
    timeZone,
    language: { locale },
    timeFormat: host.timeFormat === '24h' ? 'HH:mm' : 'h:mma',
    utcOffset: utcOffset(timeZone, startsAt),
  }
}

/** The guest, then those whom they bring, of whom only the address is known. */
function attendeesOf({ booking: { invitee, guests }, startsAt }: ToldChange) {
  const { name, email, phone, timeZone, locale } = invitee
  const [firstName = '', ...others] = name.trim().split(/\s+/)
  const shared = { timeZone, language: { locale }, utcOffset: utcOffset(timeZone, startsAt) }
  return [
    { email, name, firstName, lastName: others.join(' '), ...shared, phoneNumber: phone || null },
    ...guests.map((guest) => ({
      email: guest,
      name: '',
      firstName: '',
      lastName: '',
      ...shared,
      phoneNumber: null,
    })),
  ]
}

/** Answers by the names that the booking form has there, which its labels are keys of. */
function responsesOf({ booking, eventType, type, reason }: ToldChange, location: string) {
  const { invitee, guests, notes, customFields } = booking
  const asked = answersOf(eventType.questions, customFields)
  return {
    responses: {
      name: answer('your_name', invitee.name),
      email: answer('email_address', invitee.email),
      ...(invitee.phone && { attendeePhoneNumber: answer('phone_number', invitee.phone) }),
      location: answer('location', { optionValue: '', value: location }),
      notes: answer('additional_notes', notes),
      guests: answer('additional_guests', guests),
      ...(type === 'rescheduled' && { rescheduleReason: answer('reason_for_reschedule', reason) }),
      ...asked,
    },
    userFieldsResponses: asked,
  }
}

const answer = (label: string, value: unknown, isHidden = false) => ({ label, value, isHidden })

type Responses = Readonly<Record<string, ReturnType<typeof answer>>>

/** Answers to the host's own questions, and to those that are no longer asked. */
function answersOf(questions: readonly Question[], given: Readonly<Record<string, unknown>>): Responses {
  const asked = questions.flatMap(({ key, label, hidden = false }) =>
    Object.hasOwn(given, key) ? [[key, answer(label, given[key], hidden)] as const] : [],
  )
  const others = otherAnswers(questions, given).map(
    ({ label }) => [label, answer(label, given[label], true)] as const,
  )
  return Object.fromEntries([...asked, ...others])
}

/** Minutes east of UTC. */
function utcOffset(timeZone: string, at: number): number {
  const { offsetNanoseconds } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone)
  return offsetNanoseconds / (MINUTE * 1_000_000)
}
