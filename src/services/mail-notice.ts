import type { Mail } from '../outside/mail.ts'
import { type MailContent, writeHtml, writeText } from './mail-layout.ts'

/** A mail from the service itself, in English. */
export interface Notice {
  readonly to: string
  readonly subject: string
  readonly heading: string
  readonly lead: string
  readonly button: MailContent['buttons'][number]
  /** Why the reader gets this mail, or what happens if they ignore it. */
  readonly footer: string
}

const BRAND = { name: 'Punctual', colour: '#0f766e', imageUrl: '' }

/** Writes a notice in the layout of all mails. */
export function writeNotice({ to, subject, heading, lead, button, footer }: Notice): Mail {
  const content: MailContent = {
    language: 'en',
    brand: BRAND,
    heading,
    lead,
    whenLabel: '',
    when: undefined,
    off: false,
    rows: [],
    buttons: [button],
    calendars: undefined,
    footer,
  }
  return { to, subject, text: writeText(content), html: writeHtml(content) }
}
