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
 * The jobs that bring changes into their hosts' calendars.
 *
 * Every calendar that has the booking, or is about to get it, is updated: the host
 * may have chosen another calendar since, or may no longer host the booking.
 */
export async function calendarJobsFor(
  trx: Trx,
  changes: readonly BookingChange[],
  now: number,
): Promise<NewJob[]> {
  const hostIds = changes.filter(isConfirmed).flatMap(({ hosts }) => hosts.map(({ id }) => id))
  const chosen = await findWriteTo(trx, [...new Set(hostIds)])
  const bookingIds = [...new Set(changes.map(({ bookingId }) => bookingId))]
  const written = (await findWrittenTo(trx, bookingIds)).map(({ bookingId, calendarId }) => {
    return { bookingId, calendarId }
  })

  const jobs: NewJob[] = []
  for (const change of changes) {
    const { bookingId, hosts } = change
    const put = chosen.filter(({ userId }) => isConfirmed(change) && hosts.some(({ id }) => id === userId))
    const has = (calendarId: string) => put.some(({ id }) => id === calendarId)
    const ofBooking = written.filter((event) => event.bookingId === bookingId)
    const record = recordOf(change)
    const add = (calendarId: string, action: CalendarWrite['action']) => {
      const data: CalendarWrite = { calendarId, action, change: record }
      jobs.push({ kind: 'calendar-write', lane: `calendar:${calendarId}:${bookingId}`, data, dueAt: now })
    }
    for (const { id } of put) {
      await insertCalendarEvent(trx, id, bookingId)
      add(id, 'put')
    }
    for (const { calendarId } of ofBooking) if (!has(calendarId)) add(calendarId, 'remove')
    // A later change of the same booking has to find it there.
    for (const { id } of put) {
      if (!ofBooking.some(({ calendarId }) => calendarId === id)) written.push({ bookingId, calendarId: id })
    }
  }
  return jobs
}

const isConfirmed = ({ status }: BookingChange) => status === 'Confirmed'

/** The change without what the job reads again when it runs. */
function recordOf(change: BookingChange): ChangeRecord {
  const { booking: _, eventType: _1, scheduler: _2, hosts: _3, formerHosts: _4, ...record } = change
  return record
}
