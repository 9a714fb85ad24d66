import { type DayNumber, formatDate } from '../src/domain/calendar-date.ts'
import { formatInstant } from '../src/domain/instant.ts'
import { MINUTE } from '../src/domain/interval.ts'
import { eventType, FIRST_DAY, MONTH_DAYS } from './calendar.ts'
import { slugOf } from './seed.ts'

/** The path of a host's slots on these dates, for a guest in this time zone. */
export function listingPath(host: number, first: DayNumber, days: number, timeZone: string): string {
  const query = `dateFrom=${formatDate(first)}&dateTo=${formatDate(first + days - 1)}&timezone=${timeZone}`
  return `/api/public/scheduling/${slugOf(host)}/${eventType.slug}/slots?${query}`
}

export const getRequest = (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}\r\n`
}

/** The same month of one host, for the same guest. */
export const monthPath = (host: number) => listingPath(host, FIRST_DAY, MONTH_DAYS, 'America/New_York')

/** The same month as Cal.com's API v2 is asked for it, by the number of the event type. */
export const calcomMonthPath = (eventTypeId: number) =>
  `/v2/slots?eventTypeId=${eventTypeId}&start=${formatDate(FIRST_DAY)}&end=${formatDate(FIRST_DAY + MONTH_DAYS - 1)}&timeZone=America/New_York`

const ZONES = Intl.supportedValuesOf('timeZone')
const LENGTHS = [30, 31, 32, 33]

/** How many days `variedListings` looks ahead. */
export const VARIED_DAYS = 700

/**
 * Requests for about a month of these hosts' slots, all different.
 *
 * The number of days, the first day, the guest's zone and the host all change
 * from one to the next.
 */
export function* variedListings(hosts: readonly number[]): Generator<string, never> {
  const firstDays = VARIED_DAYS - 40
  const total = ZONES.length * LENGTHS.length * firstDays * hosts.length
  for (let i = 0; ; i++) {
    if (i === total) throw new RangeError('there are no more different listings')
    // A large prime: every combination comes up once before any repeats.
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

/** Requests to book each start of each host once: the first start of all hosts, then the second … */
export function* bookings(hosts: readonly number[], starts: Iterable<number>): Generator<string, never> {
  for (const startsAt of starts) {
    for (const host of hosts) yield bookRequest(slugOf(host), startsAt)
  }
  throw new RangeError('there are no more slots to book')
}

/** Requests to book each start of a team as often as it has hosts. */
export function* teamBookings(
  slug: string,
  hosts: number,
  starts: Iterable<number>,
): Generator<string, never> {
  for (const startsAt of starts) {
    for (let i = 0; i < hosts; i++) yield bookRequest(slug, startsAt)
  }
  throw new RangeError('there are no more slots to book')
}

let guests = 0

function bookRequest(slug: string, startsAt: number): string {
  const guest = guests + 1
  const body = JSON.stringify({
    startTime: formatInstant(startsAt),
    endTime: formatInstant(startsAt + eventType.durationMinutes * MINUTE),
    inviteeName: 'Grace Guest',
    inviteeEmail: `guest-${guest}@guests.example`,
    inviteeTimezone: 'Europe/Berlin',
    inviteeNotes: 'Looking forward to it.',
  })
  return postRequest(`/api/public/scheduling/${slug}/${eventType.slug}/book`, body)
}

/** A POST from an address of its own, to stay below the rate limit. */
export function postRequest(path: string, body: string): string {
  const guest = ++guests
  return [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
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
