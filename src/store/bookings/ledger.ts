import type { Turn } from '../../domain/bookings/assignment.ts'
import type { Booking, BookingStatus } from '../../domain/bookings/booking.ts'
import type { ChangeRecord } from '../../domain/bookings/change.ts'
import { partyOf } from '../../domain/bookings/guests.ts'
import type { PrivateLink } from '../../domain/bookings/private-link.ts'
import { isActive } from '../../domain/bookings/states.ts'
import type { RoutedResponse } from '../../domain/forms/route.ts'
import type { Interval } from '../../domain/interval.ts'
import type { NewJob } from '../../domain/job.ts'
import { guestKey } from '../../domain/people/guest-key.ts'
import type { Claim } from '../../domain/slots/openings.ts'
import type { AuditEntry } from '../people/audit.ts'
import type { RememberedAnswer } from './idempotency-keys.ts'
import type { ListedBooking } from './list.ts'
import type { NewBooking } from './rows.ts'

/** What a decision about bookings has to know. Everything is read after the hosts are locked. */
export interface Question {
  /** Hosts to lock. */
  readonly hostIds: readonly string[]
  /** Meetings whose hosts are locked as well. */
  readonly meetingIds?: readonly string[]
  /** Users and teams whose settings the decision depends on. */
  readonly dependsOn?: readonly string[]
  /** Claims of `hostIds` that touch one of these spans, buffers included. */
  readonly spans?: readonly Interval[]
  /** Read the taken seats of meetings of `hostIds` at these starts. */
  readonly seatsAt?: readonly number[]
  /** Read and lock the balances of this event type's round robin. */
  readonly turnsOf?: string
  readonly bookingIds?: readonly string[]
  /** Read the announcements of these bookings that have not been made yet. */
  readonly unannouncedIds?: readonly string[]
  /** Bookings of these guests, of any host, that begin at `from` or later, and mails that they got as others' guests. */
  readonly guests?: { readonly keys: readonly string[]; readonly from: number }
  /** The answer that was given to this `Idempotency-Key`. */
  readonly retry?: { readonly eventTypeId: string; readonly key: string }
  /** The private link that the guest came with. */
  readonly linkId?: string
  /** The response to a routing form that the guest came with. */
  readonly responseId?: string
  /** The code that was mailed to this address for this event type. */
  readonly emailCode?: { readonly eventTypeId: string; readonly address: string }
  /** Live holds of this client on this event type. */
  readonly holdsOf?: { readonly eventTypeId: string; readonly client: string }
}

/** What a decision writes. All of it is committed, or nothing. */
export interface Writes {
  readonly bookings?: readonly NewBooking[]
  /** Mails to those whom a guest brings. */
  readonly guestMails?: readonly GuestMail[]
  readonly updates?: readonly UpdatedBooking[]
  readonly claims?: readonly HostClaim[]
  /** Meetings that no longer take anyone's time. Their claims go before new ones come. */
  readonly freedMeetings?: readonly string[]
  readonly jobs?: readonly NewJob[]
  /** Announcements that are not to be made after all. */
  readonly withdrawnJobs?: readonly number[]
  readonly audit?: readonly AuditEntry[]
  readonly answers?: readonly RememberedAnswer[]
  readonly balances?: readonly BalanceChange[]
  /** Codes that were used, which proves their addresses. */
  readonly usedCodes?: readonly MailedCode[]
  /** Codes of which a try is used up. */
  readonly failedCodes?: readonly MailedCode[]
  readonly holds?: readonly NewHold[]
  /** Holds that end now. */
  readonly freedHolds?: readonly string[]
  /** Private links of which a use is spent. */
  readonly spentLinks?: readonly string[]
  /** Responses to routing forms that were used to book. */
  readonly spentResponses?: readonly SpentResponse[]
}

/** A response to a routing form, and what was booked with it. */
export interface SpentResponse {
  readonly id: string
  readonly bookingId: string
}

/** What is known of another booking of a guest. */
export interface GuestBooking {
  readonly id: string
  /** What all addresses of the guest's mailbox share. */
  readonly guest: string
  readonly eventTypeId: string
  readonly status: BookingStatus
  readonly startsAt: number
  readonly createdAt: number
  readonly source: Booking['source']
  /** Null unless it was booked in a series. */
  readonly seriesId: string | null
}

/** An invitation to someone whom a guest brings. */
export interface GuestMail {
  readonly bookingId: string
  /** Their place in the booking's list. */
  readonly position: number
  /** What all addresses of their mailbox share. */
  readonly guest: string
  readonly sentAt: number
}

