import type { Job } from '../domain/job.ts'
import type { CalendarWrite } from '../services/calendars/jobs.ts'
import { writeEntry } from '../services/calendars/write-entry.ts'
import type { Context } from '../services/context.ts'

/** Brings a meeting's entry in a host's calendar up to date. Safe to repeat. */
export async function writeCalendar(context: Context, job: Job): Promise<void> {
  const data = job.data as CalendarWrite
  const { calendarId } = data
  if (!('meetingId' in data))
    return writeEntry(context, { calendarId, meetingId: data.change.bookingId }, false)
  await writeEntry(context, { calendarId, meetingId: data.meetingId }, data.restore === true)
}
