import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Transform } from 'node:stream'
import type SMTPPool from 'nodemailer/lib/smtp-pool'
import { type Sentence, say, sentence } from '../../domain/sentence.ts'
import { lazily } from '../lazily.ts'
import { type Mailbox, parseMailbox } from './header-fields.ts'
import { type Mail, type Message, writeMessage } from './message.ts'

const require = createRequire(import.meta.url)
const SmtpPool = lazily(
  () => require('nodemailer/lib/smtp-pool') as typeof import('nodemailer/lib/smtp-pool').default,
)

export type { Mail, Mailbox }

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
  readonly sentence: Sentence

  constructor(sentence: Sentence, options?: ErrorOptions) {
    super(say(sentence), options)
    this.sentence = sentence
  }
}

const TIMEOUT = 10_000
const CONNECTIONS = 4

/** Sends over a small pool of connections. */
export function smtpMailer(url: string, from: string): SmtpMailer {
  const pool = lazily(
    () =>
      new (SmtpPool())({
        url,
        maxConnections: CONNECTIONS,
        // The server may have closed a pooled connection, so try once more. The outbox does all other retries.
        maxRequeues: 1,
        connectionTimeout: TIMEOUT,
        greetingTimeout: TIMEOUT,
        socketTimeout: TIMEOUT,
      }),
  )
  const sender = lazily(() => parseMailbox(from))
  const inFlight = new Set<Promise<unknown>>()
  let used = false
  return {
    async send(mail) {
      const sending = sendOver(pool(), writeMessage(mail, sender()))
      used = true
      inFlight.add(sending)
      try {
        await sending
      } catch (error) {
        throw isRefusal(error)
          ? new MailRefused(sentence`The mail server refuses the recipient: ${(error as Error).message}`, {
              cause: error,
            })
          : error
      } finally {
        inFlight.delete(sending)
      }
    },
    async close() {
      await Promise.allSettled(inFlight)
      if (used) pool().close()
    },
  }
}

/** Past Nodemailer's mailer, which would compile a message that is already written. This is all that its pool asks of one. */
function sendOver(pool: SMTPPool, { envelope, messageId, raw }: Message): Promise<void> {
  const message = {
    getEnvelope: () => envelope,
    messageId: () => messageId,
    getHeader: () => messageId,
    createReadStream: () => writtenAlready(raw),
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  pool.send({ data: {}, message } as never, (error) => (error ? reject(error) : resolve()))
  return promise
}

/**
 * A message that Nodemailer sends as it is, without looking at every byte for dots and line breaks. With its streams, that
 * took a tenth of what a booking with its mails costs.
 */
function writtenAlready(raw: Buffer) {
  return {
    /** Until then, it may be sent over another connection. */
    readableDidRead: false,
    /** `encoder` is piped into the connection. What is pushed leaves as it is. */
    pipe(encoder: Transform): void {
      this.readableDidRead = true
      encoder.push(Buffer.concat([stuffDots(raw), END]))
      encoder.push(null)
    },
  }
}

/** Ends a message, after the end of its last line. */
const END = Buffer.from('.\r\n')

/** A line with a dot alone would end the message (RFC 5321, 4.5.2). */
function stuffDots(lines: Buffer): Buffer {
  if (!lines.includes('\r\n.')) return lines
  return Buffer.from(lines.toString('latin1').replaceAll('\r\n.', '\r\n..'), 'latin1')
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
  const sender = lazily(() => parseMailbox(from))
  return async (mail) => {
    const path = join(folder, `${Date.now()}-${randomUUID()}.eml`)
    const { raw } = writeMessage(mail, sender())
    const write = () => writeFile(path, raw, { mode: 0o600 })
    try {
      await write().catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
        await mkdir(folder, { recursive: true })
        await write()
      })
    } catch (error) {
      // On a full disk, half an email may be there.
      await rm(path, { force: true })
      throw error
    }
    onWritten(mail, path)
  }
}
