import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import nodemailer from 'nodemailer'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Hands a mail over; resolves when the other side has taken it. */
export type Mailer = (mail: Mail) => Promise<void>

const PATIENCE = 10_000

export function smtpMailer(url: string, from: string): Mailer {
  const transport = nodemailer.createTransport(url, { from })
  Object.assign(transport.options, {
    connectionTimeout: PATIENCE,
    greetingTimeout: PATIENCE,
    socketTimeout: PATIENCE,
  })
  return async (mail) => {
    await transport.sendMail(mail)
  }
}

/** Writes mails as `.eml` files instead of sending them, and says so: a first user needs no mail server. */
export function fileMailer(
  folder: string,
  from: string,
  onWritten: (mail: Mail, path: string) => void,
): Mailer {
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true }, { from })
  return async (mail) => {
    const { message } = await transport.sendMail(mail)
    await mkdir(folder, { recursive: true })
    const path = join(folder, `${Date.now()}-${randomUUID()}.eml`)
    await writeFile(path, message as Buffer, { mode: 0o600 })
    onWritten(mail, path)
  }
}
