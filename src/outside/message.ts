import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Invitation } from '../format/icalendar/invitation.ts'
import { lazily } from './lazily.ts'
import { quotedPrintable } from './quoted-printable.ts'

const require = createRequire(import.meta.url)
const addressparser = lazily(
  () => require('nodemailer/lib/addressparser') as typeof import('nodemailer/lib/addressparser').default,
)
const MimeNode = lazily(
  () => require('nodemailer/lib/mime-node') as typeof import('nodemailer/lib/mime-node').default,
)

export interface Mailbox {
  readonly name: string
  readonly address: string
}

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** With angle brackets. Stays the same when the mail is sent again. */
  readonly messageId?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly replyTo?: readonly Mailbox[]
  /** The sender's name, instead of the one in `MAIL_FROM`; the address stays. */
  readonly fromName?: string
  readonly invitation?: Invitation
}

/** A message as it goes over the wire, and between whom. */
export interface Message {
  readonly envelope: { readonly from: string | false; readonly to: string[] }
  readonly messageId: string
  readonly raw: Buffer
}

/**
 * Writes a message in one go.
 *
 * Nodemailer would stream it through a dozen transforms, which takes longer than everything else about a mail. The
 * header fields are still Nodemailer's; the parts are encoded and put together here.
 */
export function writeMessage(mail: Mail, from: string): Message {
  // Random, because no text may be able to end a part.
  const boundary = randomUUID()
  const { invitation } = mail
  const bodies = [textPart('text/plain', mail.text), textPart('text/html', mail.html)]
  if (invitation === undefined) {
    return finish(
      mail,
      from,
      `multipart/alternative; boundary="a-${boundary}"`,
      multipart(`a-${boundary}`, bodies),
    )
  }
  const { method, ics } = invitation
  const alternatives = multipart(`a-${boundary}`, [
    ...bodies,
    textPart('text/calendar', ics, `; method=${method}`),
  ])
  const parts = [
    `Content-Type: multipart/alternative;\r\n boundary="a-${boundary}"\r\n\r\n${alternatives}`,
    attachment('invite.ics', 'application/ics', ics),
  ]
  return finish(mail, from, `multipart/mixed; boundary="m-${boundary}"`, multipart(`m-${boundary}`, parts))
}

function finish(mail: Mail, from: string, contentType: string, body: string): Message {
  const { to, subject, messageId, headers, replyTo, fromName } = mail
  const [sender] = addressparser()(from, { flatten: true })
  // The boundary is in the type. Without one here, another would be drawn from the system's randomness.
  const head = new (MimeNode())(contentType, { baseBoundary: 'none' })
  const set = (name: string, value: unknown) => head.setHeader(name, value as string)
  for (const [name, value] of Object.entries(headers ?? {})) set(name, value)
  set('From', fromName && sender ? { name: fromName, address: sender.address } : from)
  // An object is always one address; a text would be parsed as a list.
  set('To', { name: '', address: to })
  if (replyTo) set('Reply-To', [...replyTo])
  set('Subject', subject)
  if (messageId) set('Message-ID', messageId)
  return {
    envelope: head.getEnvelope(),
    messageId: head.messageId(),
    raw: Buffer.from(`${head.buildHeaders()}\r\n\r\n${body}`, 'latin1'),
  }
}

const multipart = (boundary: string, parts: readonly string[]) =>
  `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`

const NOT_PLAIN = /[^\t\r\n\x20-\x7e]/
const LINE_LENGTH = 76

/** Plain lines are sent as they are; everything else is quoted-printable. */
function textPart(type: string, text: string, parameters = ''): string {
  const lines = text.replaceAll(/\r\n?|\n/g, '\r\n')
  const isPlain = !NOT_PLAIN.test(lines) && lines.split('\r\n').every(({ length }) => length <= LINE_LENGTH)
  const encoding = isPlain ? '7bit' : 'quoted-printable'
  const head = `Content-Type: ${type}; charset=utf-8${parameters}\r\nContent-Transfer-Encoding: ${encoding}`
  return `${head}\r\n\r\n${isPlain ? lines : quotedPrintable(lines)}`
}

function attachment(name: string, type: string, content: string): string {
  const base64 = Buffer.from(content).toString('base64')
  const lines: string[] = []
  for (let at = 0; at < base64.length; at += LINE_LENGTH) lines.push(base64.slice(at, at + LINE_LENGTH))
  return [
    `Content-Type: ${type}; name=${name}`,
    `Content-Disposition: attachment; filename=${name}`,
    'Content-Transfer-Encoding: base64',
    '',
    ...lines,
  ].join('\r\n')
}
