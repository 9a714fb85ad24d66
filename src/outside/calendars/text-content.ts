import { NO_VERSION, type Tentative } from '../../domain/calendars/calendar.ts'
import type { CalendarContent } from '../kinds/calendar-source.ts'
import { readBusyApart } from './reading-threads.ts'

interface CalendarText {
  /** Whose calendar it is: each owner's long texts wait for each other. */
  readonly owner: string
  readonly body: string
  /** iCalendar as it is, or in a WebDAV server's response. */
  readonly format: 'ics' | 'multistatus'
  readonly tentative: Tentative
  readonly version?: Partial<CalendarContent['version']>
}

/** A calendar that is read as iCalendar text. */
export function contentOfText({ owner, body, format, tentative, version }: CalendarText): CalendarContent {
  return {
    version: { ...NO_VERSION, ...version },
    timeZone: undefined,
    bookingIds: bookingIdsIn(body),
    busyIn: ({ span, timeZone, own, addresses }, zones) =>
      readBusyApart(owner, { body, format, question: { span, timeZone, own, addresses, tentative } }, zones),
  }
}

/** Ids of bookings that the text may contain: its UIDs that look like ours. */
function bookingIdsIn(text: string): string[] {
  const found = text.matchAll(/UID:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@punctual\b/gi)
  return [...new Set([...found].map(([, id = '']) => id.toLowerCase()))]
}
