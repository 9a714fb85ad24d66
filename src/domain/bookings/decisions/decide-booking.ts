import type { Checkout } from '../../payments/payment.ts'
import { guestKey } from '../../people/guest-key.ts'
import { Problem } from '../../problem.ts'
import type { Claim } from '../../slots/openings.ts'
import { type Assignment, partOf } from '../assignment.ts'
import type { Booking } from '../booking.ts'
import type { HostClaim } from '../facts/claims.ts'
import { partyOf } from '../guests.ts'
import { answerOf, readAnswer } from '../idempotency.ts'
import { claimsIn, joinWrites, type Ledger, type Question } from '../ledger.ts'
import type { NewBooking } from '../listed-booking.ts'
import { announcementOf, recordOf } from './announcement.ts'
import { auditOf, clientFor } from './author.ts'
import { BOOKING_RULES } from './booking-rules.ts'
import { mailedSince, mailsTo } from './caps.ts'
import { type Decision, done, type Given, needs, type Plan, refused } from './decision.ts'
import { balancesOf } from './hosts/balances.ts'
import { needsCalendars } from './hosts/calendars.ts'
import { chooseHosts } from './hosts/choose-hosts.ts'
import {
  claimsFor,
  findJoinedMeeting,
  findLackOfSeats,
  type Group,
  hostIdsOf,
  lowestFreeSeat,
  questionAbout,
  spansAt,
} from './hosts/placing.ts'
import { type Bill, billFor, openCheckout } from './payments/new-checkout.ts'
import type { WantedBooking } from './wanted-booking.ts'

/** A new booking; of a series, the first one and those that follow it. `checkout`: it has just been made, and is to be paid. */
export type Booked = Booking & { readonly following?: readonly Booking[]; readonly checkout?: Checkout }

/** Books meetings at these starts, all or none. */
export const planBooking = (wanted: WantedBooking, now: number): Plan<Booked> => ({
  question: questionOf(wanted, now),
  decide: (ledger, given) => decideBooking(ledger, wanted, given),
  spans: spansAt(wanted.bookable, wanted.starts),
})

function questionOf(
  { bookable, requested, starts, author, access, proof, retry }: WantedBooking,
  now: number,
): Question {
  const keys = [requested.invitee.email, ...requested.guests].map(guestKey)
  return {
    ...questionAbout(bookable, starts),
    ...(retry && { retry }),
    ...(author.by === 'guest' && { guests: { keys, from: mailedSince(now) } }),
    ...(access.link && { linkId: access.link.id }),
    ...(access.routed && { responseId: access.routed.id }),
    ...(proof && { emailCode: { eventTypeId: bookable.eventType.id, address: proof.address } }),
  }
}

function decideBooking(ledger: Ledger, wanted: WantedBooking, given: Given): Decision<Booked> {
  const { bookable, requested, starts, zone, author, retry } = wanted
  const remembered = retry && readAnswer(ledger.answers.find(retry.eventTypeId, retry.key), retry, given.now)
  if (remembered instanceof Problem) return refused(remembered)
  if (remembered !== undefined) return done(remembered)
  for (const rule of BOOKING_RULES) {
    const broken = rule(ledger, wanted, given)
    if (broken !== undefined) return broken
  }

  const found = author.by === 'guest' ? given.found : undefined
  const claimsOf = (hostId: string) =>
    claimsIn(ledger, hostId).filter((claim) => !isOwnHold(ledger, wanted, claim))
  const chosen = chooseHosts(ledger, bookable, { starts, zone, claimsOf, now: given.now, found })
  if (chosen instanceof Problem) return refused(chosen)
  const meetings = starts.map((startsAt, index) => {
    const group = chosen.groups[index] as Group
    return { startsAt, group, joined: findJoinedMeeting(bookable, group, startsAt) }
  })
  for (const { group, joined } of meetings) {
    const lack = findLackOfSeats(bookable, joined, partyOf(requested))
    if (lack !== undefined) return refused(lack)
    // A meeting that takes place anyway can be joined, whatever else its hosts have then.
    const need = joined === undefined && found && needsCalendars(bookable, group, found)
    if (need) return need
  }
  return makeBookings(ledger, wanted, { meetings, assignment: chosen.assignment }, given)
}

/** A hold of this event type that the guest came with. */
const isOwnHold = ({ claims }: Ledger, { holdId, bookable }: WantedBooking, claim: Claim): boolean =>
  holdId !== undefined && claim.eventTypeId === bookable.eventType.id && claims.isHold(claim, holdId)

interface PlacedMeeting {
  readonly startsAt: number
  readonly group: Group
  /** The seated meeting that the guest joins. */
  readonly joined: Claim | undefined
}

