import type { CalendarVersion, Tentative } from '../../domain/calendars/calendar.ts'
import type { WrittenSpan } from '../../domain/calendars/difference.ts'
import type { CalendarItem, ItemChanges } from '../../domain/calendars/item.ts'
import type { Interval } from '../../domain/interval.ts'
import type { Zones } from '../../domain/zone.ts'
import type { BusyQuestion, BusyReading } from '../../format/icalendar/read.ts'
import type { Access } from '../accounts/provider.ts'
import type { Guard } from '../network/guard.ts'
import type { EventCalendar } from './event-calendar.ts'
import type { ChannelProtocol } from './event-channel.ts'

/** How calendars of one kind are read, asked, written and watched. */
export interface CalendarSource {
  /** What a host gives: a secret link, a server with name and password, or access to an account. */
  readonly connect: 'link' | 'server' | 'account'
  /**
   * Reads what the calendar has in a span; undefined if nothing has changed since `known` was read. `kept` finds the events
   * that were kept after the last reading.
   */
  read(
    calendar: OpenedCalendar,
    known: CalendarVersion,
    span: Interval,
    kept: () => Promise<readonly CalendarItem[]>,
  ): Promise<CalendarContent | undefined>
  /** Finds what the calendar has in a short span, at this moment. Left out if it can only be read in full. */
  readonly ask?: (calendar: OpenedCalendar, span: Interval) => Promise<CalendarContent>
  /** Left out if bookings can't be added. */
  readonly write?: (calendar: OpenedCalendar) => EventCalendar
  /** Left out if it does not tell us of changes. */
  readonly watch?: ChannelProtocol
  /** The calendars at a server. Only where hosts connect one. */
  readonly discover?: (
    server: Omit<OpenedCalendar, 'url' | 'tentative' | 'apiUrl' | 'externalId' | 'access'>,
    url: string,
  ) => Promise<FoundCalendar[]>
}

/** A host's calendar, with what opens it. */
export interface OpenedCalendar {
  readonly guard: Guard
  /** The id of the user whose calendar it is. */
  readonly owner: string
  /** Where it is; empty for one of an account. */
  readonly url: string
  /** What its tentative events do. */
  readonly tentative: Tentative
  readonly username: string
  readonly password: string
  /** Where the provider's API is; empty for one at an address, and so are the other two. */
  readonly apiUrl: string
  readonly externalId: string
  readonly access: Access
  /** Ends running requests. */
  readonly signal?: AbortSignal
}

/** What a calendar was found to have. */
export interface CalendarContent {
  /** The calendar's names for this version of it. */
  readonly version: Pick<CalendarVersion, 'etag' | 'lastModified' | 'ctag' | 'syncToken' | 'syncedUntil'>
  /** The calendar's own zone; undefined: that of its host. */
  readonly timeZone: string | undefined
  /** Ids that may be those of our bookings. */
  readonly bookingIds: readonly string[]
  /** Events to keep for the next reading; undefined if it needs none. */
  readonly items?: ChangedItems
  busyIn(question: ContentQuestion, zones: Zones): BusyReading | Promise<BusyReading>
}

export interface ChangedItems {
  /** Whether `changes` has all events, so that no other is left. */
  readonly isFull: boolean
  readonly changes: ItemChanges
}

export interface ContentQuestion extends Omit<BusyQuestion, 'tentative'> {
  /** What we have written to the calendar. */
  readonly entries: readonly (WrittenSpan & { readonly href: string })[]
}

/** A calendar that a server has. */
export interface FoundCalendar {
  readonly url: string
  readonly name: string
  /** False if the server says that this user cannot write there. */
  readonly writable: boolean
}
