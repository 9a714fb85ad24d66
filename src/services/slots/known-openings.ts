import { availabilityOf, type BookableEventType } from '../../domain/bookings/bookable.ts'
import { DAY, type Interval, MINUTE } from '../../domain/interval.ts'
import { claimSpan, findOpenings, type Openings, openingsExpireAt } from '../../domain/slots/openings.ts'
import { LAST_KNOWN_INSTANT } from '../../domain/zone.ts'
import type { KeptOpenings } from '../../format/kept-groups.ts'
import { MAX_STALENESS } from './bookable.ts'
import type { Changes } from './changes.ts'
import { bookedIdsIn, type Claims, type ListedClaims } from './claims.ts'
import { type OrPromise, then } from './then.ts'

/** Openings, and until when they stay true if nothing is booked or changed by this process. */
export interface Known {
  /** Openings, or consecutive kept ones, which cover more than the request: only starts in `within` count. */
  readonly openings: Openings | { readonly kept: readonly KeptOpenings[]; readonly within: Interval }
  readonly expiresAt: number
}

/** Found together, so that listings of different dates share them. */
const STRETCH = 32 * DAY

interface Stretch extends KeptOpenings {
  readonly expiresAt: number
  /** Ids whose bookings make it stale. */
  readonly bookedIds: readonly string[]
  /** Up to here, none of them was booked. */
  mark: number
}

/** What is known of an event type. */
interface Kept {
  /** How often it was requested, and since when. */
  times: number
  since: number
  /** By the length of the meeting and the number of the stretch. */
  readonly stretches: Map<number, Stretch>
}

/** After so few requests within 0.8 s, an event type is not worth its stretches. */
const FEW_REQUESTS = 4

/** Runs of starts and ids together: 6 megabytes for single hosts, 14 for teams of 500. Beyond that, all are forgotten. */
const MOST_KEPT = 200_000

/** More than there are stretches until the last instant of a zone. */
const MOST_STRETCHES = 4096

interface Parts {
  readonly now: () => number
  readonly bookings: Changes
  readonly claims: Claims
}

/**
 * The openings of event types that are listed again and again, whatever the dates and the guest's zone.
 *
 * Without it, listings that all differ, of ten hosts with 40 bookings a month each, take 23 % more of the processor.
 */
export class KnownOpenings {
  readonly #parts: Parts
  /** By the groups of hosts, which stay the same object until the event type is read again. */
  #kept = new WeakMap<BookableEventType['groups'], Kept>()
  #size = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The openings of an event type that is fresh: at most a second old, and never older than a booking made here. */
  get(bookable: BookableEventType, span: Interval): OrPromise<Known> {
    const now = this.#parts.now()
    const kept = this.#keptOf(bookable)
    if (now >= kept.since + MAX_STALENESS) Object.assign(kept, { times: 0, since: now })
    kept.times++
    return kept.times > FEW_REQUESTS ? this.#getKept(bookable, kept, now, span) : this.#find(bookable, span)
  }

  /** Only what is needed now: finding whole stretches takes longer. */
  #find(bookable: BookableEventType, span: Interval): OrPromise<Known> {
    const { claims, now } = this.#parts
    return then(claims.get(bookable, claimSpan(bookable.rules, span)), (listed) =>
      findKnown(bookable, listed, now(), span),
    )
  }

  #getKept(bookable: BookableEventType, kept: Kept, now: number, { start, end }: Interval): OrPromise<Known> {
    const span = { start: Math.max(start, now), end: Math.min(end, LAST_KNOWN_INSTANT) }
    const first = Math.floor(span.start / STRETCH)
    const key = (bookable.rules.duration / MINUTE) * MOST_STRETCHES
    const stretches: (Stretch | undefined)[] = []
    let missing: Interval | undefined
    for (let i = first; i * STRETCH < span.end; i++) {
      const stretch = this.#fresh(kept.stretches.get(key + i), now)
      stretches.push(stretch)
      if (stretch === undefined) missing = { start: (missing ?? spanOf(i)).start, end: spanOf(i).end }
    }
    if (missing === undefined) return together(stretches as Stretch[], span)
    // Taken before the claims are read: a booking in the meantime makes them stale at once.
    const { mark } = this.#parts.bookings
    return then(this.#parts.claims.get(bookable, claimSpan(bookable.rules, missing)), (listed) => {
      const all = stretches.map((stretch, i) => {
        if (stretch !== undefined) return stretch
        const found = findKnown(bookable, listed, this.#parts.now(), spanOf(first + i))
        const bookedIds = bookedIdsIn(bookable.hostIds, claimSpan(bookable.rules, spanOf(first + i)))
        return this.#keep(kept, key + first + i, { ...found, written: [], bookedIds, mark })
      })
      return together(all, span)
    })
  }

  #keptOf({ groups }: BookableEventType): Kept {
    let kept = this.#kept.get(groups)
    if (kept === undefined) {
      kept = { times: 0, since: -Infinity, stretches: new Map() }
      this.#kept.set(groups, kept)
    }
    return kept
  }

  #fresh(stretch: Stretch | undefined, now: number): Stretch | undefined {
    const { bookings } = this.#parts
    if (stretch === undefined || now >= stretch.expiresAt) return undefined
    if (!bookings.noneSince(stretch.mark, stretch.bookedIds)) return undefined
    stretch.mark = bookings.mark
    return stretch
  }

  #keep({ stretches }: Kept, key: number, stretch: Stretch): Stretch {
    const before = stretches.get(key)
    this.#size += sizeOf(stretch) - (before === undefined ? 0 : sizeOf(before))
    stretches.set(key, stretch)
    if (this.#size > MOST_KEPT) {
      this.#kept = new WeakMap()
      this.#size = 0
    }
    return stretch
  }
}

const spanOf = (stretch: number): Interval => ({ start: stretch * STRETCH, end: (stretch + 1) * STRETCH })

const sizeOf = ({ openings, bookedIds }: Stretch) => openings.firsts.length + bookedIds.length + 1

/** What these claims leave open. */
export function findKnown(
  bookable: BookableEventType,
  listed: ListedClaims,
  now: number,
  span: Interval,
): Known & { readonly openings: Openings } {
  const { rules } = bookable
  const groups = availabilityOf(bookable, listed.taken)
  const openings = findOpenings(rules, groups, now, span)
  const expiresAt = Math.min(listed.freshUntil, openingsExpireAt(rules, groups, now, openings))
  return { openings, expiresAt }
}

function together(kept: readonly Stretch[], within: Interval): Known {
  let expiresAt = Infinity
  for (const stretch of kept) expiresAt = Math.min(expiresAt, stretch.expiresAt)
  return { openings: { kept, within }, expiresAt }
}
