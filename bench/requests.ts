import { type DayNumber, formatDate } from '../src/domain/calendar-date.ts'
import { formatInstant } from '../src/domain/instant.ts'
import { MINUTE } from '../src/domain/interval.ts'
import { eventType, FIRST_DAY, MONTH_DAYS } from './calendar.ts'
import { slugOf } from './seed.ts'

/** Where a host's slots of these dates are listed for that guest. */
export function listingPath(host: number, first: DayNumber, days: number, timeZone: string): string {
  const query = `dateFrom=${formatDate(first)}&dateTo=${formatDate(first + days - 1)}&timezone=${timeZone}`
  return `/api/public/scheduling/${slugOf(host)}/${eventType.slug}/slots?${query}`
}

export const getRequest = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`

/** The same month of one host, for the same guest. */
export const monthPath = (host: number) => listingPath(host, FIRST_DAY, MONTH_DAYS, 'America/New_York')

const ZONES = Intl.supportedValuesOf('timeZone')
const LENGTHS = [30, 31, 32, 33]

/** How many days `variedListings` looks ahead. */
export const VARIED_DAYS = 700

/**
 * Requests for about a month of these hosts' slots, no two of them alike.
 *
 * The number of days, the first one, the guest's zone and the host all change
 * from each to the next.
 */
export function* variedListings(hosts: readonly number[]): Generator<string, never> {
  const firstDays = VARIED_DAYS - 40
  const total = ZONES.length * LENGTHS.length * firstDays * hosts.length
  for (let i = 0; ; i++) {
    if (i === total) throw new RangeError('there are no more different listings')
    // Far enough apart, and a prime: every combination comes up once before any comes again.
    let rest = (i * 7_368_787) % total
    const take = (count: number) => {
      const taken = rest % count
      rest = Math.floor(rest / count)
      return taken
    }
    const host = hosts[take(hosts.length)] as number
    const zone = ZONES[take(ZONES.length)] as string
    const length = LENGTHS[take(LENGTHS.length)] as number
    yield getRequest(listingPath(host, FIRST_DAY + take(firstDays), length, zone))
  }
}

/** Requests to book: every start of every one of these hosts, once; one host after another, then the next start. */
export function* bookings(hosts: readonly number[], starts: Iterable<number>): Generator<string, never> {
  for (const startsAt of starts) {
    for (const host of hosts) yield bookRequest(host, startsAt)
  }
  throw new RangeError('there are no more slots to book')
}

let guests = 0

function bookRequest(host: number, startsAt: number): string {
  const guest = ++guests
  const body = JSON.stringify({
    startTime: formatInstant(startsAt),
    endTime: formatInstant(startsAt + eventType.durationMinutes * MINUTE),
    inviteeName: 'Grace Guest',
    inviteeEmail: `guest-${guest}@guests.example`,
    inviteeTimezone: 'Europe/Berlin',
    inviteeNotes: 'Looking forward to it.',
  })
  return [
    `POST /api/public/scheduling/${slugOf(host)}/${eventType.slug}/book HTTP/1.1`,
    'Host: 127.0.0.1',
    // An address of its own, out of the rate limit's way.
    `X-Forwarded-For: 10.${(guest >> 16) & 255}.${(guest >> 8) & 255}.${guest & 255}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}

/** The next `count` of them. */
export function take<T>(source: Iterator<T, never>, count: number): T[] {
  return Array.from({ length: count }, () => source.next().value)
}
