import { chooseLocale } from '../../../domain/languages.ts'
import { tellIn } from '../../../domain/tell.ts'
import type { Mail } from '../../../outside/mail/mail.ts'
import { readTexts } from '../../../texts/read.ts'
import { writeOwnMail } from '../../mail-notice.ts'

/** The mail with the code that lets a guest erase their data. */
export function erasureCodeMail(to: string, code: string, locale: string): Mail {
  const { language, tag } = chooseLocale(locale, undefined, 'en')
  const { subject, heading, label, lead, footer } = readTexts(language, 'code-mails').erasureCode
  const rows = [{ label, value: code }]
  return writeOwnMail(to, tellIn(tag)(subject, { code }), { language: tag, heading, lead, rows, footer })
}
