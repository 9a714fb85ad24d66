import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { SendMailOptions } from 'nodemailer'
import type { Invitation } from '../format/icalendar/invitation.ts'
import { lazily } from './lazily.ts'

const require = createRequire(import.meta.url)
const nodemailer = lazily(() => require('nodemailer') as typeof import('nodemailer'))
const addressparser = lazily(
  () => require('nodemailer/lib/addressparser') as typeof import('nodemailer/lib/addressparser').default,
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
  /** With its angle brackets. The same on every repeat, so that a receiver can tell one. */
  readonly messageId?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly replyTo?: readonly Mailbox[]
  /** Shown as the sender, instead of the name in `MAIL_FROM`; the address stays. */
  readonly fromName?: string
  readonly invitation?: Invitation
}

/** Hands a mail over; resolves when the other side has taken it. */
export type Mailer = (mail: Mail) => Promise<void>

export interface SmtpMailer {
  readonly send: Mailer
  /** Ends the connections, once what is underway has been handed over or has failed. */
  close(): Promise<void>
}

/** The server will never take mail for this recipient: trying again cannot help. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}

const PATIENCE = 10_000
const CONNECTIONS = 4

/** Sends over a few connections that are kept open. */
export function smtpMailer(url: string, from: string): SmtpMailer {
  const transport = lazily(() =>
    nodemailer().createTransport({
      url,
      pool: true,
      maxConnections: CONNECTIONS,
      // A server may have closed a connection that was kept; one more try finds out. The rest is for the outbox.
      maxRequeues: 1,
      connectionTimeout: PATIENCE,
      greetingTimeout: PATIENCE,
      socketTimeout: PATIENCE,
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  )
  const underway = new Set<Promise<unknown>>()
  let used = false
  return {
    async send(mail) {
      const sending = transport().sendMail(messageOf(mail, from))
      used = true
      underway.add(sending)
      try {
        await sending
      } catch (error) {
        throw isRefusal(error)
          ? new MailRefused(`The mail server refuses the recipient: ${(error as Error).message}`, {
              cause: error,
            })
          : error
      } finally {
        underway.delete(sending)
      }
    },
    async close() {
      await Promise.allSettled(underway)
      if (used) transport().close()
    },
  }
}

/**
 * A 5xx to `RCPT TO`, or an address that cannot even be asked for. A refused
 * sign-in, sender or message is a matter of settings, which may be put right.
 */
function isRefusal(error: unknown): boolean {
  const { code, command, responseCode, message } = error as Error & {
    readonly code?: string
    readonly command?: string
    readonly responseCode?: number
  }
  if (code !== 'EENVELOPE') return false
  if (command === 'RCPT TO') return responseCode !== undefined && responseCode >= 500 && responseCode < 600
  return command === 'API' && /^(?:Invalid recipient|No recipients)/.test(message)
}

/** Writes mails as `.eml` files instead of sending them, and says so: a first user needs no mail server. */
export function fileMailer(
  folder: string,
  from: string,
  onWritten: (mail: Mail, path: string) => void,
): Mailer {
  const transport = lazily(() =>
    nodemailer().createTransport({
      streamTransport: true,
      buffer: true,
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  )
  return async (mail) => {
    const { message } = await transport().sendMail(messageOf(mail, from))
    await mkdir(folder, { recursive: true })
    const path = join(folder, `${Date.now()}-${randomUUID()}.eml`)
    await writeFile(path, message as Buffer, { mode: 0o600 })
    onWritten(mail, path)
  }
}

function messageOf(mail: Mail, from: string): SendMailOptions {
  const { to, subject, text, html, messageId, headers, replyTo, fromName, invitation } = mail
  const [sender] = addressparser()(from, { flatten: true })
  return {
    from: fromName && sender ? { name: fromName, address: sender.address } : from,
    // As an object it is one address, whatever it contains.
    to: { name: '', address: to },
    subject,
    text,
    html,
    ...(messageId && { messageId }),
    ...(headers && { headers }),
    ...(replyTo && { replyTo: [...replyTo] }),
    ...(invitation && { icalEvent: { method: invitation.method, content: invitation.ics } }),
  }
}
