import type { Job } from '../domain/job.ts'
import { writeCalendarEvents } from '../outside/calendar-event.ts'
import { getBookingChange } from '../services/booking-change.ts'
import type { CalendarWrite } from '../services/calendar-jobs.ts'
import type { Context } from '../services/context.ts'
import { findEventPlace, removeEvent, writeEvent } from '../services/written-events.ts'

/** Writes a booking to a host's calendar, moves it there, or takes it out. Doing so twice is doing it once. */
export async function writeCalendar(context: Context, job: Job): Promise<void> {
  const { calendarId, action, change } = job.data as CalendarWrite
  const place = await findEventPlace(context, calendarId, change.bookingId)
  if (place === undefined) return
  if (action === 'remove') return removeEvent(context, place)
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
  await writeEvent(context, place, text, change.sequence)
}
