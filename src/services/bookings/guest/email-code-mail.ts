import { chooseLocale, wordingOf } from '../../../domain/languages.ts'
import type { Scheduler } from '../../../domain/people/scheduler.ts'
import { tellIn } from '../../../domain/tell.ts'
import { unlinked } from '../../../format/text/printable.ts'
import type { Mail } from '../../../outside/mail/mail.ts'
import { readWording } from '../../../texts/read.ts'
import { writeOwnMail } from '../../mail-notice.ts'

/** The mail with the code that proves a guest's address. Anyone can cause it, so names in it must not become links. */
export function emailCodeMail(
  to: string,
  code: string,
  {
    eventType,
    host,
    locale,
  }: { readonly eventType: string; readonly host: Scheduler; readonly locale: string },
): Mail {
  const { language, tag } = chooseLocale(locale, undefined, 'en')
  const tell = tellIn(tag)
  const words = readWording(wordingOf(language, host.germanAddress), 'code-mails').emailCode
  const { heading, label, footer } = words
  const lead = tell(words.lead, { eventType: unlinked(eventType), host: unlinked(host.name) })
  const rows = [{ label, value: code }]
  return writeOwnMail(to, tell(words.subject, { code }), { language: tag, heading, lead, rows, footer })
}
