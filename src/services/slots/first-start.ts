import { type BookableEventType, type BookableHost, ofLength } from '../../domain/bookings/bookable.ts'
import { offeredDurations } from '../../domain/event-types/durations.ts'
import { DAY, type Interval } from '../../domain/interval.ts'
import { claimSpan, findOpenings, type HostAvailability } from '../../domain/slots/openings.ts'
import type { Claims, ListedClaims } from './claims.ts'
import { type OrPromise, then } from './then.ts'

/** Most hosts have a free time this soon, so it is looked at first. */
const SOON = 7 * DAY

/** Openings are found in at most so much at once. */
const STRETCH = 60 * DAY

type Group = readonly BookableHost[]

/** Whether hosts of an event type have any free time, by the rules and the caches of its listing. */
export class FirstStarts {
  readonly #claims: Claims
  readonly #now: () => number

  constructor(claims: Claims, now: () => number) {
    this.#claims = claims
    this.#now = now
  }

  /** Whether one of these groups of hosts has a start within the booking window, at most this far ahead. */
  async has(bookable: BookableEventType, groups: readonly Group[], ahead: number): Promise<boolean> {
    const [first, ...others] = groups
    if (first === undefined) return false
    const { eventType } = bookable
    const lengths = new Set([eventType.durationMinutes, ...offeredDurations(eventType)])
    for (const minutes of lengths) {
      const sized = ofLength(bookable, minutes)
      // One host at first: reading the claims of hundreds would be in vain if that host is free.
      if (await this.#isAnyFree(sized, [first], ahead)) return true
      if (others.length > 0 && (await this.#isAnyFree(sized, others, ahead))) return true
    }
    return false
  }

  #isAnyFree(bookable: BookableEventType, groups: readonly Group[], ahead: number): OrPromise<boolean> {
    const { rules } = bookable
    const now = this.#now()
    const hostIds = [...new Set(groups.flat().map(({ hostId }) => hostId))]
    const horizon = { start: now, end: now + ahead }
    const decide = ({ taken }: ListedClaims) => {
      const claims = new Map(taken.map((time) => [time.hostId, time.claims]))
      const availability = ({ hostId, schedule }: BookableHost): HostAvailability => ({
        hostId,
        schedule,
        claims: claims.get(hostId) ?? [],
        absences: bookable.absences.get(hostId) ?? [],
        busyTimes: bookable.busyTimes.get(hostId) ?? [],
      })
      return stretchesOf(horizon).some((span) =>
        groups.some((group) => findOpenings(rules, [group.map(availability)], now, span).firsts.length > 0),
      )
    }
    const listed = this.#claims.get({ ...bookable, hostIds }, claimSpan(rules, horizon))
    return then(listed, decide)
  }
}

/** The next days, then the rest in stretches. */
function stretchesOf({ start, end }: Interval): Interval[] {
  const stretches = [{ start, end: Math.min(start + SOON, end) }]
  for (let from = start + SOON; from < end; from += STRETCH) {
    stretches.push({ start: from, end: Math.min(from + STRETCH, end) })
  }
  return stretches
}
