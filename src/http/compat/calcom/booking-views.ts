import type { BookingStatus } from '../../../domain/bookings/booking.ts'
import { uidOf as icsUidOf, shownLocation } from '../../../domain/bookings/booking.ts'
import { MINUTE } from '../../../domain/interval.ts'
import { wholeUid } from '../../../services/bookings/guest/manage-link.ts'
import type { DescribedBooking } from '../../../services/bookings/reports/describe.ts'
import type { Context } from '../../../services/context.ts'
import { managedSchedulers } from '../../../services/people/access.ts'
import type { Principal } from '../../../services/people/sign-in/principal.ts'

/** Completed meetings and those whose guest did not come were accepted. */
export const STATUSES: Readonly<Record<BookingStatus, 'accepted' | 'pending' | 'cancelled' | 'rejected'>> = {
  PendingPayment: 'pending',
  PendingApproval: 'pending',
  Confirmed: 'accepted',
  Declined: 'rejected',
  Cancelled: 'cancelled',
  Expired: 'cancelled',
  Completed: 'accepted',
  NoShow: 'accepted',
}

const iso = (instant: number) => new Date(instant).toISOString()

/** The numbers and uids that views of these bookings need, in a few reads for all of them. */
export async function factsFor(
  context: Context,
  found: readonly DescribedBooking[],
  principal: Principal | undefined,
) {
  const { numbers } = context
  const mayChange = await changeableBy(context, principal)
  const [bookings, eventTypes, hosts] = await Promise.all([
    numbers.ofAll(
      'booking',
      found.map(({ booking }) => booking.id),
    ),
    numbers.ofAll(
      'event-type',
      found.map(({ eventType }) => eventType.id),
    ),
    numbers.ofAll(
      'user',
      found.map(({ host }) => host.id),
    ),
  ])
  const uid = (listed: DescribedBooking, id = listed.booking.id) =>
    mayChange(listed) ? wholeUid(context, id) : id
  return { bookings, eventTypes, hosts, uid }
}

type Facts = Awaited<ReturnType<typeof factsFor>>

/** Whoever gets the whole uid can move and cancel: nobody gets it who only may look. */
async function changeableBy({ db }: Context, principal: Principal | undefined) {
  if (principal === undefined) return () => true
  if (!principal.scopes.includes('write')) return () => false
  const managed = await managedSchedulers(db, principal)
  return ({ hostId, schedulerId }: DescribedBooking) =>
    hostId === principal.userId || managed.includes(schedulerId)
}

/** A booking as it has been since 2024-08-13. */
export function toBooking(listed: DescribedBooking, facts: Facts) {
  const { booking, eventType, host, seats } = listed
  const { invitee, guests, startsAt, endsAt, status, series } = booking
  const uid = facts.uid(listed)
  const eventTypeId = facts.eventTypes.get(eventType.id)
  const location = shownLocation(booking).value
  const person = {
    timeZone: invitee.timeZone,
    language: invitee.locale || 'en',
    absent: status === 'NoShow',
  }
  const seat = seats > 1 ? { seatUid: uid } : {}
  return {
    id: facts.bookings.get(booking.id),
    uid,
    title: titleOf(listed),
    description: booking.notes,
    hosts: [
      {
        id: facts.hosts.get(host.id),
        name: host.name,
        email: host.email,
        displayEmail: host.email,
        username: host.slug,
        timeZone: host.timeZone,
      },
    ],
    status: STATUSES[status],
    cancellationReason: status === 'Cancelled' || status === 'Declined' ? booking.reason : '',
    start: iso(startsAt),
    end: iso(endsAt),
    duration: (endsAt - startsAt) / MINUTE,
    eventTypeId,
    eventType: { id: eventTypeId, slug: eventType.slug },
    attendees: [
      {
        name: invitee.name,
        email: invitee.email,
        displayEmail: invitee.email,
        ...person,
        ...(invitee.phone !== '' && { phoneNumber: invitee.phone }),
        ...seat,
        ...(seats > 1 && { bookingFieldsResponses: answersOf(listed), metadata: { ...booking.metadata } }),
      },
      ...guests.map((email) => ({ name: '', email, displayEmail: email, ...person, absent: false })),
    ],
    guests: [...guests],
    meetingUrl: location,
    location,
    absentHost: false,
    createdAt: iso(booking.createdAt),
    updatedAt: iso(booking.createdAt),
    metadata: { ...booking.metadata },
    rating: null,
    icsUid: icsUidOf(booking.id),
    bookingFieldsResponses: answersOf(listed),
    ...seat,
    ...(series && { recurringBookingUid: facts.uid(listed, series.id) }),
  }
}

const titleOf = ({ eventType, host, booking }: DescribedBooking) =>
  `${eventType.name} between ${host.name} and ${booking.invitee.name}`

function answersOf({ booking }: DescribedBooking): Record<string, unknown> {
  const { invitee, guests, notes, customFields } = booking
  return {
    ...customFields,
    name: invitee.name,
    email: invitee.email,
    displayEmail: invitee.email,
    ...(invitee.phone !== '' && { attendeePhoneNumber: invitee.phone }),
    guests: [...guests],
    ...(notes !== '' && { notes }),
  }
}

/** A booking as it was before. */
export function toOlderBooking(listed: DescribedBooking, facts: Facts) {
  const { booking, eventType, host } = listed
  const { invitee, guests, startsAt, endsAt } = booking
  const { absent, ...person } = { timeZone: invitee.timeZone, locale: invitee.locale || 'en', absent: false }
  return {
    id: facts.bookings.get(booking.id),
    uid: facts.uid(listed),
    userPrimaryEmail: host.email,
    eventTypeId: facts.eventTypes.get(eventType.id),
    title: titleOf(listed),
    description: booking.notes,
    startTime: iso(startsAt),
    endTime: iso(endsAt),
    status: STATUSES[booking.status].toUpperCase(),
    location: shownLocation(booking).value,
    paid: false,
    metadata: { ...booking.metadata },
    cancellationReason: booking.status === 'Cancelled' ? booking.reason : null,
    rejectionReason: booking.status === 'Declined' ? booking.reason : null,
    responses: answersOf(listed),
    attendees: [
      { name: invitee.name, email: invitee.email, ...person, noShow: booking.status === 'NoShow' },
      ...guests.map((email) => ({ name: '', email, ...person, noShow: absent })),
    ],
    user: {
      id: facts.hosts.get(host.id),
      name: host.name,
      email: host.email,
      username: host.slug,
      timeZone: host.timeZone,
    },
    eventType: {
      id: facts.eventTypes.get(eventType.id),
      slug: eventType.slug,
      title: eventType.name,
      // Titles are made in one way, and times are on the clocks of the hosts.
      eventName: null,
      timeZone: null,
    },
    customInputs: {},
    smsReminderNumber: invitee.smsNumber || null,
    createdAt: iso(booking.createdAt),
    recurringEventId: booking.series === undefined ? null : facts.uid(listed, booking.series.id),
    iCalUID: icsUidOf(booking.id),
  }
}