/** These bookings, with one for each series. */
export function oncePerSeries(bookings: readonly GuestBooking[]): GuestBooking[] {
  return [...new Map(bookings.map((booking) => [booking.seriesId ?? booking.id, booking])).values()]
}

export interface UpdatedBooking extends ListedBooking {
  /** When a guest asked for approval again; undefined: unchanged. */
  readonly requestedAt?: number
  /** Written after the updates before it: it takes the time that one of them leaves, and one guest can't have both. */
  readonly after?: true
}

export interface HostClaim {
  readonly hostId: string
  readonly claim: Claim
  /** Set for a hold, by whether it still takes time. */
  readonly hold?: 'live' | 'over'
}

/** A code that was mailed to an address. */
export interface MailedCode {
  readonly eventTypeId: string
  readonly address: string
  readonly codeHash: string
  readonly tries: number
  readonly expiresAt: number
}

/** A time that is kept for a client until an instant of the database's clock. */
export interface NewHold {
  readonly id: string
  readonly eventTypeId: string
  readonly client: string
  readonly claims: readonly HostClaim[]
  readonly expiresAt: number
}

/** A hold as it was read, by its client. */
export type ListedHold = Pick<NewHold, 'id' | 'eventTypeId' | 'client' | 'expiresAt'>

/** A change to what a round robin owes a host. */
export interface BalanceChange {
  readonly eventTypeId: string
  readonly hostId: string
  readonly by: number
  /** Set if the host was given a meeting. */
  readonly assignedAt?: number
}

/** An announcement that still waits in the outbox. */
export interface Unannounced {
  readonly jobId: number
  readonly record: ChangeRecord
}

/** What was read, by kind. */
export interface LedgerContents {
  readonly lockedIds: ReadonlySet<string>
  readonly revisions: ReadonlyMap<string, number>
  readonly claims: readonly HostClaim[]
  readonly seats: readonly TakenSeats[]
  /** Of hosts who take turns. */
  readonly turns: readonly (Turn & { readonly eventTypeId: string })[]
  readonly bookings: readonly ListedBooking[]
  readonly companions: readonly Companion[]
  readonly answers: readonly RememberedAnswer[]
  readonly unannounced: readonly Unannounced[]
  readonly guestBookings: readonly GuestBooking[]
  readonly links: readonly PrivateLink[]
  readonly responses: readonly RoutedResponse[]
  readonly codes: readonly MailedCode[]
  readonly holds: readonly ListedHold[]
  /** By the database's clock; read for a new hold. */
  readonly databaseTimes: readonly number[]
  readonly guestMails: readonly GuestMail[]
}

/** The seats of one booking: its own, and one for each of its guests. */
export interface TakenSeats {
  readonly meetingId: string
  readonly seat: number
  readonly party: number
}

export interface Companion {
  readonly id: string
  readonly meetingId: string
  readonly status: BookingStatus
}

/**
 * What is booked with the locked hosts, kept up to date with what this transaction is about to write.
 *
 * Several decisions share one transaction, so each must see what those before it decided.
 */
export class Ledger {
  readonly #lockedIds: ReadonlySet<string>
  readonly #revisions: ReadonlyMap<string, number>
  readonly #claims = new Map<string, Claim[]>()
  /** By meeting: the seat of each booking, with the number of people who come. */
  readonly #seats = new Map<string, Map<number, number>>()
  /** By event type, then by host. */
  readonly #turns = new Map<string, Map<string, Turn>>()
  readonly #bookings = new Map<string, ListedBooking>()
  readonly #companions: Companion[]
  readonly #answers: RememberedAnswer[]
  readonly #unannounced: Unannounced[]
  readonly #guestBookings: Map<string, GuestBooking>
  readonly #links: Map<string, PrivateLink>
  readonly #responses: Map<string, RoutedResponse>
  /** The holds of `#claims`. */
  readonly #live = new Set<string>()
  readonly #over: HostClaim[] = []
  readonly #holds: ListedHold[]
  readonly #databaseTimes: readonly number[]
  readonly #guestMails: GuestMail[]
  readonly #codes: Map<string, MailedCode>

