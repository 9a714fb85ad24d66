import type { NewJob } from '../../../job.ts'
import { checkoutJob } from '../../../payments/jobs.ts'
import type { BookingPayment, Checkout, LedgerKind } from '../../../payments/payment.ts'
import { sharesOf } from '../../../payments/refund.ts'
import { Problem } from '../../../problem.ts'
import type { Zone } from '../../../zone.ts'
import type { Assignment } from '../../assignment.ts'
import { partOf } from '../../assignment.ts'
import type { BookableEventType } from '../../bookable.ts'
import type { Booking, BookingStatus } from '../../booking.ts'
import type { BookingChangeType, ChangeAuthor } from '../../change.ts'
import type { HostClaim } from '../../facts/claims.ts'
import type { BalanceChange } from '../../facts/turns.ts'
import { partyOf } from '../../guests.ts'
import { claimsIn, joinWrites, type Ledger, type Writes } from '../../ledger.ts'
import type { ListedBooking } from '../../listed-booking.ts'
import { endOf } from '../../private-link.ts'
import { isActive } from '../../states.ts'
import { announcementOf, recordOf } from '../announcement.ts'
import { type Decision, done, type Given, type Needs, needs, type Plan, refused } from '../decision.ts'
import { balancesOf, balancesToday, toBalances } from '../hosts/balances.ts'
import { needsCalendars } from '../hosts/calendars.ts'
import { chooseHosts } from '../hosts/choose-hosts.ts'
import {
  claimsFor,
  findJoinedMeeting,
  findLackOfSeats,
  type Group,
  hostIdsOf,
  isCurrent,
  lowestFreeSeat,
  questionAbout,
  rulesForHost,
  spansAt,
} from '../hosts/placing.ts'
import { joinQuestions, meetingHosts, questionAboutBookings, turnsFor } from '../present.ts'
import { deadLink } from '../refusals.ts'
import { entryOf, giveBack } from './money.ts'

/** What is known of the money of a checkout. Doubled, late or out of order, it changes nothing that is further on. */
export type Money =
  /** `reference`: what the provider calls the payment. Without an intent nothing was to be paid. */
  | {
      readonly kind: 'paid'
      readonly reference: string
      readonly intentId?: string | undefined
      readonly amount: number
    }
  /** It is reserved. */
  | { readonly kind: 'authorised'; readonly intentId: string; readonly amount: number }
  /** What was reserved is no longer. */
  | { readonly kind: 'released'; readonly intentId: string }
  /** Nobody can pay any more. */
  | { readonly kind: 'closed' }

interface WantedSettlement {
  readonly checkoutId: string
  /** Its bookings as they were read. Some may be gone by now. */
  readonly all: readonly ListedBooking[]
  readonly money: Money
  /** Where those that have expired may be booked again: at their length, with the hosts that are open to their guest. */
  readonly again?: { readonly bookable: BookableEventType; readonly zone: Zone }
  /** They can't be. */
  readonly isGone?: true
}

export interface Settled {
  /** Everyone whose calendar has changed. */
  readonly hostIds: readonly string[]
}

/** Brings bookings in line with their money: they stand and are paid, or it goes back. */
export function planSettlement(wanted: WantedSettlement): Plan<Settled> {
  const { checkoutId, all, again } = wanted
  const linkId = linkOf(all)
  const own = {
    ...questionAboutBookings(all),
    ...turnsFor(all),
    checkoutIds: [checkoutId],
    ...(linkId !== undefined && { linkId }),
  }
  const starts = all.map(({ booking }) => booking.startsAt)
  return {
    question: again ? joinQuestions(questionAbout(again.bookable, starts), own) : own,
    decide: (ledger, given) => decideSettlement(ledger, wanted, given),
    ...(again && { spans: spansAt(again.bookable, starts) }),
  }
}

/** The private link that bookings were made through. A series has spent one use of it. */
const linkOf = (all: readonly ListedBooking[]): string | undefined =>
  all.find(({ booking }) => booking.linkId !== undefined)?.booking.linkId

const NOTHING: Settled = { hostIds: [] }

