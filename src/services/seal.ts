import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { Context } from './context.ts'

const ALGORITHM = 'aes-256-gcm'
const NONCE = 12
const TAG = 16

/** A separate key: the one that signs tokens never encrypts. */
const keyOf = ({ jwtSecret }: Pick<Context, 'jwtSecret'>) =>
  createHmac('sha256', jwtSecret).update('sealed-passwords').digest()

/** Encrypts a text for storage. Decrypting needs the same `purpose`. */
export function seal(context: Pick<Context, 'jwtSecret'>, purpose: string, text: string): string {
  if (text === '') return ''
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv(ALGORITHM, keyOf(context), nonce).setAAD(Buffer.from(purpose))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
}

/** Decrypts a sealed text; undefined if the service's secret has changed or the text was tampered with. */
export function unseal(
  context: Pick<Context, 'jwtSecret'>,
  purpose: string,
  sealed: string,
): string | undefined {
  if (sealed === '') return ''
  const bytes = Buffer.from(sealed, 'base64')
  try {
    const decipher = createDecipheriv(ALGORITHM, keyOf(context), bytes.subarray(0, NONCE), {
      authTagLength: TAG,
    })
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
