import { createHmac } from 'node:crypto'
import type { WebhookFormat } from '../../domain/webhooks/formats.ts'

/** What is signed, and with what. */
export interface Signed {
  readonly id: string
  readonly body: string
  readonly format?: WebhookFormat
  readonly secrets: readonly string[]
  readonly sentAt: number
}

/** The headers that sign a message in the way of its format. */
export function signatureOf(message: Signed): Record<string, string> {
  return SIGNERS[message.format ?? 'standard'](message)
}

const SIGNERS: Readonly<Record<WebhookFormat, (message: Signed) => Record<string, string>>> = {
  standard: ({ id, body, secrets, sentAt }) => {
    const timestamp = secondsOf(sentAt)
    const signed = `${id}.${timestamp}.${body}`
    return {
      'webhook-timestamp': timestamp,
      'webhook-signature': secrets.map((secret) => `v1,${hmac(keyOf(secret), signed, 'base64')}`).join(' '),
    }
  },
  // Receivers of these two compare with one signature, so the current secret alone signs.
  calcom: ({ body, secrets }) => ({
    'x-cal-signature-256': hmac(secrets[0] ?? '', body, 'hex'),
    'x-cal-webhook-version': '2021-10-20',
  }),
  calendly: ({ body, secrets, sentAt }) => {
    const timestamp = secondsOf(sentAt)
    const signature = hmac(secrets[0] ?? '', `${timestamp}.${body}`, 'hex')
    return { 'calendly-webhook-signature': `t=${timestamp},v1=${signature}` }
  },
}

const secondsOf = (at: number) => String(Math.floor(at / 1000))

const hmac = (key: string | Buffer, signed: string, as: 'hex' | 'base64') =>
  createHmac('sha256', key).update(signed).digest(as)

const PREFIX = 'whsec_'

const keyOf = (secret: string) => Buffer.from(secret.slice(PREFIX.length), 'base64')

/** A secret in the format of Standard Webhooks, from random bytes. */
export const formatSecret = (random: Buffer) => `${PREFIX}${random.toString('base64')}`

/** Whether Standard Webhooks can sign with it: other formats take any text. */
export const isStandardSecret = (secret: string) => /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)
