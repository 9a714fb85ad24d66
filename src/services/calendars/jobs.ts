import type { BookingChange, ChangeRecord } from '../../domain/bookings/change.ts'
import type { NewJob } from '../../domain/job.ts'
import { findWriteTo } from '../../store/calendars/calendars.ts'
import { findWrittenTo, insertCalendarEvent } from '../../store/calendars/events.ts'
import type { Trx } from '../../store/engine/database.ts'

/** The data of a `calendar-write` job. */
export interface CalendarWrite {
  readonly calendarId: string
  readonly action: 'put' | 'remove'
  readonly change: ChangeRecord
}

/**
 * The jobs that bring a change into its hosts' calendars.
 *
 * Every calendar that has the booking, or is about to get it, is updated: the host
 * may have chosen another calendar since, or may no longer host the booking.
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

/** The change without what the job reads again when it runs. */
function recordOf(change: BookingChange): ChangeRecord {
  const { booking: _, eventType: _1, scheduler: _2, hosts: _3, formerHosts: _4, ...record } = change
  return record
}
