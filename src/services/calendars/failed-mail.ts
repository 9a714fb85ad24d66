import { CALENDAR_DELETED } from '../../domain/calendars/calendar.ts'
import { chooseLocale } from '../../domain/languages.ts'
import { say } from '../../domain/sentence.ts'
import { translationTo } from '../../format/refusals/translations.ts'
import type { Mail } from '../../outside/mail/mail.ts'
import { findAnyCalendar } from '../../store/calendars/calendars.ts'
import { findUser } from '../../store/people/users.ts'
import type { Context } from '../context.ts'
import { writeNotice } from '../mail-notice.ts'

/** The email about a calendar that was deleted, or has failed for a day; undefined if it works again or is gone. */
export async function calendarFailedMail(context: Context, calendarId: string): Promise<Mail | undefined> {
  const calendar = await findAnyCalendar(context.db, calendarId)
  if (calendar === undefined || calendar.failures === 0) return undefined
  const host = await findUser(context.db, calendar.userId)
  if (host === undefined || host.disabledAt !== null) return undefined
  const { locale } = host
  const { language } = chooseLocale(locale, undefined, 'en')
  const isDeleted = say(calendar.lastError) === say(CALENDAR_DELETED)
  return writeNotice({
    to: host.email,
    locale,
    kind: isDeleted ? 'calendarDeleted' : 'calendarFailed',
    href: `${context.publicUrl}/app/calendars`,
    gaps: { name: calendar.name, reason: say(calendar.lastError, translationTo(language)) },
  })
}
