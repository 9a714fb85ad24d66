import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { Host } from './host-api.ts'

const [USER_PRESENT, USER_VERIFIED, HAS_CREDENTIAL] = [0x01, 0x04, 0x40]

/** Adds a passkey to an account, and returns its id. */
export async function enrol(host: Pick<Host, 'post'>): Promise<string> {
  const options = (await host.post('/me/passkeys/options')).json()
  const added = await host.post('/me/passkeys', { name: 'My key', ...createAuthenticator().create(options) })
  assert.equal(added.statusCode, 201, added.body)
  return added.json().id
}

/** What an authenticator or a browser may get wrong, or lie about. */
export interface Lies {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  readonly flags?: number
  readonly counter?: number
  readonly algorithm?: number
  /** The passkey that it says has signed. */
  readonly id?: string
}

export type Authenticator = ReturnType<typeof createAuthenticator>

/** An authenticator with one key (ES256), and the browser between it and the service. */
export function createAuthenticator({
  origin = 'https://book.example.com',
  rpId = 'book.example.com',
  counts = true,
} = {}) {
  const id = randomBytes(16)
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  let uses = 0

  const clientData = (type: string, challenge: string, lies: Lies) =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const authData = (flags: number, lies: Lies, credential = Buffer.alloc(0)) => {
    const head = Buffer.alloc(5)
    head.writeUInt8(lies.flags ?? flags)
    head.writeUInt32BE(lies.counter ?? uses, 1)
    return Buffer.concat([sha256(lies.rpId ?? rpId), head, credential])
  }
  const credentialId = id.toString('base64url')

  return {
    id: credentialId,
    /** What `navigator.credentials.create` answers, as our pages send it. */
    create({ challenge }: { readonly challenge: string }, lies: Lies = {}) {
      const key = map(
        [int(1), int(2)],
        [int(3), int(lies.algorithm ?? -7)],
        [int(-1), int(1)],
        [int(-2), bytes(Buffer.from(x, 'base64url'))],
        [int(-3), bytes(Buffer.from(y, 'base64url'))],
      )
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const data = authData(USER_PRESENT | USER_VERIFIED | HAS_CREDENTIAL, lies, credential)
      const attestation = map(
        [text('fmt'), text('none')],
        [text('attStmt'), map()],
        [text('authData'), bytes(data)],
      )
      return {
        credentialId,
        clientDataJSON: clientData('webauthn.create', challenge, lies).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      }
    },
    /** What `navigator.credentials.get` answers, as our pages send it. */
    get({ challenge }: { readonly challenge: string }, lies: Lies = {}) {
      if (counts) uses++
      const client = clientData('webauthn.get', challenge, lies)
      const data = authData(USER_PRESENT, lies)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return {
        credentialId: lies.id ?? credentialId,
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      }
    },
  }
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

// As much of CBOR as an authenticator needs.
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}
const int = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value))
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value])
const text = (value: string) => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
const map = (...entries: readonly (readonly [Buffer, Buffer])[]) =>
  Buffer.concat([head(5, entries.length), ...entries.flat()])
