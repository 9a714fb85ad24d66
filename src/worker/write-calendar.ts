import type { Job } from '../domain/job.ts'
import type { CalendarWrite } from '../services/calendars/jobs.ts'
import { writeEntry } from '../services/calendars/write-entry.ts'
import type { Context } from '../services/context.ts'

/** Brings a meeting's entry in a host's calendar up to date. Safe to repeat. */
export async function writeCalendar(context: Context, job: Job): Promise<void> {
  const data = job.data as CalendarWrite
  const meetingId = 'meetingId' in data ? data.meetingId : data.change.bookingId
  await writeEntry(context, { calendarId: data.calendarId, meetingId })
}
