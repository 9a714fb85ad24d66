import type { Job } from '../../domain/job.ts'
import { calendarFailedMail } from '../../services/calendars/failed-mail.ts'
import type { Context } from '../../services/context.ts'

/** Emails a host that their calendar can't be read. */
export async function tellCalendarFailed(context: Context, job: Job): Promise<void> {
  const { calendarId } = job.data as { readonly calendarId: string }
  const mail = await calendarFailedMail(context, calendarId)
  if (mail !== undefined) await context.mailer(mail)
}