/** Whether a checkout in this state has not heard of this yet. It only ever goes on. */
export function isNews({ status }: Pick<Checkout, 'status'>, { kind }: Pick<Money, 'kind'>): boolean {
  if (kind === 'closed') return status === 'open'
  if (kind === 'released') return status === 'authorised'
  if (status === 'open' || status === 'expired') return true
  return kind === 'paid' && status === 'authorised'
}

function decideSettlement(ledger: Ledger, wanted: WantedSettlement, given: Given): Decision<Settled> {
  const checkout = ledger.checkouts.find(wanted.checkoutId)
  const { money } = wanted
  if (checkout === undefined || !isNews(checkout, money)) return done(NOTHING)
  if (money.kind === 'closed') return end(ledger, checkout, given)
  if (money.kind === 'released') return lapse(ledger, checkout, money, given)
  const isReserved = money.kind === 'paid' && checkout.status === 'authorised'
  if (isReserved) return capture(ledger, checkout, money, given)
  return take(ledger, checkout, { ...wanted, money }, given)
}

/** What a checkout is once it is no longer open: it needs no guest's name any more. */
const becomes = (checkout: Checkout, status: Checkout['status'], intentId = checkout.intentId): Checkout => ({
  ...checkout,
  status,
  wanted: { ...checkout.wanted, email: '' },
  ...(intentId !== undefined && { intentId }),
})

/** A booking of a checkout; `current` is undefined if it is gone. */
interface Part {
  readonly bookingId: string
  readonly current: ListedBooking | undefined
}

const partsOf = ({ bookings }: Ledger, { bookingIds }: Checkout): Part[] =>
  bookingIds.map((bookingId) => ({ bookingId, current: bookings.find(bookingId) }))

/** Nobody paid: the time is free in this moment, and the guest's private link is as it was. */
function end(ledger: Ledger, checkout: Checkout, given: Given): Decision<Settled> {
  const all = partsOf(ledger, checkout)
  const parts = all.map(({ bookingId, current }): SettledPart => {
    const { payment } = current?.booking ?? {}
    const amount = payment?.amount ?? 0
    const ledgerEntries = entryOf(
      ledger,
      checkout,
      { kind: 'expired', bookingId, amount, reference: checkout.sessionId ?? checkout.id },
      given,
    )
    if (current === undefined) return { hostIds: [], writes: { ledgerEntries } }
    const failed = payment && { ...payment, status: 'failed' as const }
    const isOpen = current.booking.status === 'PendingPayment'
    const left = isOpen
      ? leave(ledger, current, 'Expired', failed)
      : { hostIds: [], writes: { updates: [repaid(current, failed)] } }
    return { hostIds: left.hostIds, writes: joinWrites([left.writes, { ledgerEntries }]) }
  })
  const uses = { hostIds: [], writes: linkUses(checkout, all, false) }
  return settled(becomes(checkout, 'expired'), [...parts, uses])
}

interface SettledPart extends Settled {
  readonly writes: Writes
}

function settled(
  after: Checkout,
  parts: readonly SettledPart[],
  jobs: readonly NewJob[] = [],
): Decision<Settled> {
  const writes = joinWrites([...parts.map((part) => part.writes), { checkoutUpdates: [after], jobs }])
  return done({ hostIds: [...new Set(parts.flatMap(({ hostIds }) => hostIds))] }, writes)
}

/** The same booking with another payment. Calendars need no new version of it. */
const repaid = (current: ListedBooking, payment: BookingPayment | undefined): ListedBooking => ({
  ...current,
  booking: { ...current.booking, ...(payment && { payment }) },
})

/** The same booking in another state. */
const changed = (
  current: ListedBooking,
  status: BookingStatus,
  payment: BookingPayment | undefined,
): ListedBooking => {
  const { booking } = repaid(current, payment)
  return { ...current, booking: { ...booking, status, sequence: booking.sequence + 1 } }
}

