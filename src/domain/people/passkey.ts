/** A key of a person, which they prove at sign-in besides the emailed link. */
export interface Passkey {
  readonly id: string
  readonly userId: string
  /** Base64url, as the authenticator chose it. */
  readonly credentialId: string
  /** COSE, in base64url. */
  readonly publicKey: string
  /** How often the authenticator says that it was used; always 0 with some. */
  readonly counter: number
  /** How browsers reach the authenticator. */
  readonly transports: readonly string[]
  readonly name: string
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

/** Per person. */
export const MAX_PASSKEYS = 20

/** How many recovery codes a person gets at a time. */
export const RECOVERY_CODES = 10

/** Bytes of a recovery code. 80 bits: too many to guess, even for someone who has stolen the hashes. */
export const RECOVERY_CODE_BYTES = 10

/** EdDSA, ES256 and RS256: what authenticators have. */
export const PASSKEY_ALGORITHMS: readonly number[] = [-8, -7, -257]

/** Whether browsers can make passkeys for a service at this address: they need a domain, and https except on this machine. */
export function passkeysWorkAt(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  if (/^\d+\.\d+\.\d+\.\d+$|^\[/.test(hostname)) return false
  return protocol === 'https:' || /^(?:.+\.)?localhost$/.test(hostname)
}

// Without I, L, O and U, which people mistake for other characters.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Writes a recovery code of `RECOVERY_CODE_BYTES` random bytes, such as `7K3M-…`. */
export function formatRecoveryCode(bytes: Uint8Array): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  const characters = bits.match(/.{5}/g)?.map((five) => ALPHABET[Number.parseInt(five, 2)]) ?? []
  return characters.join('').replace(/.{4}(?=.)/g, '$&-')
}

/** A recovery code as it was written, however a person types it. */
export function readRecoveryCode(given: string): string {
  const characters = given
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  return characters.replace(/.{4}(?=.)/g, '$&-')
}
