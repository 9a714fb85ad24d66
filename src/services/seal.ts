import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { Context } from './context.ts'

const ALGORITHM = 'aes-256-gcm'
const NONCE = 12
const TAG = 16

/** A separate key: the one that signs tokens never encrypts. */
const keyFrom = (secret: string) => createHmac('sha256', secret).update('sealed-passwords').digest()

/** Encrypts a text for storage. Decrypting needs the same `purpose`. */
export function seal(context: Pick<Context, 'jwtSecret'>, purpose: string, text: string): string {
  if (text === '') return ''
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv(ALGORITHM, keyFrom(context.jwtSecret), nonce).setAAD(Buffer.from(purpose))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
}

/** Decrypts a sealed text; undefined if neither of the service's secrets sealed it or it was tampered with. */
export function unseal(
  { jwtSecret, previousJwtSecret = '' }: Pick<Context, 'jwtSecret' | 'previousJwtSecret'>,
  purpose: string,
  sealed: string,
): string | undefined {
  if (sealed === '') return ''
  const text = unsealWith(jwtSecret, purpose, sealed)
  return text === undefined && previousJwtSecret !== ''
    ? unsealWith(previousJwtSecret, purpose, sealed)
    : text
}

function unsealWith(secret: string, purpose: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64')
  try {
    const decipher = createDecipheriv(ALGORITHM, keyFrom(secret), bytes.subarray(0, NONCE), {
      authTagLength: TAG,
    })
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
