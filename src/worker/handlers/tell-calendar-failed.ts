import { calendarFailedMail } from '../../services/calendars/failed-mail.ts'
import type { Context } from '../../services/context.ts'
import type { JobOf } from '../handler.ts'

/** Emails a host that their calendar can't be read. */
export async function tellCalendarFailed(context: Context, job: JobOf<'calendar-failed'>): Promise<void> {
  const mail = await calendarFailedMail(context, job.data.calendarId)
  if (mail !== undefined) await context.mailer(mail)
}
