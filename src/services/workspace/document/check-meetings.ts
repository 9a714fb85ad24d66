import { isUid } from '../../../domain/bookings/booking.ts'
import { ERASED_GUEST, isErased } from '../../../domain/bookings/erased.ts'
import { readGuests } from '../../../domain/bookings/guests.ts'
import { checkProseOf, readInvitee } from '../../../domain/bookings/request.ts'
import { isActive } from '../../../domain/bookings/states.ts'
import { checkLocation } from '../../../domain/event-types/location.ts'
import { DAY, MINUTE } from '../../../domain/interval.ts'
import { canonicalEmail, isWebAddress } from '../../../domain/people/contact.ts'
import { Problem } from '../../../domain/problem.ts'
import { english } from '../../../domain/sentence.ts'
import { MAX_DURATION } from '../../../domain/slots/openings.ts'
import { findUnstorable, isLine } from '../../../domain/text.ts'
import { canonicalZone, type Zones } from '../../../domain/zone.ts'
import { readTime, type Workspace, type WorkspaceBooking, type WorkspaceClaim } from './document.ts'

/** More than that, no event type allows. */
const MOST_GUESTS = 10
/** After that, years have five digits, which calendars can't read. */
const LAST_TIME = Date.UTC(9999, 11, 30)

interface Times {
  readonly startsAt: number
  readonly endsAt: number
}

/**
 * Checks the bookings and claims of a file as if guests had sent them: the file may have been edited. Throws `invalid` with the
 * place in the file.
 *
 * Returns the bookings with their guests as booking would have read them.
 */
export function checkMeetings(
  { users, teams, bookings, claims }: Workspace,
  zones: Zones,
  now: number,
): WorkspaceBooking[] {
  const people = new Set(users.map(({ email }) => canonicalEmail(email)))
  const hosts = new Map(
    [...users, ...teams].flatMap((owner) =>
      owner.eventTypes.map((one) => [
        `${owner.slug}/${one.slug}`,
        new Set(one.hosts.map(({ email }) => canonicalEmail(email))),
      ]),
    ),
  )
  const hostsOf = ({ eventType }: WorkspaceBooking | WorkspaceClaim) => hosts.get(eventType) ?? new Set()
  const checked = bookings.map((booking, index) =>
    at(`bookings.${index}`, () => {
      const hosting = hostsOf(booking)
      if (!hosts.has(booking.eventType)) refuse(`there is no event type "${booking.eventType}" in the file`)
      const named = [booking.host, ...(booking.assignment ? hostsIn(booking.assignment) : [])]
      for (const email of named) {
        const key = canonicalEmail(email)
        if (!hosting.has(key) && !people.has(key)) refuse(`there is no user ${email} in the file`)
      }
      for (const email of booking.formerHosts ?? []) {
        if (!people.has(canonicalEmail(email))) refuse(`there is no user ${email} in the file`)
      }
      return checkBooking(booking, zones, now)
    }),
  )
  checkSharedMeetings(checked)
  checkSeries(checked)
  checkClaims(checked, claims, hostsOf, now)
  return checked
}

const hostsIn = ({ host, changes }: NonNullable<WorkspaceBooking['assignment']>) => [
  host,
  ...changes.map((change) => change.host),
]

function checkBooking(given: WorkspaceBooking, zones: Zones, now: number): WorkspaceBooking {
  const { status, seat, seats, reason = '', utm = {}, guests = [], customFields } = given
  const { startsAt, endsAt } = timesOf(given)
  if (readTime(given.createdTime) > startsAt) refuse('it was made after it began')
  if ((status === 'Completed' && endsAt > now) || (status === 'NoShow' && startsAt > now)) {
    refuse(`it is ${status}, and has not been yet`)
  }
  if (status === 'PendingPayment') refuse('it waits for a payment that can’t arrive here')
  if (seat > seats) refuse(`it does not fit: seat ${seat} of ${seats}`)
  checkProseOf({ notes: given.notes, utm })
  checkProseOf({ notes: reason, utm: {} })
  const unstorable = findUnstorable(customFields)
  if (unstorable !== undefined) refuse(`customFields ${unstorable}`)
  const unstorableData = findUnstorable(given.metadata)
  if (unstorableData !== undefined) refuse(`metadata ${unstorableData}`)
  if (given.assignment && !isLine(given.assignment.detail)) refuse('assignment.detail must be one line')
  if (given.uid !== undefined && !isUid(given.uid)) refuse('uid must be one line of at most 255 characters')
  checkBookedLocation(given)
  // Nothing is left of an erased guest that could be checked.
  if (isErased(given)) {
    const { phone, locale, timeZone, smsNumber = '' } = given.invitee
    if (
      `${phone}${smsNumber}` !== '' ||
      locale !== '' ||
      guests.length > 0 ||
      given.invitee.name !== ERASED_GUEST
    ) {
      refuse('invitee.email must be an email address')
    }
    if (zones.find(timeZone) === undefined) refuse('invitee.timeZone must be an IANA time zone')
    return given
  }
  const { name, email, phone, timeZone, locale, smsNumber } = given.invitee
  const invitee = readInvitee(
    {
      inviteeName: name,
      inviteeEmail: email,
      inviteePhone: phone,
      inviteeTimezone: timeZone,
      inviteeLocale: locale,
      smsConsent: smsNumber !== undefined,
    },
    zones,
  )
  return { ...given, invitee, guests: readGuests(guests, { maxGuests: MOST_GUESTS }, email) }
}

