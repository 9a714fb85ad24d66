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
  /** With angle brackets. Stays the same when the mail is sent again. */
  readonly messageId?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly replyTo?: readonly Mailbox[]
  /** The sender's name, instead of the one in `MAIL_FROM`; the address stays. */
  readonly fromName?: string
  readonly invitation?: Invitation
}

/** Sends a mail; resolves when the server has accepted it. */
export type Mailer = (mail: Mail) => Promise<void>

export interface SmtpMailer {
  readonly send: Mailer
  /** Closes the connections after the emails in progress have been sent or have failed. */
  close(): Promise<void>
}

/** The server refuses this recipient for good: retrying cannot help. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}

const TIMEOUT = 10_000
const CONNECTIONS = 4

/** Sends over a small pool of connections. */
export function smtpMailer(url: string, from: string): SmtpMailer {
  const transport = lazily(() =>
    nodemailer().createTransport({
      url,
      pool: true,
      maxConnections: CONNECTIONS,
      // The server may have closed a pooled connection, so try once more. The outbox does all other retries.
      maxRequeues: 1,
      connectionTimeout: TIMEOUT,
      greetingTimeout: TIMEOUT,
      socketTimeout: TIMEOUT,
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  )
  const inFlight = new Set<Promise<unknown>>()
  let used = false
  return {
    async send(mail) {
      const sending = transport().sendMail(messageOf(mail, from))
      used = true
      inFlight.add(sending)
      try {
        await sending
      } catch (error) {
        throw isRefusal(error)
          ? new MailRefused(`The mail server refuses the recipient: ${(error as Error).message}`, {
              cause: error,
            })
          : error
      } finally {
        inFlight.delete(sending)
      }
    },
    async close() {
      await Promise.allSettled(inFlight)
      if (used) transport().close()
    },
  }
}

/**
 * A 5xx to `RCPT TO`, or an address that is not valid. A refused sign-in, sender or message is a matter of settings,
 * which the operator can correct.
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

/** Writes emails as `.eml` files instead of sending them, so that first users need no mail server. */
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
    // An object is always one address; a text would be parsed as a list.
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
