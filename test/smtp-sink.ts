import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  readonly from: string
  readonly to: string
  readonly raw: Buffer
  /** As a parser that is not ours reads it. */
  readonly mail: Email
}

export interface SmtpSink {
  readonly url: string
  /** Taken so far, oldest first. */
  readonly received: ReceivedMail[]
  /** How many connections were made so far, and how many are open. */
  connections(): { readonly made: number; readonly open: number }
  /** Answers this command with this code from now on. */
  refuse(command: 'MAIL FROM' | 'RCPT TO' | 'DATA', code: number): void
  accept(): void
  /** Asked about every mail before it is taken, from now on: a code refuses it. */
  judge(how: (mail: ReceivedMail) => number | undefined | Promise<number | undefined>): void
  /** Settles once no connection is open. */
  quiet(): Promise<void>
  close(): Promise<void>
}

/** A real SMTP server on the loopback that keeps what it is given. */
export async function startSmtpSink(): Promise<SmtpSink> {
  const received: ReceivedMail[] = []
  const open = new Set<string>()
  const waiting: (() => void)[] = []
  let made = 0
  let judge: Parameters<SmtpSink['judge']>[0] = () => undefined
  let refusal: { readonly command: string; readonly code: number } | undefined
  const answer = (command: string): Error | null => {
    if (refusal?.command !== command) return null
    return Object.assign(new Error(`${command} is not taken`), { responseCode: refusal.code })
  }
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onConnect(session, callback) {
      made++
      open.add(session.id)
      callback()
    },
    onClose(session) {
      open.delete(session.id)
      if (open.size === 0) for (const resolve of waiting.splice(0)) resolve()
    },
    onMailFrom: (_address, _session, callback) => callback(answer('MAIL FROM')),
    onRcptTo: (_address, _session, callback) => callback(answer('RCPT TO')),
    async onData(stream, session, callback) {
      const chunks = await stream.toArray().catch(() => undefined)
      // A client that hangs up in the middle has sent nothing.
      if (chunks === undefined) return
      const raw = Buffer.concat(chunks)
      const problem = answer('DATA')
      if (problem !== null) return callback(problem)
      const { mailFrom, rcptTo } = session.envelope
      const given: ReceivedMail = {
        from: mailFrom === false ? '' : mailFrom.address,
        to: rcptTo.map(({ address }) => address).join(),
        raw,
        mail: await PostalMime.parse(raw),
      }
      const responseCode = await judge(given)
      if (responseCode !== undefined) {
        return callback(Object.assign(new Error('not this one'), { responseCode }))
      }
      received.push(given)
      callback(null)
    },
  })
  // A client that hangs up is no failure of the sink.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    connections: () => ({ made, open: open.size }),
    refuse(command, code) {
      refusal = { command, code }
    },
    accept() {
      refusal = undefined
    },
    judge(how) {
      judge = how
    },
    quiet: () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