  constructor(contents: LedgerContents) {
    this.#lockedIds = contents.lockedIds
    this.#revisions = contents.revisions
    for (const claim of contents.claims) {
      if (claim.hold === 'over') this.#over.push(claim)
      else this.#addClaim(claim)
      if (claim.hold === 'live') this.#live.add(claim.claim.meetingId)
    }
    this.#holds = contents.holds.toSorted((a, b) => a.expiresAt - b.expiresAt)
    this.#databaseTimes = contents.databaseTimes
    this.#codes = new Map(contents.codes.map((code) => [`${code.eventTypeId} ${code.address}`, code]))
    for (const { meetingId, seat, party } of contents.seats) this.#seatsOf(meetingId).set(seat, party)
    for (const { eventTypeId, ...turn } of contents.turns) {
      const turns = this.#turns.get(eventTypeId) ?? new Map()
      this.#turns.set(eventTypeId, turns.set(turn.hostId, turn))
    }
    for (const listed of contents.bookings) this.#bookings.set(listed.booking.id, listed)
    this.#companions = [...contents.companions]
    this.#answers = [...contents.answers]
    this.#unannounced = [...contents.unannounced]
    this.#guestMails = [...contents.guestMails]
    this.#guestBookings = new Map(contents.guestBookings.map((booking) => [booking.id, booking]))
    this.#links = new Map(contents.links.map((link) => [link.id, link]))
    this.#responses = new Map(contents.responses.map((response) => [response.id, response]))
  }

  /** Whether this transaction has locked all hosts that a question is about. */
  holds({ hostIds, meetingIds = [] }: Question): boolean {
    const held = (id: string) => this.#lockedIds.has(id)
    return hostIds.every(held) && meetingIds.every((id) => this.hostsOf(id).every(held))
  }

  /** Grows with every change to what a user or team offers; undefined if there is no such scheduler. */
  revisionOf(id: string): number | undefined {
    return this.#revisions.get(id)
  }

