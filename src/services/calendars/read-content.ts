import { uidOf } from '../../domain/bookings/booking.ts'
import { type ComparedEntry, compareEntries } from '../../domain/calendars/difference.ts'
import { DAY, type Interval, merge, overlaps } from '../../domain/interval.ts'
import type { User } from '../../domain/people/user.ts'
import type { CalendarContent } from '../../outside/kinds/calendar-source.ts'
import { findBroughtUids, findHostedIds } from '../../store/bookings/hosted.ts'
import type { StoredCalendar } from '../../store/calendars/calendars.ts'
import type { UpcomingEntry } from '../../store/calendars/entries.ts'
import type { Context } from '../context.ts'

export interface ReadCalendar {
  readonly busy: readonly Interval[]
  /** Entries that could not be read. */
  readonly skipped: number
  /** The meetings that we have written to it. */
  readonly compared: readonly ComparedEntry<UpcomingEntry>[]
}

interface Question {
  readonly host: User
  readonly calendar: StoredCalendar
  readonly span: Interval
  /** What we have written to it: found before the calendar was read, so that one written meanwhile has another version. */
  readonly entries: readonly UpcomingEntry[]
}

/** A calendar that is late may show a meeting where it was before it was moved to a time that has gone by since. */
const LONG_PAST = 31 * DAY

/** When the host is busy by what their calendar has, and which of our meetings differ there. */
export async function readContent(
  { db, slots, now }: Context,
  content: CalendarContent,
  { host, calendar, span, entries }: Question,
): Promise<ReadCalendar> {
  const hosted = await findHostedIds(db, host.id, content.bookingIds)
  const brought = await findBroughtUids(db, host.id, now() - LONG_PAST)
  const question = {
    span,
    timeZone: host.timeZone,
    // Our own bookings have claims already, and must not block their own rescheduling.
    own: [...new Set([...[...hosted].map(uidOf), ...brought, ...entries.map(({ eventId }) => eventId)])],
    addresses: [host.email, calendar.username].map((address) => address.toLowerCase()),
    entries,
  }
  const { busy, own, skipped } = await content.busyIn(question, slots.zones)
  const compared = compareEntries(
    entries.filter(({ isLeaving }) => !isLeaving),
    own,
  )
  const moved = compared.flatMap((one) => one.busy ?? []).filter((one) => overlaps(one, span))
  return { busy: merge([...busy, ...moved]), skipped, compared }
}
