import type { BookedMeeting } from '../../domain/bookings/change.ts'
import { stateConflict } from '../../domain/bookings/decisions/refusals.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { type CalendarLink, calendarLinks } from '../../format/calendar-links.ts'
import { writeCalendarFile } from '../../format/icalendar/invitation.ts'
import { writeSeries } from '../../format/icalendar/series.ts'
import type { Context } from '../context.ts'
import { calendarEntry, calendarEvent, seriesEvent } from './calendar-entry.ts'
import { linksOf } from './links.ts'

const GUEST = { role: 'guest' } as const

/** The calendar links of the guest's mail; none unless the meeting is confirmed. */
export function guestCalendarLinks(context: Context, meeting: BookedMeeting): CalendarLink[] {
  if (meeting.booking.status !== 'Confirmed') return []
  return calendarLinks(calendarEntry(meeting, GUEST, linksOf(context, meeting)))
}

/** The event of the guest's mail as a file; throws `state_conflict` while the booking is pending. */
export function guestCalendarFile(context: Context, meeting: BookedMeeting): string {
  const { status } = meeting.booking
  if (status === 'PendingApproval') {
    throw new Problem(
      'state_conflict',
      sentence`The host has not confirmed this booking yet. Its calendar file is available once they have.`,
    )
  }
  if (status === 'PendingPayment') throw stateConflict(meeting.booking)
  const event = calendarEvent(meeting, GUEST, linksOf(context, meeting), context.now())
  if (event === undefined) throw new Error('A meeting without a host has no calendar file.')
  const isOff = status === 'Cancelled' || status === 'Declined' || status === 'Expired'
  const inSeries = seriesEvent(event, meeting, context.slots.zones, GUEST)
  if (inSeries !== undefined && !isOff) return writeSeries(undefined, inSeries.event, inSeries.series).ics
  return writeCalendarFile(event, isOff ? 'CANCELLED' : 'CONFIRMED')
}
