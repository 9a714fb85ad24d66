import { createECDH, ECDH } from 'node:crypto'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { createRequire } from 'node:module'
import type { PushTarget } from '../../domain/push/push.ts'
import { type Sentence, sentence, sentenceOf } from '../../domain/sentence.ts'
import { lazily } from '../lazily.ts'
import type { Guard } from '../network/guard.ts'

// Loaded with the first notification.
const require = createRequire(import.meta.url)
const webPush = lazily(() => require('web-push') as typeof import('web-push'))

/** The key pair by which push services know this service (RFC 8292), in base64url. */
export interface PushKeys {
  readonly publicKey: string
  readonly privateKey: string
}

interface PushMessage {
  readonly to: PushTarget
  /** Encrypted for the browser alone. */
  readonly payload: string
  /** Replaces an earlier message with the same topic that still waits: at most 32 characters of base64url. */
  readonly topic: string
  /** Seconds for which the push service keeps it. */
  readonly ttl: number
}

/** What became of a message. `gone`: the browser takes no more. */
export type PushOutcome =
  | { readonly state: 'sent' }
  | { readonly state: 'gone' }
  | {
      readonly state: 'later' | 'refused'
      readonly reason: Sentence
      readonly retryAfter: string | undefined
    }

export interface PushSender {
  /** Browsers subscribe with it. */
  readonly publicKey: string
  /** Never throws: failures are part of the result. */
  send(message: PushMessage): Promise<PushOutcome>
}

interface SenderOptions {
  readonly keys: PushKeys
  /** Where push services reach those who run this service: an https or mailto address. */
  readonly contact: string
  readonly guard: Guard
}

const TIMEOUT = 15_000
const CURVE = 'prime256v1'

export function createPushSender({ keys, contact, guard }: SenderOptions): PushSender {
  return {
    publicKey: keys.publicKey,
    async send({ to, payload, topic, ttl }) {
      const signal = AbortSignal.timeout(TIMEOUT)
      try {
        const url = guard.read(to.endpoint)
        const body = webPush().encrypt(to.keys.p256dh, to.keys.auth, payload, 'aes128gcm').cipherText
        const { publicKey, privateKey } = keys
        const signed = webPush().getVapidHeaders(url.origin, contact, publicKey, privateKey, 'aes128gcm')
        const headers = {
          ...signed,
          ttl: String(ttl),
          topic,
          urgency: 'normal',
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          'content-length': String(body.length),
        }
        const response = await post(url, { headers, body, signal, guard })
        return outcomeOf(response.statusCode ?? 0, response.headers['retry-after'])
      } catch (error) {
        return { state: 'later', reason: reasonOf(error, signal), retryAfter: undefined }
      }
    },
  }
}

interface Post {
  readonly headers: Record<string, string>
  readonly body: Buffer
  readonly signal: AbortSignal
  readonly guard: Guard
}

async function post(url: URL, { headers, body, signal, guard }: Post): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  // A new connection each time, so that the address was checked for this one.
  const request = send(url, { method: 'POST', agent: false, lookup: guard.lookup, signal, headers })
  request.on('error', reject)
  request.on('response', resolve)
  request.end(body)
  try {
    return await promise
  } finally {
    // The status says it all.
    request.destroy()
  }
}

function outcomeOf(status: number, retryAfter: string | undefined): PushOutcome {
  if (status >= 200 && status < 300) return { state: 'sent' }
  if (status === 404 || status === 410) return { state: 'gone' }
  const reason = sentence`The server answered ${status}.`
  return { state: status === 429 || status >= 500 ? 'later' : 'refused', reason, retryAfter }
}

/** What went wrong, without details that would let someone explore the network. */
function reasonOf(error: unknown, signal: AbortSignal): Sentence {
  if (signal.aborted) return sentence`The server did not answer within ${TIMEOUT / 1000} seconds.`
  return (error as Error).name === 'RefusedAddress'
    ? sentenceOf(error)
    : sentence`The server could not be reached.`
}

/** A new key pair. */
export function newPushKeys(): PushKeys {
  const pair = createECDH(CURVE)
  return { publicKey: pair.generateKeys('base64url'), privateKey: pair.getPrivateKey('base64url') }
}

/** Whether messages can be encrypted with these keys of a browser. */
export function areBrowserKeys({ p256dh, auth }: PushTarget['keys']): boolean {
  const point = Buffer.from(p256dh, 'base64url')
  if (point.length !== 65 || Buffer.from(auth, 'base64url').length !== 16) return false
  try {
    ECDH.convertKey(point, CURVE)
    return true
  } catch {
    return false
  }
}
