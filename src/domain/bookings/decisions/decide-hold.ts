import { MINUTE } from '../../interval.ts'
import type { BookableEventType } from '../bookable.ts'
import { claimsIn, type Ledger } from '../ledger.ts'
import { type Decision, done, type Given, needs, type Plan, refused } from './decision.ts'
import { chooseGroup, claimsFor, findFreeGroups, isCurrent, questionAbout } from './hosts/placing.ts'
import { slotUnavailable } from './refusals.ts'

/** How long a guest has to fill in the form. */
const HELD_FOR = 5 * MINUTE

/** Live holds of a client on one event type. More would let a few requests block a calendar. */
const MOST_HOLDS = 3

/** A time that is kept for a guest while they fill in the form. */
export interface Hold {
  readonly holdId: string
  readonly expiresAt: number
}

interface WantedHold {
  /** For a meeting of the requested length. */
  readonly bookable: BookableEventType
  readonly startsAt: number
  readonly client: string
  /** Whoever knows it can use or release the hold, so it must not be guessed. */
  readonly id: string
}

/** Keeps a time for a client, as a claim with an end. */
export const planHold = (wanted: WantedHold): Plan<Hold> => ({
  question: {
    ...questionAbout(wanted.bookable, [wanted.startsAt]),
    holdsOf: { eventTypeId: wanted.bookable.eventType.id, client: wanted.client },
  },
  decide: (ledger, given) => decideHold(ledger, wanted, given),
})

function decideHold(
  ledger: Ledger,
  { bookable, startsAt, client, id }: WantedHold,
  { now }: Given,
): Decision<Hold> {
  if (!isCurrent(bookable, ledger)) return needs({ what: 'settings' })
  const free = findFreeGroups(bookable, (hostId) => claimsIn(ledger, hostId), startsAt, now)
  const chosen = chooseGroup(bookable, ledger, free)
  if (chosen === undefined) return refused(slotUnavailable())
  const eventTypeId = bookable.eventType.id
  const expiresAt = ledger.holds.databaseTime + HELD_FOR
  const endsAt = startsAt + bookable.rules.duration
  const claims = claimsFor(bookable, chosen.group, { eventTypeId, meetingId: id, startsAt, endsAt })
  const earlier = ledger.holds.of(eventTypeId, client)
  return done(
    { holdId: id, expiresAt },
    {
      holds: [{ id, eventTypeId, client, claims, expiresAt }],
      freedHolds: earlier.slice(0, Math.max(0, earlier.length + 1 - MOST_HOLDS)),
    },
  )
}
