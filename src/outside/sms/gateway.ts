import { sentence } from '../../domain/sentence.ts'
import { createWebhookSender } from '../webhooks/webhook.ts'
import { KEY_REFUSED, SMS_TIMEOUT, SmsRefused, type SmsSender } from './sms.ts'

export interface GatewaySettings {
  readonly url: string
  /** In the format of Standard Webhooks. */
  readonly secret: string
}

/** The operator's own gateway. It gets signed JSON, and knows a repeat by its id. */
export function gatewaySender(
  { url, secret }: GatewaySettings,
  { now, timeout = SMS_TIMEOUT }: { readonly now: () => number; readonly timeout?: number },
): SmsSender {
  // The operator chose the address, so it may be a private one.
  const webhooks = createWebhookSender({ allowPrivate: true, timeout })
  return {
    isIdempotent: true,
    async send({ id, to, text }) {
      const body = JSON.stringify({ id, to, text })
      const answer = await webhooks.send({ url, id, body, secrets: [secret], sentAt: now() })
      if (answer.error === '') return ''
      const { status } = answer
      if (status === null || status === 408 || status === 429 || status >= 500) throw new Error(answer.error)
      throw new SmsRefused(
        status === 401 || status === 403 ? KEY_REFUSED : sentence`The provider refuses it (${status}).`,
      )
    },
    async check() {
      // Any answer will do: only a signed POST sends a text.
      const response = await fetch(url, {
        method: 'HEAD',
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
      })
      if (response.status >= 500) throw new Error(`The gateway answered ${response.status}.`)
    },
  }
}
