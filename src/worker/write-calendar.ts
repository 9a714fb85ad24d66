import type { Job } from '../domain/job.ts'
import { writeCalendarEvents } from '../format/icalendar/event.ts'
import { getBookingChange } from '../services/bookings/load-change.ts'
import type { CalendarWrite } from '../services/calendars/jobs.ts'
import { findWrittenEvent, removeEvent, writeEvent } from '../services/calendars/written-events.ts'
import type { Context } from '../services/context.ts'

/** Writes a booking to a host's calendar, updates it there, or removes it. Safe to repeat. */
export async function writeCalendar(context: Context, job: Job): Promise<void> {
  const { calendarId, action, change } = job.data as CalendarWrite
  const event = await findWrittenEvent(context, calendarId, change.bookingId)
  if (event === undefined) return
  if (action === 'remove') return removeEvent(context, event)
  const { booking, eventType } = await getBookingChange(context.db, change)
  const text = writeCalendarEvents([
    {
      booking,
      eventTypeName: eventType.name,
      questions: eventType.questions,
      sequence: change.sequence,
      changedAt: change.at,
    },
  ])
  await writeEvent(context, event, text, change.sequence)
}
