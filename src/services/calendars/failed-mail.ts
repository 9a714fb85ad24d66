import type { Mail } from '../../outside/mail.ts'
import { findAnyCalendar } from '../../store/calendars/calendars.ts'
import { findUser } from '../../store/people/users.ts'
import type { Context } from '../context.ts'
import { writeNotice } from '../mail-notice.ts'

/** The email about a calendar that has failed for a day; undefined if it works again or is gone. */
export async function calendarFailedMail(context: Context, calendarId: string): Promise<Mail | undefined> {
  const calendar = await findAnyCalendar(context.db, calendarId)
  if (calendar === undefined || calendar.failures === 0) return undefined
  const host = await findUser(context.db, calendar.userId)
  if (host === undefined || host.disabledAt !== null) return undefined
  return writeNotice({
    to: host.email,
    subject: `We can’t read your calendar “${calendar.name}”`,
    heading: 'We can’t read your calendar',
    lead: `We haven’t been able to read your calendar “${calendar.name}” for a day. ${calendar.lastError} New events in it don’t block your availability until it works again, so guests may book those times.`,
    button: { label: 'Open calendars', href: `${context.publicUrl}/app/calendars` },
    footer: 'You’re receiving this email because you connected this calendar.',
  })
}