  claimsOf(hostId: string): readonly Claim[] {
    const claims = this.#claims.get(hostId) ?? []
    if (this.#seats.size === 0) return claims
    return claims.map((claim) => {
      const seats = this.#seats.get(claim.meetingId)
      return seats === undefined ? claim : { ...claim, seatsTaken: peopleIn(seats) }
    })
  }

  /** The hosts whose time a meeting takes. */
  hostsOf(meetingId: string): string[] {
    const attends = ([, claims]: [string, Claim[]]) => claims.some((claim) => claim.meetingId === meetingId)
    return [...this.#claims]
      .filter(attends)
      .map(([hostId]) => hostId)
      .sort()
  }

  takenSeats(meetingId: string): ReadonlySet<number> {
    return new Set(this.#seats.get(meetingId)?.keys())
  }

  /** The hosts who take turns, for a question with `turnsOf`. */
  turnsOf(eventTypeId: string): readonly Turn[] {
    return [...(this.#turns.get(eventTypeId)?.values() ?? [])]
  }

  find(bookingId: string): ListedBooking | undefined {
    return this.#bookings.get(bookingId)
  }

  /** Whether other guests are in the same meeting. */
  hasCompanions({ id, meetingId }: Pick<Booking, 'id' | 'meetingId'>): boolean {
    return this.#companions.some((other) => {
      return other.meetingId === meetingId && other.id !== id && isActive(other)
    })
  }

  /** The active bookings of a meeting. */
  activeIn(meetingId: string): string[] {
    return this.#companions
      .filter((other) => other.meetingId === meetingId && isActive(other))
      .map(({ id }) => id)
  }

  answerTo(eventTypeId: string, key: string): RememberedAnswer | undefined {
    return this.#answers.find((answer) => answer.eventTypeId === eventTypeId && answer.key === key)
  }

  /** The announcement of this booking's present state, if it still waits. */
  unannouncedOf({ id, sequence }: Pick<Booking, 'id' | 'sequence'>): Unannounced | undefined {
    return this.#unannounced.find(({ record }) => record.bookingId === id && record.sequence === sequence)
  }

  /** This guest's bookings, of any host. */
  bookingsOf(guest: string): GuestBooking[] {
    return [...this.#guestBookings.values()].filter((booking) => booking.guest === guest)
  }

  /** Claims of holds that have ended. They take no time, but the database still refuses others beside them. */
  get endedHolds(): readonly HostClaim[] {
    return this.#over
  }

  /** Whether this claim is a hold with that id, and not a booking. */
  isHold({ meetingId }: Claim, holdId: string): boolean {
    return meetingId === holdId && this.#live.has(meetingId)
  }

  /** A client's live holds, the oldest first. */
  holdsOf(eventTypeId: string, client: string): string[] {
    return this.#holds
      .filter((hold) => hold.eventTypeId === eventTypeId && hold.client === client)
      .map(({ id }) => id)
  }

  /** Milliseconds since 1970 by the database's clock, for a question with `holdsOf`. */
  get databaseTime(): number {
    return this.#databaseTimes[0] as number
  }

  findCode(eventTypeId: string, address: string): MailedCode | undefined {
    return this.#codes.get(`${eventTypeId} ${address}`)
  }

  findLink(id: string): PrivateLink | undefined {
    return this.#links.get(id)
  }

  findResponse(id: string): RoutedResponse | undefined {
    return this.#responses.get(id)
  }

  /** Mails that this guest got because others brought them. */
  mailsTo(guest: string): GuestMail[] {
    return this.#guestMails.filter((mail) => mail.guest === guest)
  }

  /** Adds what a decision writes, for the next one to see. */
  apply(writes: Writes): void {
    for (const meetingId of [...(writes.freedMeetings ?? []), ...(writes.freedHolds ?? [])]) {
      this.#free(meetingId)
      const at = this.#holds.findIndex(({ id }) => id === meetingId)
      if (at >= 0) this.#holds.splice(at, 1)
    }
    for (const hold of writes.holds ?? []) {
      for (const claim of hold.claims) this.#addClaim(claim)
      this.#live.add(hold.id)
      this.#holds.push(hold)
    }
    for (const claim of writes.claims ?? []) this.#addClaim(claim)
    for (const listed of [...(writes.updates ?? []), ...(writes.bookings ?? [])]) this.#note(listed)
    for (const { eventTypeId, hostId, by, assignedAt } of writes.balances ?? []) {
      const turn = this.#turns.get(eventTypeId)?.get(hostId)
      if (turn === undefined) continue
      const balance = turn.balance + by
      const lastAssignedAt = assignedAt ?? turn.lastAssignedAt
      this.#turns.get(eventTypeId)?.set(hostId, { ...turn, balance, lastAssignedAt })
    }
    this.#answers.push(...(writes.answers ?? []))
    for (const { eventTypeId, address } of writes.usedCodes ?? []) {
      this.#codes.delete(`${eventTypeId} ${address}`)
    }
    for (const code of writes.failedCodes ?? []) {
      this.#codes.set(`${code.eventTypeId} ${code.address}`, { ...code, tries: code.tries + 1 })
    }
    for (const id of writes.spentLinks ?? []) {
      const link = this.#links.get(id)
      if (link !== undefined) this.#links.set(id, { ...link, used: link.used + 1 })
    }
    for (const { id, bookingId } of writes.spentResponses ?? []) {
      const response = this.#responses.get(id)
      if (response !== undefined) this.#responses.set(id, { ...response, bookingId })
    }
    this.#guestMails.push(...(writes.guestMails ?? []))
    for (const { booking } of writes.bookings ?? []) {
      const { id, eventTypeId, status, startsAt, createdAt, invitee, source } = booking
      const guest = guestKey(invitee.email)
      const seriesId = booking.series?.id ?? null
      this.#guestBookings.set(id, { id, guest, eventTypeId, status, startsAt, createdAt, source, seriesId })
    }
  }

  #note(listed: ListedBooking): void {
    const { id, meetingId, status } = listed.booking
    const before = this.#bookings.get(id)
    if (before !== undefined) this.#seats.get(before.booking.meetingId)?.delete(before.seat)
    if (listed.seats > 1 && isActive(listed.booking)) {
      this.#seatsOf(meetingId).set(listed.seat, partyOf(listed.booking))
    }
    this.#bookings.set(id, listed)
    const index = this.#companions.findIndex((companion) => companion.id === id)
    this.#companions.splice(index < 0 ? this.#companions.length : index, 1, { id, meetingId, status })
  }

  #addClaim({ hostId, claim }: HostClaim): void {
    const claims = this.#claims.get(hostId)
    if (claims === undefined) this.#claims.set(hostId, [claim])
    else claims.push(claim)
  }

  #free(meetingId: string): void {
    for (const [hostId, claims] of this.#claims) {
      this.#claims.set(
        hostId,
        claims.filter((claim) => claim.meetingId !== meetingId),
      )
    }
  }

  #seatsOf(meetingId: string): Map<number, number> {
    let seats = this.#seats.get(meetingId)
    if (seats === undefined) {
      seats = new Map()
      this.#seats.set(meetingId, seats)
    }
    return seats
  }
}

const peopleIn = (seats: ReadonlyMap<number, number>) =>
  [...seats.values()].reduce((sum, party) => sum + party, 0)
