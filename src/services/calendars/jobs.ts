import type { BookingChange, ChangeRecord } from '../../domain/bookings/change.ts'
import type { NewJob } from '../../domain/job.ts'
import { findWriteTo } from '../../store/calendars/calendars.ts'
import { findWrittenTo, insertCalendarEvent } from '../../store/calendars/events.ts'
import type { Trx } from '../../store/engine/database.ts'

/** What a `calendar-write` job carries. */
export interface CalendarWrite {
  readonly calendarId: string
  readonly action: 'put' | 'remove'
  readonly change: ChangeRecord
}

/**
 * What this change makes of the calendars that its hosts have bookings written to.
 *
 * Every calendar the booking was written to, or is about to be, hears of it: a
 * host may have chosen another one meanwhile, or be no host of it any more.
 */
export async function calendarJobsFor(trx: Trx, change: BookingChange, now: number): Promise<NewJob[]> {
  const { bookingId } = change
  const confirmed = change.status === 'Confirmed'
  const chosen = confirmed
    ? await findWriteTo(
        trx,
        change.hosts.map(({ id }) => id),
      )
    : []
  const put = new Set(chosen.map(({ id }) => id))
  const written = await findWrittenTo(trx, bookingId)
  const remove = written.map(({ calendarId }) => calendarId).filter((id) => !put.has(id))
  for (const calendarId of put) await insertCalendarEvent(trx, calendarId, bookingId)

  const record = recordOf(change)
  const jobOf = (calendarId: string, action: CalendarWrite['action']): NewJob => {
    const data: CalendarWrite = { calendarId, action, change: record }
    return { kind: 'calendar-write', lane: `calendar:${calendarId}:${bookingId}`, data, dueAt: now }
  }
  return [...[...put].map((id) => jobOf(id, 'put')), ...remove.map((id) => jobOf(id, 'remove'))]
}

/** The change without what is read again when the job is done. */
function recordOf(change: BookingChange): ChangeRecord {
  const { booking: _, eventType: _1, scheduler: _2, hosts: _3, formerHosts: _4, ...record } = change
  return record
}