interface Placement {
  readonly meetings: readonly PlacedMeeting[]
  readonly assignment: Assignment | undefined
}

function makeBookings(
  ledger: Ledger,
  wanted: WantedBooking,
  { meetings, assignment }: Placement,
  given: Given,
): Decision<Booked> {
  const { bookable, requested, author, access, holdId, proof, retry, payTo } = wanted
  const { now, newId } = given
  const ids = meetings.map(newId)
  const bill = billFor(wanted, newId)
  // It costs something since who is paid was looked up.
  if (bill !== undefined && payTo === undefined) return needs({ what: 'settings' })
  const made = meetings.map((meeting, index) => {
    const booking = newBooking(wanted, meeting, { ids, index, bill }, now)
    const hostIds = hostIdsOf(meeting.group)
    const added: NewBooking = {
      booking,
      schedulerId: bookable.scheduler.id,
      // The host whose turn it is comes first.
      hostId: hostIds[0] as string,
      seat: lowestFreeSeat(ledger, meeting.joined),
      seats: bookable.rules.seats,
      // A series takes one turn, of which each meeting can give its part back.
      ...(assignment && { assignment: partOf(assignment, meetings.length) }),
      duplicateKey: wanted.duplicateKey,
      client: clientFor(author, guestKey(booking.invitee.email)),
    }
    const claims: HostClaim[] = meeting.joined ? [] : claimsFor(bookable, meeting.group, booking)
    const record = recordOf(booking, newId(), {
      type: 'created',
      by: author.by,
      reason: '',
      previousStatus: null,
      previousStartsAt: null,
      hostIds,
      formerHostIds: [],
      ...(requested.repeat && { together: index === 0 ? ids : [] }),
      at: now,
    })
    return { added, claims, job: announcementOf(record), audit: auditOf(author, added, 'created', given) }
  })
  const [booking, ...following] = made.map(({ added }) => added.booking) as [Booking, ...Booking[]]
  const booked = requested.repeat === undefined ? booking : { ...booking, following }
  const code = proof && ledger.codes.find(bookable.eventType.id, proof.address)
  const paying =
    bill && payTo !== undefined
      ? openCheckout(bill, wanted, { accountId: payTo, bookingIds: ids, now })
      : undefined
  const isHeld = bookable.hostIds.some((id) =>
    ledger.claims.of(id).some((one) => isOwnHold(ledger, wanted, one)),
  )
  const writes = {
    bookings: made.map(({ added }) => added),
    claims: made.flatMap(({ claims }) => claims),
    // Nobody hears of it until it is paid.
    jobs: paying ? [] : made.map(({ job }) => job),
    audit: made.flatMap(({ audit }) => audit),
    ...(author.by === 'guest' && { guestMails: mailsTo(booking.guests, booking.id, author, now) }),
    ...(assignment && { balances: balancesOf(bookable.eventType.id, assignment, now) }),
    ...(access.link && { spentLinks: [access.link.id] }),
    ...(access.routed && { spentResponses: [{ id: access.routed.id, bookingId: booking.id }] }),
    ...(code && { usedCodes: [{ ...code, mailbox: proof.mailbox }] }),
    ...(holdId !== undefined && isHeld && { freedHolds: [holdId] }),
    ...(retry && { answers: [answerOf(retry, { booking: booked }, now)] }),
  }
  if (paying === undefined) return done(booked, writes)
  return done({ ...booked, checkout: paying.checkout }, joinWrites([writes, paying.writes]))
}

function newBooking(
  { bookable, requested, zone, author, access: { link, routed } }: WantedBooking,
  { startsAt, joined }: PlacedMeeting,
  {
    ids,
    index,
    bill,
  }: { readonly ids: readonly string[]; readonly index: number; readonly bill: Bill | undefined },
  now: number,
): Booking {
  const { repeat, ...details } = requested
  const [id, first] = [ids[index] as string, ids[0] as string]
  return {
    ...details,
    startsAt,
    endsAt: startsAt + bookable.rules.duration,
    status: bill
      ? 'PendingPayment'
      : author.by === 'guest' && bookable.eventType.requiresApproval
        ? 'PendingApproval'
        : 'Confirmed',
    createdAt: now,
    ...(link && { linkId: link.id }),
    ...(routed && { routing: { formId: routed.formId, responseId: routed.id } }),
    ...(repeat && {
      series: { ...repeat, id: first, index, firstAt: requested.startsAt, timeZone: zone.id },
    }),
    id,
    eventTypeId: bookable.eventType.id,
    meetingId: joined?.meetingId ?? id,
    sequence: 0,
    reason: '',
    ...(bill && { payment: bill.payment }),
  }
}
