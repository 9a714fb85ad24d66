import { DAY, HOUR, type Interval, MINUTE } from '../interval.ts'
import { isWebAddress } from '../people/contact.ts'
import { invalidField, Problem } from '../problem.ts'
import { type Sentence, sentence } from '../sentence.ts'
import { checkName, isLine } from '../text.ts'
import { LAST_KNOWN_INSTANT } from '../zone.ts'

/** Why a calendar can't be read that its provider no longer has. Bookings are not written there either. */
export const CALENDAR_DELETED = sentence`This calendar was deleted, or is no longer shared with the connected account.`

/** Which kind of calendar it is, by its name in the registry of kinds. */
export type CalendarKind = string

/** Whether events block time that are not certain yet. */
export const TENTATIVE = ['busy', 'free'] as const

export type Tentative = (typeof TENTATIVE)[number]

/** An outside calendar that a host has connected. */
export interface Calendar {
  readonly id: string
  readonly userId: string
  readonly kind: CalendarKind
  /** The account that it is read through; null for one at an address. */
  readonly connectionId: string | null
  /** The provider's id of the calendar; empty without a provider. */
  readonly externalId: string
  readonly name: string
  /** The address of the feed or of the chosen collection on a server; empty with a provider. */
  readonly url: string
  readonly username: string
  /** Encrypted with the service's secret; empty without a password. */
  readonly sealedPassword: string
  /** Its events block the host's availability. */
  readonly busy: boolean
  readonly tentative: Tentative
  /** Confirmed bookings are written to it; at most one calendar per host. */
  readonly writeTo: boolean
  /** Whether events can be added to it, as far as we know. */
  readonly writable: boolean
  readonly createdAt: number
}

/** How reading a calendar went. */
export interface CalendarRefresh {
  /** When it was last read in full or found unchanged; null before the first time. */
  readonly refreshedAt: number | null
  readonly nextRefreshAt: number
  /** Failed attempts in a row. */
  readonly failures: number
  /** A sentence for the host; empty if the last attempt succeeded. */
  readonly lastError: Sentence
  /** Entries that could not be read. */
  readonly skipped: number
}

/** The server's names for the version we read last, so that it need not send it again. */
export interface CalendarVersion {
  readonly etag: string
  readonly lastModified: string
  readonly ctag: string
  /** Where a provider's list of changes goes on; empty: it has to be read in full. */
  readonly syncToken: string
  /** Until when that list reaches; null before the first time. */
  readonly syncedUntil: number | null
  /** When busy times were last computed, and in which zone; null before the first time. */
  readonly expandedAt: number | null
  readonly expandedZone: string
}

export const NO_VERSION: CalendarVersion = {
  etag: '',
  lastModified: '',
  ctag: '',
  syncToken: '',
  syncedUntil: null,
  expandedAt: null,
  expandedZone: '',
}

export const MAX_CALENDARS = 20

/** Throws `invalid` with the reason if these settings can't work. */
export function checkCalendar(
  { connectionId, name, url, username, writeTo }: Calendar,
  canBeWritten: boolean,
): void {
  checkName(name)
  if (connectionId !== null) return
  if (!isWebAddress(url))
    throw invalidField('url', sentence`{field} must look like https://example.com/calendar.ics.`)
  if (!isLine(username))
    throw invalidField('username', sentence`{field} must not contain control characters.`)
  if (username.includes(':')) throw invalidField('username', sentence`{field} must not contain a colon.`)
  if (writeTo && !canBeWritten) {
    throw new Problem(
      'invalid',
      sentence`Bookings can’t be added to a feed, only to a CalDAV calendar or a connected account.`,
      { field: 'writeTo' },
    )
  }
}

/** Providers publish feeds as `webcal:` addresses, which means https. */
export const webAddressOf = (url: string) => url.trim().replace(/^webcals?:\/\//i, 'https://')

export const REFRESH_EVERY = 10 * MINUTE
export const LONGEST_WAIT = 6 * HOUR

/** How long to wait after this many failed attempts in a row. */
export function waitAfter(failures: number): number {
  return Math.min(LONGEST_WAIT, REFRESH_EVERY * 2 ** Math.max(0, failures - 1))
}

/**
 * Whether this is the failure with which a calendar has failed for a day, by the waits between its failures.
 *
 * True for one failure in a row of them: the count grows by one each time, and a success sets it back.
 */
export function completesDayOfFailures(failures: number): boolean {
  const lasting = (count: number) =>
    Array.from({ length: Math.max(0, count - 1) }, (_, i) => waitAfter(i + 1)).reduce((a, b) => a + b, 0)
  return lasting(failures) >= DAY && lasting(failures - 1) < DAY
}

/**
 * The span in which busy times are kept: from yesterday to well beyond what guests usually book.
 *
 * It moves on with the UTC date, not with every refresh, so that what is offered at its end changes once a day.
 */
export function knownSpan(now: number): Interval {
  const today = now - (now % DAY)
  return { start: today - DAY, end: today + 400 * DAY }
}

/** What lies beyond the known span. It counts as busy: a time is not offered if we can't know whether it is free. */
export const unknownSpan = (now: number): Interval => ({ start: knownSpan(now).end, end: LAST_KNOWN_INSTANT })

/** Unchanged calendars are expanded again this often: the span moves on, and repeating events enter it. */
export const EXPAND_EVERY = DAY
