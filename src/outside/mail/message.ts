import { randomUUID } from 'node:crypto'
import type { Invitation } from '../../format/icalendar/invitation.ts'
import { encodeMailbox, encodeText, headerField, type Mailbox, wireAddress } from './header-fields.ts'
import { quotedPrintable } from './quoted-printable.ts'

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
  readonly envelope: { readonly from: string; readonly to: string[] }
  readonly messageId: string
  /** Each line ends with CRLF, and has ASCII alone. */
  readonly raw: Buffer
}

/**
 * Writes a message in one go.
 *
 * Nodemailer would stream it through a dozen transforms, which takes longer than everything else about a mail. It
 * still encodes what is not plain in the header fields; the parts are encoded and put together here.
 */
export function writeMessage(mail: Mail, sender: Mailbox): Message {
  // Random, because no text may be able to end a part.
  const boundary = randomUUID()
  const { invitation } = mail
  const bodies = [textPart('text/plain', mail.text), textPart('text/html', mail.html)]
  if (invitation === undefined) {
    return finish(
      mail,
      sender,
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
  return finish(mail, sender, `multipart/mixed; boundary="m-${boundary}"`, multipart(`m-${boundary}`, parts))
}

function finish(mail: Mail, sender: Mailbox, contentType: string, body: string): Message {
  const { to, subject, headers = {}, replyTo = [], fromName } = mail
  const [from, recipient] = [wireAddress(sender.address), wireAddress(to)]
  const messageId = mail.messageId ?? `<${randomUUID()}@${from.slice(from.lastIndexOf('@') + 1)}>`
  const head = [
    ...Object.entries(headers).map(([name, value]) => headerField(name, encodeText(value))),
    headerField('From', encodeMailbox({ name: fromName || sender.name, address: sender.address })),
    headerField('To', encodeMailbox({ name: '', address: to })),
    ...(replyTo.length > 0 ? [headerField('Reply-To', replyTo.map(encodeMailbox).join(', '))] : []),
    headerField('Subject', encodeText(subject)),
    headerField('Message-ID', messageId),
    headerField('Date', new Date().toUTCString().replace('GMT', '+0000')),
    'MIME-Version: 1.0',
    headerField('Content-Type', contentType),
  ]
  return {
    envelope: { from, to: [recipient] },
    messageId,
    raw: Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`, 'latin1'),
  }
}

const multipart = (boundary: string, parts: readonly string[]) =>
  `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`

const NOT_PLAIN = /[^\t\r\n\x20-\x7e]/
const LINE_LENGTH = 76
/** The longest that every mail server has to accept. */
const LONGEST_LINE = 998

/** Plain lines are sent as they are; everything else is quoted-printable. */
function textPart(type: string, text: string, parameters = ''): string {
  // Most texts have no CR, and then this is much faster.
  const breaks = text.includes('\r') ? /\r\n?|\n/g : /\n/g
  const lines = text.replaceAll(breaks, '\r\n')
  const isPlain = !NOT_PLAIN.test(lines) && !hasLongLine(lines)
  const encoding = isPlain ? '7bit' : 'quoted-printable'
  const head = `Content-Type: ${type}; charset=utf-8${parameters}\r\nContent-Transfer-Encoding: ${encoding}`
  return `${head}\r\n\r\n${isPlain ? lines : quotedPrintable(lines)}`
}

function hasLongLine(lines: string): boolean {
  for (let at = 0, end = 0; end >= 0; at = end + 2) {
    end = lines.indexOf('\r\n', at)
    if ((end < 0 ? lines.length : end) - at > LONGEST_LINE) return true
  }
  return false
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