/** Takes a booking out of its host's time. */
function leave(
  ledger: Ledger,
  current: ListedBooking,
  to: BookingStatus,
  payment: BookingPayment | undefined,
): SettledPart & { readonly after: ListedBooking } {
  const { booking } = current
  const after = changed(current, to, payment)
  return {
    after,
    hostIds: meetingHosts(ledger, current),
    writes: {
      updates: [after],
      ...(!ledger.bookings.hasCompanions(booking) && { freedMeetings: [booking.meetingId] }),
      balances: toBalances(booking.eventTypeId, balancesToday(ledger, current, -1)),
    },
  }
}

interface Told {
  readonly type: BookingChangeType
  readonly by: ChangeAuthor
  readonly previousStatus: BookingStatus | null
  readonly hostIds: readonly string[]
  readonly together?: readonly string[] | undefined
}

const announce = ({ booking }: ListedBooking, { together, ...told }: Told, { now, newId }: Given): NewJob =>
  announcementOf(
    recordOf(booking, newId(), {
      ...told,
      reason: '',
      previousStartsAt: null,
      formerHostIds: [],
      ...(together && { together }),
      at: now,
    }),
  )

type Arrived = Extract<Money, { readonly kind: 'paid' | 'authorised' }>

/** Where a booking that has expired is to be. */
interface Place {
  readonly listed: ListedBooking
  readonly hostIds: readonly string[]
  readonly claims: readonly HostClaim[]
  readonly balances: readonly BalanceChange[]
}

/** Money has come for the first time: what it was meant for stands, or it goes back. */
function take(
  ledger: Ledger,
  checkout: Checkout,
  wanted: WantedSettlement & { readonly money: Arrived },
  given: Given,
): Decision<Settled> {
  const { money } = wanted
  const { now } = given
  const parts = partsOf(ledger, checkout)
  const expired = parts.flatMap(({ current }) => (current?.booking.status === 'Expired' ? [current] : []))
  const places = expired.length > 0 ? placeAgain(ledger, expired, wanted, given) : []
  if ('kind' in places) return places

  const isPaid = money.kind === 'paid'
  const shares = sharesOf(money.amount, parts.length)
  const reference = money.kind === 'paid' ? money.reference : money.intentId
  const kind: LedgerKind = isPaid ? (checkout.isManual ? 'captured' : 'paid') : 'authorised'
  const to = checkout.isManual ? 'PendingApproval' : 'Confirmed'
  const standing = parts.map(({ current }) => {
    if (current === undefined) return undefined
    const { id, status, startsAt, endsAt } = current.booking
    const place = places.find(({ listed }) => listed.booking.id === id)
    if (place !== undefined) return place
    const isOver = (checkout.isManual ? startsAt : endsAt) <= now
    if (status !== 'PendingPayment' || isOver) return undefined
    return { listed: current, hostIds: meetingHosts(ledger, current), claims: [], balances: [] }
  })
  const ids = standing.flatMap((place) => place?.listed.booking.id ?? [])
  const together = (id: string) => (checkout.bookingIds.length > 1 ? (id === ids[0] ? ids : []) : undefined)

  const settledParts = parts.map(({ bookingId, current }, index): SettledPart => {
    const share = shares[index] as number
    const entry = { kind, bookingId, amount: share, reference }
    const ledgerEntries = entryOf(ledger, checkout, entry, given)
    const place = standing[index]
    const payment: BookingPayment = {
      checkoutId: checkout.id,
      currency: checkout.currency,
      status: isPaid ? 'paid' : place ? 'authorised' : 'failed',
      amount: share,
      refunded: current?.booking.payment?.refunded ?? 0,
    }
    if (place === undefined) {
      const booking = { id: bookingId, payment }
      const back = isPaid ? giveBack(ledger, checkout, { booking, upTo: share }, given) : {}
      const left =
        current === undefined
          ? { hostIds: [], writes: {} }
          : current.booking.status === 'PendingPayment'
            ? leave(ledger, current, 'Expired', payment)
            : { hostIds: [], writes: { updates: [repaid(current, payment)] } }
      return { hostIds: left.hostIds, writes: joinWrites([left.writes, { ledgerEntries }, back]) }
    }
    const { listed, hostIds, claims, balances } = place
    const after = changed(listed, to, payment)
    const told = { by: 'guest', previousStatus: null, hostIds, together: together(bookingId) } as const
    const jobs = [announce(after, { ...told, type: 'created' }, given)]
    if (isPaid) jobs.push(announce(after, { ...told, type: 'paid', previousStatus: to }, given))
    const update = checkout.isManual ? { ...after, requestedAt: now } : after
    return { hostIds, writes: { updates: [update], claims, balances, jobs, ledgerEntries } }
  })
  const isRefused = ids.length < parts.length
  const jobs: NewJob[] = []
  if (isRefused) jobs.push(checkoutJob('payment-gone', checkout.id, now))
  if (isRefused && !isPaid) jobs.push(checkoutJob('payment-release', checkout.id, now))
  const after = becomes(checkout, isPaid ? 'paid' : 'authorised', money.intentId)
  const uses = { hostIds: [], writes: linkUses(checkout, parts, ids.length > 0) }
  return settled(after, [...settledParts, uses], jobs)
}

