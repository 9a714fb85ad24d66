import { DAY, MINUTE } from '../../interval.ts'
import { Problem } from '../../problem.ts'
import { sentence } from '../../sentence.ts'
import { findOpenings } from '../../slots/openings.ts'
import { availabilityOf, type BookableEventType } from '../bookable.ts'
import { claimsIn, type Ledger } from '../ledger.ts'
import { type Decision, done, type Given, needs, type Plan, refused } from './decision.ts'
import { chooseGroup, claimsFor, findFreeGroups, isCurrent, questionAbout } from './hosts/placing.ts'
import { slotUnavailable } from './refusals.ts'

/** How long a guest has to fill in the form. */
const HELD_FOR = 5 * MINUTE

/** Live holds of a client on one event type. More would let a few requests block a calendar. */
const MOST_HOLDS = 3

/** Times of a host that can be held at once: this part of what is open, but at least a few. Many clients may be one person. */
const HELD_PART = 1 / 10
const LEAST_HELD = 5

/** What is open is counted from now on for so long. */
const COUNTED = 30 * DAY

/** A time that is kept for a guest while they fill in the form. */
export interface Hold {
  readonly holdId: string
  readonly expiresAt: number
  /** The hosts whose time a hold took that was moved. */
  readonly formerHostIds?: readonly string[]
}

interface WantedHold {
  /** For a meeting of the requested length. */
  readonly bookable: BookableEventType
  readonly startsAt: number
  readonly client: string
  /** Whoever knows it can use or release the hold, so it must not be guessed. */
  readonly id: string
  /** How long it is kept, if not as long as a guest needs. */
  readonly lasts?: number | undefined
  /** Whether the hold with this id moves here, or stays and lasts longer. */
  readonly isMoved?: boolean
}

/** Keeps a time for a client, as a claim with an end. */
export const planHold = (wanted: WantedHold): Plan<Hold> => ({
  question: {
    ...questionAbout(wanted.bookable, [wanted.startsAt]),
    holdsOf: { eventTypeId: wanted.bookable.eventType.id, client: wanted.client },
    heldHosts: wanted.bookable.hostIds,
    ...(wanted.isMoved && { meetingIds: [wanted.id] }),
  },
  decide: (ledger, given) => decideHold(ledger, wanted, given),
})

function decideHold(
  ledger: Ledger,
  { bookable, startsAt, client, id, lasts = HELD_FOR, isMoved = false }: WantedHold,
  { now }: Given,
): Decision<Hold> {
  if (!isCurrent(bookable, ledger)) return needs({ what: 'settings' })
  if (isMoved && !ledger.claims.isHeld(id)) return refused(noSuchHold())
  const others = (hostId: string) => claimsIn(ledger, hostId).filter(({ meetingId }) => meetingId !== id)
  const free = findFreeGroups(bookable, others, startsAt, now)
  const chosen = chooseGroup(bookable, ledger, free)
  if (chosen === undefined) return refused(slotUnavailable())
  const eventTypeId = bookable.eventType.id
  const expiresAt = ledger.holds.databaseTime + lasts
  const endsAt = startsAt + bookable.rules.duration
  const claims = claimsFor(bookable, chosen.group, { eventTypeId, meetingId: id, startsAt, endsAt })
  const earlier = ledger.holds.of(eventTypeId, client).filter((other) => other !== id)
  const replaced = earlier.slice(0, Math.max(0, earlier.length + 1 - MOST_HOLDS))
  const freedHolds = isMoved ? [id, ...replaced] : replaced
  const most = mostHeld(bookable, now)
  const isFull = claims.some(({ hostId }) => {
    return ledger.holds.ofHost(hostId).filter((other) => !freedHolds.includes(other)).length >= most
  })
  if (isFull) return refused(tooManyHeld())
  return done(
    { holdId: id, expiresAt, ...(isMoved && { formerHostIds: ledger.claims.hostsOf(id) }) },
    { holds: [{ id, eventTypeId, client, claims, expiresAt }], freedHolds },
  )
}

/** How many times of a host can be held, by what they have open without their meetings. */
function mostHeld(bookable: BookableEventType, now: number): number {
  const span = { start: now, end: now + COUNTED }
  const { counts } = findOpenings(bookable.rules, availabilityOf(bookable, []), now, span)
  const open = counts.reduce((sum, count) => sum + count, 0)
  return Math.max(LEAST_HELD, Math.floor(open * HELD_PART))
}

export const noSuchHold = () => new Problem('not_found', sentence`There is no such hold.`)

const tooManyHeld = () =>
  new Problem(
    'rate_limited',
    sentence`Too many times are being held just now. You can book without holding a time.`,
    { retryAfter: HELD_FOR / 1000 },
  )
