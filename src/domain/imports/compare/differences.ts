import { type Interval, overlaps } from '../../interval.ts'
import {
  type Asked,
  DIFFERING_RULES,
  type DifferingRule,
  type TheirEvent,
  theirStarts,
} from './their-slots.ts'

/** Why a start is offered in one place and not in the other, besides the rules that differ. */
export const OTHER_REASONS = [
  'booked-here',
  'calendar-here',
  'cancelled-here',
  'booked-there',
  'cancelled-there',
  'unexplained',
] as const

export type Reason = DifferingRule | (typeof OTHER_REASONS)[number]

/** A start that is offered in one place alone. */
export interface Difference {
  readonly startsAt: number
  readonly here: boolean
  readonly there: boolean
  /** Several rules, where none alone explains it. */
  readonly reasons: readonly Reason[]
}

/** What both places offer, and what is known of why. */
export interface Compared {
  readonly event: TheirEvent
  readonly asked: Asked
  readonly here: readonly number[]
  readonly there: readonly number[]
  /** What takes time here and did not come from there, with its buffers. */
  readonly bookedHere: readonly Interval[]
  /** Busy times of connected calendars here, of which rows know nothing. */
  readonly busyHere: readonly Interval[]
  /** Meetings that came from there and are off here. */
  readonly cancelledHere: readonly Interval[]
}

const ALL: ReadonlySet<DifferingRule> = new Set(DIFFERING_RULES)

/** The most differences of one event type that are explained; each may have to be computed for. */
const MOST_TRIED = 2000

/**
 * Lists the starts that are offered in one place alone, each with its reason.
 *
 * A reason is never guessed: with that rule, or with that meeting, their own computation gives what we offer.
 */
export function explainDifferences(compared: Compared): Difference[] {
  const { event, asked } = compared
  const [here, there] = [new Set(compared.here), new Set(compared.there)]
  const models = new Map<string, ReadonlySet<number>>()
  const model = (rules: ReadonlySet<DifferingRule>, of = event, key = '') => {
    const name = `${key} ${[...rules].join(' ')}`
    const known = models.get(name) ?? new Set(theirStarts(of, asked, rules))
    models.set(name, known)
    return known
  }
  const since = new Map<string, TheirEvent | undefined>()
  const all = [...new Set([...here, ...there])].filter((start) => here.has(start) !== there.has(start))
  return all
    .sort((a, b) => a - b)
    .map((startsAt, index) => {
      const found = { startsAt, here: here.has(startsAt), there: there.has(startsAt) }
      const reasons = index < MOST_TRIED ? reasonsFor(found, compared, model, since) : []
      return { ...found, reasons: reasons.length === 0 ? ['unexplained'] : reasons }
    })
}

type Model = (rules: ReadonlySet<DifferingRule>, of?: TheirEvent, key?: string) => ReadonlySet<number>
type Found = Omit<Difference, 'reasons'>

function reasonsFor(
  found: Found,
  compared: Compared,
  model: Model,
  since: Map<string, TheirEvent | undefined>,
): Reason[] {
  const { event, bookedHere, busyHere, cancelledHere } = compared
  const { startsAt, here, there } = found
  const meeting = { start: startsAt - event.bufferBefore, end: startsAt + event.duration + event.bufferAfter }
  if (!here && bookedHere.some((one) => overlaps(one, meeting))) return ['booked-here']
  if (!here && busyHere.some((one) => overlaps(one, meeting))) return ['calendar-here']
  if (model(new Set()).has(startsAt) !== there) return reasonThere(found, compared, since)
  const rules = rulesFor(found, model)
  if (rules.length > 0) return rules
  if (!here || cancelledHere.length === 0) return []
  const without = withoutBookings(event, cancelledHere)
  return model(ALL, without, 'cancelled').has(startsAt) ? ['cancelled-here'] : []
}

/** The rules that make the difference: one, or as few as do it together. */
function rulesFor({ startsAt, here }: Found, model: Model): DifferingRule[] {
  const explains = (rules: readonly DifferingRule[]) => model(new Set(rules)).has(startsAt) === here
  const one = DIFFERING_RULES.find((rule) => explains([rule]))
  if (one !== undefined) return [one]
  if (!explains(DIFFERING_RULES)) return []
  return DIFFERING_RULES.reduce((needed: readonly DifferingRule[], rule) => {
    const fewer = needed.filter((other) => other !== rule)
    return explains(fewer) ? fewer : needed
  }, DIFFERING_RULES) as DifferingRule[]
}

/** What has changed there since it was read: with one meeting more, or one less, it offers what it does. */
function reasonThere(
  { startsAt, there }: Found,
  { event, asked, there: listed }: Compared,
  since: Map<string, TheirEvent | undefined>,
): Reason[] {
  if (there) {
    const near = event.hosts.flatMap(({ bookings }) =>
      bookings.filter((one) => Math.abs(one.start - startsAt) <= NEAR),
    )
    const gone = near.some((one) => theirStarts(withoutBookings(event, [one]), asked).includes(startsAt))
    return gone ? ['cancelled-there'] : []
  }
  const day = { start: startsAt - NEAR, end: startsAt + NEAR }
  const of = (starts: readonly number[]) => starts.filter((start) => start >= day.start && start < day.end)
  const wanted = of(listed).join()
  const candidates = of(theirStarts(event, asked)).filter((start) => !listed.includes(start))
  // The meeting has been where a start was, and explains every start that is gone around it.
  const booked = candidates.slice(0, MOST_CANDIDATES).some((start) => {
    const key = `${start}`
    if (!since.has(key)) since.set(key, withBooking(event, start))
    const with1 = since.get(key)
    return with1 !== undefined && of(theirStarts(with1, { ...asked, span: day })).join() === wanted
  })
  return booked ? ['booked-there'] : []
}

const NEAR = 6 * 60 * 60_000
const MOST_CANDIDATES = 40

function withBooking(event: TheirEvent, start: number): TheirEvent {
  const { id: eventType, duration, bufferBefore, bufferAfter } = event
  return {
    ...event,
    hosts: event.hosts.map((host) => ({
      ...host,
      bookings: [
        ...host.bookings,
        {
          id: '',
          start,
          end: start + duration,
          eventType,
          host: host.id,
          bufferBefore,
          bufferAfter,
          seatsLeft: null,
        },
      ],
    })),
  }
}

function withoutBookings(event: TheirEvent, gone: readonly Interval[]): TheirEvent {
  const isGone = (booking: Interval) =>
    gone.some(({ start, end }) => start === booking.start && end === booking.end)
  return {
    ...event,
    hosts: event.hosts.map((host) => ({ ...host, bookings: host.bookings.filter((one) => !isGone(one)) })),
  }
}

/** How many starts an event type loses here, and how many it gains, by its rules there and by ours. */
export function countGainedAndLost(
  event: TheirEvent,
  asked: Asked,
): { readonly gained: number; readonly lost: number } {
  const [there, here] = [new Set(theirStarts(event, asked)), new Set(theirStarts(event, asked, ALL))]
  return { gained: here.difference(there).size, lost: there.difference(here).size }
}
