import { createHmac, timingSafeEqual } from 'node:crypto'
import { sentence } from '../../domain/sentence.ts'
import { printableLine, shortened } from '../../format/text/printable.ts'
import { KEY_REFUSED, SMS_TIMEOUT, type SmsCall, SmsNotAsked, SmsRefused, type SmsSender } from './sms.ts'

export interface TwilioSettings {
  readonly accountSid: string
  readonly authToken: string
  /** A number, or a messaging service (`MG…`). */
  readonly from: string
  readonly apiUrl: string
}

interface TwilioOptions {
  /** Where it tells what became of a text. */
  readonly statusUrl: string
  /** Milliseconds for a whole request. */
  readonly timeout?: number
}

/** Twilio's form API. It knows no repeats, so it is asked once for each text. */
export function twilioSender(settings: TwilioSettings, options: TwilioOptions): SmsSender {
  const { accountSid, authToken, from, apiUrl } = settings
  const account = `${apiUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  const ask = async (url: string, body?: URLSearchParams): Promise<Response> => {
    try {
      return await fetch(url, {
        ...(body && { method: 'POST', body }),
        headers: { authorization },
        redirect: 'manual',
        signal: AbortSignal.timeout(options.timeout ?? SMS_TIMEOUT),
      })
    } catch (error) {
      const { code = '' } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
      if (BEFORE_ASKING.has(code)) throw new SmsNotAsked({ cause: error })
      throw error
    }
  }
  return {
    isIdempotent: false,
    async send({ id, to, text }) {
      const statusCallback = `${options.statusUrl}?message=${id}`
      const sender = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from }
      const form = { To: to, ...sender, Body: text, StatusCallback: statusCallback }
      const response = await ask(`${account}/Messages.json`, new URLSearchParams(form))
      if (response.status >= 500) throw new Error(`Twilio answered ${response.status}.`)
      if (!response.ok) throw await refusalOf(response)
      const { sid } = (await response.json()) as { sid?: unknown }
      return typeof sid === 'string' ? sid : ''
    },
    async check() {
      const response = await ask(`${account}.json`)
      if (!response.ok) throw await refusalOf(response)
      await response.body?.cancel()
    },
    isGenuine: (call) => isGenuine(authToken, call),
  }
}

/** Errors of a connection that was never made. */
const BEFORE_ASKING: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])

const LONGEST_REASON = 300

async function refusalOf(response: Response): Promise<SmsRefused> {
  const { status } = response
  const { code, message } = (await response.json().catch(() => ({}))) as { code?: unknown; message?: unknown }
  if (status === 401 || status === 403) return new SmsRefused(KEY_REFUSED)
  if (typeof message !== 'string') return new SmsRefused(sentence`The provider refuses it (${status}).`)
  const reason = shortened(printableLine(message), LONGEST_REASON)
  return new SmsRefused(sentence`The provider refuses it: ${reason} (${String(code ?? status)})`)
}

/** Twilio signs the address and all fields, by name. */
function isGenuine(authToken: string, { url, form, signature }: SmsCall): boolean {
  const names = [...new Set(form.keys())].sort()
  const fields = names.flatMap((name) => form.getAll(name).map((value) => `${name}${value}`))
  const expected = createHmac('sha1', authToken)
    .update(`${url}${fields.join('')}`)
    .digest()
  const given = Buffer.from(signature, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
