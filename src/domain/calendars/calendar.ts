import { DAY, HOUR, type Interval, MINUTE } from '../interval.ts'
import { isWebAddress } from '../people/contact.ts'
import { invalidField, Problem } from '../problem.ts'
import { checkName, isLine } from '../text.ts'

/** A feed is an address that answers with iCalendar text; CalDAV can be written to as well. */
export const CALENDAR_KINDS = ['feed', 'caldav'] as const

/** A calendar that a host keeps somewhere else. */
export interface Calendar {
  readonly id: string
  readonly userId: string
  readonly kind: (typeof CALENDAR_KINDS)[number]
  readonly name: string
  /** Of the feed, or of the one CalDAV collection that was chosen. */
  readonly url: string
  readonly username: string
  /** Readable with the service's secret alone; empty when there is none. */
  readonly sealedPassword: string
  /** What is in it takes the host's time. */
  readonly busy: boolean
  /** Confirmed bookings are written there; true for at most one calendar of a host. */
  readonly writeTo: boolean
  readonly createdAt: number
}

/** What the service knows of reading a calendar. */
export interface CalendarRefresh {
  /** When it was last read in full or found unchanged; null before the first time. */
  readonly refreshedAt: number | null
  readonly nextRefreshAt: number
  /** Tries in a row that went wrong. */
  readonly failures: number
  /** A sentence for the host; empty when the last try went well. */
  readonly lastError: string
  /** Entries that could not be understood. */
  readonly skipped: number
}

/** How the other side names the version that was read last, so that it need not send the same again. */
export interface CalendarVersion {
  readonly etag: string
  readonly lastModified: string
  readonly ctag: string
  /** When busy times were last worked out, and in whose zone; null before the first time. */
  readonly expandedAt: number | null
  readonly expandedZone: string
}

export const NO_VERSION: CalendarVersion = {
  etag: '',
  lastModified: '',
  ctag: '',
  expandedAt: null,
  expandedZone: '',
}

export const MAX_CALENDARS = 20

/** Throws `invalid` with the reason when this cannot be anyone's calendar. */
export function checkCalendar({ kind, name, url, username, writeTo }: Calendar): void {
  checkName(name)
  if (!isWebAddress(url)) throw invalidField('url', 'must look like https://example.com/calendar.ics.')
  if (!isLine(username)) throw invalidField('username', 'must not contain control characters.')
  if (username.includes(':')) throw invalidField('username', 'must not contain a colon.')
  if (writeTo && kind !== 'caldav') {
    throw new Problem('invalid', 'Bookings can only be added to a CalDAV calendar.', { field: 'writeTo' })
  }
}

/** Addresses of feeds are handed out as `webcal:`, which means https. */
export const webAddressOf = (url: string) => url.trim().replace(/^webcals?:\/\//i, 'https://')

export const REFRESH_EVERY = 10 * MINUTE
const LONGEST_WAIT = 6 * HOUR

/** How long to leave a calendar alone after that many tries in a row went wrong. */
export function waitAfter(failures: number): number {
  return Math.min(LONGEST_WAIT, REFRESH_EVERY * 2 ** Math.max(0, failures - 1))
}

/** The time of which busy times are known. Nobody is booked before it, and few are after it. */
export const knownSpan = (now: number): Interval => ({ start: now - DAY, end: now + 400 * DAY })

/** An unchanged calendar is worked out anew this often, because repeating events reach further every day. */
export const EXPAND_EVERY = DAY
