import assert from 'node:assert/strict'
import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jwtVerify } from 'jose'
import type { PushTarget } from '../../src/domain/push/push.ts'

/** A message as the browser reads it, and as the push service saw it. */
export interface ReceivedPush {
  readonly endpoint: string
  readonly shown: Record<string, string>
  readonly topic: string
  readonly ttl: number
}

/** A browser of the push service. */
export interface StandInBrowser {
  /** As `PushSubscription.toJSON()` gives it. */
  readonly subscription: PushTarget & { readonly expirationTime: null }
  /** What it was sent, oldest first. */
  readonly received: readonly ReceivedPush[]
}

/** A push service on loopback, as strict as RFC 8030, 8291 and 8292. */
export interface PushService {
  readonly url: string
  /** Subscribes a new browser with the key of an application server, which alone may send to it. */
  subscribe(publicKey: string): StandInBrowser
  /** Answers the next requests with these, without delivering. */
  answer(...answers: readonly { readonly status: number; readonly retryAfter?: string }[]): void
  /** Why it refused requests, oldest first. */
  readonly refusals: readonly string[]
  close(): Promise<void>
}

interface Browser extends StandInBrowser {
  readonly publicKey: string
  readonly pair: ECDH
  readonly secret: Buffer
  readonly received: ReceivedPush[]
}

/** RFC 8291 lets a push service refuse more. */
const LARGEST = 4096

export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, Browser>()
  const planned: { readonly status: number; readonly retryAfter?: string }[] = []
  const refusals: string[] = []
  let origin = ''

  /** The status for a request, by the RFCs. */
  const accept = async (request: IncomingMessage, body: Buffer): Promise<number> => {
    const endpoint = origin + request.url
    const browser = browsers.get(endpoint)
    if (browser === undefined) return 404
    const { headers } = request
    assert.equal(request.method, 'POST')
    await checkVapid(headers.authorization ?? '', origin, browser.publicKey)
    assert.match(String(headers.ttl), /^\d+$/, 'TTL')
    assert.match(String(headers.topic ?? ''), /^[\w-]{0,32}$/, 'Topic')
    assert.match(String(headers.urgency ?? 'normal'), /^(?:very-low|low|normal|high)$/, 'Urgency')
    assert.equal(headers['content-encoding'], 'aes128gcm')
    assert.ok(body.length <= LARGEST, 'too large')
    browser.received.push({
      endpoint,
      shown: JSON.parse(decrypt(body, browser)),
      topic: String(headers.topic ?? ''),
      ttl: Number(headers.ttl),
    })
    return 201
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { status, retryAfter } = planned.shift() ?? {
      status: await accept(request, Buffer.concat(chunks)).catch((error: Error) => {
        refusals.push(error.message)
        return 400
      }),
    }
    response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: origin,
    refusals,
    answer: (...answers) => void planned.push(...answers),
    subscribe(publicKey) {
      const endpoint = `${origin}/send/${randomUUID()}`
      const pair = createECDH('prime256v1')
      const p256dh = pair.generateKeys('base64url')
      const secret = randomBytes(16)
      const keys = { p256dh, auth: secret.toString('base64url') }
      const subscription = { endpoint, expirationTime: null, keys }
      const browser = { subscription, publicKey, pair, secret, received: [] }
      browsers.set(endpoint, browser)
      return browser
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** RFC 8292: who sends, to whom, until when, and with the key that the browser has subscribed with. */
async function checkVapid(authorization: string, origin: string, publicKey: string): Promise<void> {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  assert.equal(key, publicKey, 'another application server')
  const point = Buffer.from(key, 'base64url')
  const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString('base64url'),
  )
  const { payload } = await jwtVerify(
    token,
    { kty: 'EC', crv: 'P-256', x, y },
    {
      algorithms: ['ES256'],
      audience: origin,
      requiredClaims: ['exp', 'sub'],
    },
  )
  assert.ok((payload.exp ?? 0) * 1000 - Date.now() <= 86_400_000, 'valid for too long')
  assert.match(payload.sub ?? '', /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/)
}

/** RFC 8291, from the browser's side. */
function decrypt(body: Buffer, { pair, secret }: Browser): string {
  const salt = body.subarray(0, 16)
  assert.ok(body.readUInt32BE(16) >= body.length - 86, 'one record')
  assert.equal(body.readUInt8(20), 65, 'the key of the sender')
  const sender = body.subarray(21, 86)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender])
  const shared = Buffer.from(hkdfSync('sha256', pair.computeSecret(sender), secret, info, 32))
  const derived = (purpose: string, length: number) =>
    Buffer.from(hkdfSync('sha256', shared, salt, `Content-Encoding: ${purpose}\0`, length))
  const sealed = body.subarray(86)
  const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12))
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  const end = padded.findLastIndex((byte) => byte !== 0)
  assert.equal(padded[end], 2, 'the last record')
  return padded.subarray(0, end).toString('utf8')
}