/** As the event type's, except that a booking has the link that a provider has made for it. */
function checkBookedLocation(given: WorkspaceBooking): void {
  const { location } = given
  const { provider = '', value } = location
  if (value === '' && (isErased(given) || !isActive(given))) return
  checkLocation(provider === '' ? location : { ...location, value: '' }, 'location')
  if (provider !== '' && value !== '' && !isWebAddress(value)) refuse('location.value must be a web address')
}

function timesOf({ startTime, endTime }: WorkspaceBooking | WorkspaceClaim): Times {
  const [startsAt, endsAt] = [readTime(startTime), readTime(endTime)]
  if (endsAt <= startsAt) refuse('it ends before it begins')
  if (endsAt - startsAt > MAX_DURATION || startsAt % MINUTE !== 0 || endsAt % MINUTE !== 0) {
    refuse('meetings last at most 24 hours, and start and end at whole minutes')
  }
  if (startsAt < 0 || endsAt > LAST_TIME) refuse(`no meeting is at ${startTime}`)
  return { startsAt, endsAt }
}

/** Whether it takes, or took, its hosts' time. */
export const takesTime = ({ status }: WorkspaceBooking) =>
  status !== 'Cancelled' && status !== 'Declined' && status !== 'Expired'

/** Guests of one meeting meet the same host, for the same event type, at the same time, and each has a seat. */
function checkSharedMeetings(bookings: readonly WorkspaceBooking[]): void {
  const known = new Map<string, WorkspaceBooking>()
  for (const [index, booking] of bookings.entries()) {
    if (!takesTime(booking)) continue
    const other = known.get(booking.meeting)
    known.set(booking.meeting, booking)
    if (other === undefined) continue
    const isSame = (['eventType', 'host', 'startTime', 'endTime', 'seats'] as const).every(
      (key) => booking[key] === other[key],
    )
    if (!isSame) at(`bookings.${index}`, () => refuse('others of its meeting are elsewhere'))
  }
}

function checkSeries(bookings: readonly WorkspaceBooking[]): void {
  const known = new Map<string, WorkspaceBooking>()
  for (const [index, booking] of bookings.entries()) {
    const { series } = booking
    if (series === undefined) continue
    at(`bookings.${index}`, () => {
      if (canonicalZone(series.timeZone) === undefined) {
        refuse(`its series is in "${series.timeZone}", which is not a time zone we know`)
      }
      readTime(series.firstTime)
      if (series.index >= series.count) refuse(`it is number ${series.index + 1} of ${series.count}`)
      const other = known.get(series.id)
      known.set(series.id, booking)
      const isSame =
        other?.series === undefined ||
        (other.eventType === booking.eventType &&
          (['every', 'count', 'firstTime', 'timeZone'] as const).every(
            (key) => other.series?.[key] === series[key],
          ))
      if (!isSame) refuse('others of its series say something else about it')
    })
  }
}

/** A claim is for the time of a meeting in the file, of someone who hosts it; and no meeting ahead is without its host's. */
function checkClaims(
  bookings: readonly WorkspaceBooking[],
  claims: readonly WorkspaceClaim[],
  hostsOf: (one: WorkspaceBooking) => ReadonlySet<string>,
  now: number,
): void {
  const meetings = Map.groupBy(bookings.filter(takesTime), ({ meeting }) => meeting)
  const claimed = new Set<string>()
  for (const [index, claim] of claims.entries()) {
    at(`claims.${index}`, () => {
      timesOf(claim)
      const { bufferBeforeMinutes, bufferAfterMinutes } = claim
      if (Math.max(bufferBeforeMinutes, bufferAfterMinutes) * MINUTE > DAY)
        refuse('buffers last at most 24 hours')
      const own = (meetings.get(claim.meeting) ?? []).filter(
        (booking) =>
          booking.eventType === claim.eventType &&
          readTime(booking.startTime) === readTime(claim.startTime) &&
          readTime(booking.endTime) === readTime(claim.endTime),
      )
      const [booking] = own
      if (booking === undefined) return refuse('no booking in the file is at this time')
      const host = canonicalEmail(claim.host)
      const hosting = own.flatMap((one) => [one.host, ...(one.formerHosts ?? [])]).map(canonicalEmail)
      if (!hostsOf(booking).has(host) && !hosting.includes(host))
        refuse(`${claim.host} does not host this booking`)
      claimed.add(`${claim.meeting} ${host}`)
    })
  }
  for (const [index, booking] of bookings.entries()) {
    const isAhead = isActive(booking) && readTime(booking.endTime) > now
    if (!isAhead || claimed.has(`${booking.meeting} ${canonicalEmail(booking.host)}`)) continue
    at(`bookings.${index}`, () => refuse(`the file has no claim on the time of ${booking.host}`))
  }
}

function refuse(reason: string): never {
  throw new Problem('invalid', english`${reason}.`)
}

/** Prefixes a refusal with its place in the file. */
function at<T>(place: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem('invalid', english`${place}: ${error.message}`, { cause: error })
  }
}
