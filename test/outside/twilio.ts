import { createHmac } from 'node:crypto'
import { type Answer, type Asked, formOf, type StandIn, startStandIn } from './stand-in.ts'

/** A text that Twilio has accepted. */
export interface OutsideText {
  readonly sid: string
  readonly to: string
  readonly from: string
  readonly text: string
  readonly statusCallback: string
}

/** A stand-in for Twilio: sending a message, and reading the account. */
export interface TwilioStandIn extends StandIn {
  /** What it has accepted, oldest first. */
  readonly texts: readonly OutsideText[]
  /** As the operator would set them. */
  readonly settings: {
    readonly accountSid: string
    readonly authToken: string
    readonly from: string
    readonly apiUrl: string
  }
  /** What it would send in `X-Twilio-Signature` when it posts this form there. */
  readonly sign: (url: string, form: Readonly<Record<string, string>>) => string
}

/** Numbers that Twilio refuses, with its reasons, as it documents them for tests. */
const REFUSED: Readonly<Record<string, readonly [number, string]>> = {
  '+15005550001': [21211, "The 'To' number +15005550001 is not a valid phone number."],
  '+15005550003': [
    21408,
    "Permission to send an SMS has not been enabled for the region of the 'To' number.",
  ],
  '+15005550009': [21614, "'To' number is not a valid mobile number"],
}

const FIELDS = ['To', 'From', 'MessagingServiceSid', 'Body', 'StatusCallback']

export async function startTwilio(): Promise<TwilioStandIn> {
  const texts: OutsideText[] = []
  const [accountSid, authToken, from] = [`AC${'0'.repeat(32)}`, 'token-of-the-tests', '+15005550006']
  const refuse = (status: number, message: string, code = 20000 + status): Answer => ({
    status,
    body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
  })
  const isOurs = ({ headers }: Asked) =>
    headers.authorization === `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  const unknown = refuse(401, 'Authenticate', 20003)

  const create = (asked: Asked): Answer => {
    if (!isOurs(asked)) return unknown
    if (!/^application\/x-www-form-urlencoded/.test(asked.headers['content-type'] ?? ''))
      return refuse(400, 'Unsupported content type')
    const form = formOf(asked)
    const strange = [...form.keys()].find((name) => !FIELDS.includes(name))
    if (strange !== undefined) return refuse(400, `Unknown parameter: ${strange}`)
    const [to, text, statusCallback] = ['To', 'Body', 'StatusCallback'].map((name) => form.get(name) ?? '')
    if (!to) return refuse(400, "A 'To' phone number is required.", 21604)
    if (!text) return refuse(400, 'Message body is required.', 21602)
    if (text.length > 1600) return refuse(400, 'The concatenated message body exceeds 1600.', 21617)
    const sender = form.get('From') ?? form.get('MessagingServiceSid') ?? ''
    if (sender === '') return refuse(400, "A 'From' phone number is required.", 21603)
    if (statusCallback && !URL.canParse(statusCallback))
      return refuse(400, 'The StatusCallback URL is not a valid URL.', 21609)
    const [code, reason] = REFUSED[to] ?? []
    if (code !== undefined && reason !== undefined) return refuse(400, reason, code)
    if (!/^\+[1-9]\d{6,14}$/.test(to)) return refuse(400, 'Invalid To number', 21211)
    const sid = `SM${String(texts.length).padStart(32, '0')}`
    texts.push({ sid, to, from: sender, text, statusCallback: statusCallback ?? '' })
    return { status: 201, body: { sid, status: 'queued', to, from: sender, error_code: null } }
  }
  const standIn = await startStandIn({
    refuse,
    routes: () => [
      { method: 'POST', path: /^\/2010-04-01\/Accounts\/AC0{32}\/Messages\.json$/, answer: create },
      {
        method: 'GET',
        path: /^\/2010-04-01\/Accounts\/AC0{32}\.json$/,
        answer: (asked) =>
          isOurs(asked) ? { status: 200, body: { sid: accountSid, status: 'active' } } : unknown,
      },
    ],
  })
  return {
    ...standIn,
    texts,
    settings: { accountSid, authToken, from, apiUrl: standIn.url },
    sign: (url, form) => {
      const fields = Object.entries(form).sort(([a], [b]) => (a < b ? -1 : 1))
      return createHmac('sha1', authToken)
        .update(url + fields.flat().join(''))
        .digest('base64')
    },
  }
}
