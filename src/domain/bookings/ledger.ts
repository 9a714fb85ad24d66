import type { Claim } from '../slots/openings.ts'
import { Announcements } from './facts/announcements.ts'
import { Answers } from './facts/answers.ts'
import { Audit } from './facts/audit.ts'
import { Bookings } from './facts/bookings.ts'
import { Checkouts } from './facts/checkouts.ts'
import { Claims } from './facts/claims.ts'
import { Codes } from './facts/codes.ts'
import { Guests } from './facts/guests.ts'
import { Holds } from './facts/holds.ts'
import { Links } from './facts/links.ts'
import { Responses } from './facts/responses.ts'
import { Schedulers } from './facts/schedulers.ts'
import { Seats } from './facts/seats.ts'
import { Turns } from './facts/turns.ts'

/** A ledger without facts. This is the list of their kinds: a question asks for some, and writes change them. */
export const emptyLedger = () => ({
  schedulers: new Schedulers(),
  claims: new Claims(),
  seats: new Seats(),
  turns: new Turns(),
  bookings: new Bookings(),
  checkouts: new Checkouts(),
  answers: new Answers(),
  guests: new Guests(),
  links: new Links(),
  responses: new Responses(),
  codes: new Codes(),
  holds: new Holds(),
  audit: new Audit(),
  announcements: new Announcements(),
})

/** What a decision knows, kept up to date with what the decisions before it are about to write. */
export type Ledger = Readonly<ReturnType<typeof emptyLedger>>

type Kind = Ledger[keyof Ledger]

/** Everything that the parts of a union have, in one type. */
type All<Parts> = (Parts extends unknown ? (all: Parts) => void : never) extends (all: infer Both) => void
  ? { [Name in keyof Both]: Both[Name] }
  : never

/** What a decision has to know: one part for each kind of fact. All of it is read after the hosts are locked. */
export type Question = All<Kind['asked']>

/** What a decision writes, in lists. All of it is committed, or nothing. */
export type Writes = All<Kind['written']>

/** Adds what a decision writes, for the next one to see. */
export function applyWrites(ledger: Ledger, writes: Writes): void {
  for (const fact of Object.values(ledger)) fact.apply(writes)
}

/** What several decisions write, as one. */
export function joinWrites(all: readonly Writes[]): Writes {
  const joined: Record<string, unknown[]> = {}
  for (const writes of all) {
    for (const [name, items] of Object.entries(writes)) {
      const list = joined[name] ?? []
      list.push(...items)
      joined[name] = list
    }
  }
  return joined
}

/** Whether all hosts that a question is about are locked. */
export function hasLocked({ schedulers, claims }: Ledger, { hostIds, meetingIds = [] }: Question): boolean {
  return [...hostIds, ...meetingIds.flatMap((id) => claims.hostsOf(id))].every((id) =>
    schedulers.isLocked(id),
  )
}

/** What takes a host's time, with the seats that are taken. */
export function claimsIn({ claims, seats }: Ledger, hostId: string): Claim[] {
  return claims.of(hostId).map((claim) => {
    const people = seats.peopleIn(claim.meetingId)
    return people === undefined ? claim : { ...claim, seatsTaken: people }
  })
}
