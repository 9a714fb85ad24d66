import { type CalendarVersion, NO_VERSION, type Tentative } from '../../domain/calendars/calendar.ts'
import {
  applyChanges,
  busyOfItems,
  type CalendarItem,
  type ItemChanges,
} from '../../domain/calendars/item.ts'
import { DAY, type Interval } from '../../domain/interval.ts'
import type { Zones } from '../../domain/zone.ts'
import { type Access, ProviderFailure } from '../accounts/provider.ts'
import type {
  CalendarContent,
  CalendarSource,
  ContentQuestion,
  OpenedCalendar,
} from '../kinds/calendar-source.ts'
import { orDeleted } from '../kinds/event-calendar.ts'

/** What to read of a calendar. */
export interface EventQuestion {
  readonly externalId: string
  readonly tentative: Tentative
  /** Where the last reading ended; empty: everything in the span is read. */
  readonly cursor: string
  readonly span: Interval
}

/** Reads the events of a calendar, or what has changed since the cursor. Throws `gone` if that was too long ago. */
type ReadEvents = (apiUrl: string, access: Access, question: EventQuestion) => Promise<ItemChanges>

/** Read ahead of what is needed, because each full reading fixes the span for the changes that follow it. */
const AHEAD = 31 * DAY

/** Reads calendars of a provider that lists what has changed since a cursor. */
export const readByCursor =
  (readEvents: ReadEvents): CalendarSource['read'] =>
  async (calendar, known, span, kept) => {
    const { isFull, changes, syncedUntil } = await readChanges(readEvents, calendar, known, span)
    const items = applyChanges(isFull ? [] : await kept(), changes)
    return {
      ...contentOfItems(items, changes.timeZone),
      version: { ...NO_VERSION, syncToken: changes.cursor, syncedUntil },
      items: { isFull, changes },
    }
  }

async function readChanges(
  readEvents: ReadEvents,
  { apiUrl, access, externalId, tentative }: OpenedCalendar,
  { syncToken, syncedUntil }: CalendarVersion,
  span: Interval,
) {
  const ask = (cursor: string, asked: Interval) =>
    readEvents(apiUrl, access, { externalId, tentative, cursor, span: asked })
  if (syncToken !== '' && syncedUntil !== null && syncedUntil >= span.end) {
    try {
      return { isFull: false, changes: await ask(syncToken, span), syncedUntil }
    } catch (error) {
      // The provider no longer knows what we have read, so we read everything, and learn whether the calendar is there.
      if (!(error instanceof ProviderFailure) || (error.code !== 'gone' && error.status !== 404)) throw error
    }
  }
  const wide = { start: span.start, end: span.end + AHEAD }
  return { isFull: true, changes: await orDeleted(ask('', wide)), syncedUntil: wide.end }
}

/** A calendar that has these events. Whole days are those of the zone. */
export function contentOfItems(items: readonly CalendarItem[], timeZone?: string): CalendarContent {
  return {
    version: NO_VERSION,
    timeZone,
    bookingIds: [...new Set(items.flatMap(({ uid }) => OUR_UID.exec(uid)?.[1]?.toLowerCase() ?? []))],
    busyIn: (question, zones) => ({
      ...busyOfItems(items, {
        span: question.span,
        zone: zoneOf(zones, timeZone, question),
        ownUid: ownUidIn(question),
      }),
      skipped: 0,
    }),
  }
}

const OUR_UID = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@punctual$/i

const zoneOf = (zones: Zones, own: string | undefined, { timeZone }: ContentQuestion) =>
  zones.find(own ?? timeZone) ?? zones.get(timeZone)

/** Finds the UID of events that are ours: by the id that we have stored, or by one of our bookings' ids in the event. */
function ownUidIn({ entries, own }: ContentQuestion): (item: CalendarItem) => string | undefined {
  const written = new Map(entries.map(({ href, eventId }) => [href, eventId]))
  const uids = new Set(own)
  return ({ externalId, uid }) => written.get(externalId) ?? (uids.has(uid) ? uid : undefined)
}