/** A private link is used by what stands. The use of a checkout that has expired was given back. */
function linkUses({ status }: Checkout, parts: readonly Part[], stands: boolean): Writes {
  const linkId = linkOf(parts.flatMap(({ current }) => current ?? []))
  if (linkId === undefined || stands === (status === 'open')) return {}
  return stands ? { spentLinks: [linkId] } : { unspentLinks: [linkId] }
}

/** The same times again, all or none, with hosts who are free then; none if they are gone. */
function placeAgain(
  ledger: Ledger,
  expired: readonly ListedBooking[],
  { again, isGone }: WantedSettlement,
  given: Given,
): readonly Place[] | Exclude<Decision<Settled>, { kind: 'done' }> {
  if (isGone) return []
  // It has just expired: where it may be is to be read first.
  if (again === undefined || !isCurrent(again.bookable, ledger)) return needs({ what: 'settings' })
  const link = ledger.links.find(linkOf(expired) ?? '')
  if (link !== undefined && endOf(link, given.now) === 'used') return refused(deadLink('used'))
  const { zone } = again
  // The guest kept to notice and booking window when they booked.
  const bookable = rulesForHost(again.bookable)
  const starts = expired.map(({ booking }) => booking.startsAt)
  const claimsOf = (hostId: string) => claimsIn(ledger, hostId)
  const { now, found } = given
  const chosen = chooseHosts(ledger, bookable, { starts, zone, claimsOf, now, found })
  if (chosen instanceof Problem) return refused(chosen)
  const { assignment } = chosen
  const places: Place[] = []
  for (const [index, current] of expired.entries()) {
    const group = chosen.groups[index] as Group
    const place = placeOne(ledger, bookable, { current, group, assignment, of: expired.length }, given)
    if ('kind' in place) return place
    places.push(index === 0 ? place : { ...place, balances: [] })
  }
  return places
}

function placeOne(
  ledger: Ledger,
  bookable: BookableEventType,
  {
    current,
    group,
    assignment,
    of,
  }: {
    readonly current: ListedBooking
    readonly group: Group
    readonly assignment: Assignment | undefined
    readonly of: number
  },
  { now, found }: Given,
): Place | Needs | ReturnType<typeof refused> {
  const { booking } = current
  const joined = findJoinedMeeting(bookable, group, booking.startsAt)
  const lack = findLackOfSeats(bookable, joined, partyOf(booking))
  if (lack !== undefined) return refused(lack)
  const need = joined === undefined ? needsCalendars(bookable, group, found) : undefined
  if (need !== undefined) return need
  const again: Booking = { ...booking, meetingId: joined?.meetingId ?? booking.id }
  const hostIds = hostIdsOf(group)
  return {
    listed: {
      ...current,
      booking: again,
      hostId: hostIds[0] as string,
      seat: lowestFreeSeat(ledger, joined),
      seats: bookable.rules.seats,
      assignment: assignment && partOf(assignment, of),
    },
    hostIds,
    claims: joined === undefined ? claimsFor(bookable, group, again) : [],
    balances: assignment ? balancesOf(bookable.eventType.id, assignment, now) : [],
  }
}

