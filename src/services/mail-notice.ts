import { chooseLocale } from '../domain/languages.ts'
import { tellIn, type Values } from '../domain/tell.ts'
import type { Mail } from '../outside/mail/mail.ts'
import type { NoticeKind } from '../texts/catalogue.ts'
import { readTexts } from '../texts/read.ts'
import { type MailContent, writeHtml, writeText } from './mail-layout.ts'

/** A mail from the service itself. */
interface Notice {
  readonly to: string
  /** The reader's, such as `pt-BR`. */
  readonly locale: string
  readonly kind: NoticeKind
  /** Where its button leads. */
  readonly href: string
  /** What its texts leave open. */
  readonly gaps?: Values
}

/** Writes a notice in the reader's language. */
export function writeNotice({ to, locale, kind, href, gaps = {} }: Notice): Mail {
  const { language, tag } = chooseLocale(locale, undefined, 'en')
  const { subject, heading, lead, button, footer } = readTexts(language, 'notices')[kind]
  const tell = tellIn(tag)
  const buttons = [{ label: button, href }]
  return writeOwnMail(to, tell(subject, gaps), {
    language: tag,
    heading,
    lead: tell(lead, gaps),
    buttons,
    footer,
  })
}

const BRAND = { name: 'Punctual', colour: '#0f766e', imageUrl: '' }

/** Writes a mail from the service itself, about no meeting, in the layout of all mails. */
export function writeOwnMail(
  to: string,
  subject: string,
  given: Pick<MailContent, 'language' | 'heading' | 'lead' | 'footer'> &
    Partial<Pick<MailContent, 'rows' | 'buttons'>>,
): Mail {
  const content: MailContent = {
    brand: BRAND,
    whenLabel: '',
    when: undefined,
    off: false,
    rows: [],
    buttons: [],
    calendars: undefined,
    ...given,
  }
  return { to, subject, text: writeText(content), html: writeHtml(content) }
}