/** What was reserved is paid: by those whose meetings stand first, and what is too much goes back. */
function capture(
  ledger: Ledger,
  checkout: Checkout,
  money: Extract<Money, { readonly kind: 'paid' }>,
  given: Given,
): Decision<Settled> {
  const parts = partsOf(ledger, checkout)
  const isStanding = ({ current }: Part) =>
    current !== undefined && standsFor(current.booking.status) && current.booking.payment !== undefined
  const ordered = [...parts.filter(isStanding), ...parts.filter((part) => !isStanding(part))]
  let left = money.amount
  const settledParts = ordered.map((part): SettledPart => {
    const { bookingId, current } = part
    const reserved = current?.booking.payment?.amount ?? sharesOf(checkout.amount, parts.length)[0] ?? 0
    const amount = Math.min(reserved, left)
    left -= amount
    const { reference } = money
    const ledgerEntries = [
      ...entryOf(ledger, checkout, { kind: 'captured', bookingId, amount, reference }, given),
      ...entryOf(
        ledger,
        checkout,
        { kind: 'released', bookingId, amount: reserved - amount, reference },
        given,
      ),
    ]
    const payment: BookingPayment = {
      checkoutId: checkout.id,
      currency: checkout.currency,
      status: amount > 0 ? 'paid' : 'failed',
      amount: amount > 0 ? amount : reserved,
      refunded: current?.booking.payment?.refunded ?? 0,
    }
    const booking = { id: bookingId, payment }
    if (!isStanding(part) || current === undefined) {
      const back = amount > 0 ? giveBack(ledger, checkout, { booking, upTo: amount }, given) : {}
      const updates = current ? [repaid(current, payment)] : []
      return { hostIds: [], writes: joinWrites([{ updates, ledgerEntries }, back]) }
    }
    const after = repaid(current, payment)
    const hostIds = meetingHosts(ledger, current)
    const { status } = current.booking
    const job = announce(after, { type: 'paid', by: 'guest', previousStatus: status, hostIds }, given)
    return { hostIds: [], writes: { updates: [after], ledgerEntries, jobs: [job] } }
  })
  return settled(becomes(checkout, 'paid', money.intentId), settledParts)
}

const standsFor = (status: BookingStatus): boolean =>
  status === 'PendingApproval' || status === 'Confirmed' || status === 'Completed' || status === 'NoShow'

/** What was reserved is so no longer: what it was for can't stand. */
function lapse(
  ledger: Ledger,
  checkout: Checkout,
  money: Extract<Money, { readonly kind: 'released' }>,
  given: Given,
): Decision<Settled> {
  const parts = partsOf(ledger, checkout)
  const ids = parts.flatMap(({ current }) =>
    current && isActive(current.booking) ? [current.booking.id] : [],
  )
  const settledParts = parts.map(({ bookingId, current }): SettledPart => {
    const payment = current?.booking.payment
    const amount = payment?.amount ?? sharesOf(checkout.amount, parts.length)[0] ?? 0
    const entry = { kind: 'released', bookingId, amount, reference: money.intentId } as const
    const ledgerEntries = entryOf(ledger, checkout, entry, given)
    if (current === undefined) return { hostIds: [], writes: { ledgerEntries } }
    const failed = payment && { ...payment, status: 'failed' as const }
    const { status } = current.booking
    if (!isActive(current.booking)) {
      return { hostIds: [], writes: { updates: [repaid(current, failed)], ledgerEntries } }
    }
    const to = status === 'PendingApproval' ? 'Declined' : 'Cancelled'
    const left = leave(ledger, current, to, failed)
    const job = announce(
      left.after,
      {
        type: to === 'Declined' ? 'declined' : 'cancelled',
        by: 'service',
        previousStatus: status,
        hostIds: left.hostIds,
        ...(ids.length > 1 && { together: bookingId === ids[0] ? ids : [] }),
      },
      given,
    )
    return { hostIds: left.hostIds, writes: joinWrites([left.writes, { ledgerEntries, jobs: [job] }]) }
  })
  return settled(becomes(checkout, 'released'), settledParts)
}
