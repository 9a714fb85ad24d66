import { randomInt } from 'node:crypto'
import { type Challenge, createChallenge, type Payload, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'

// About half a second of one core: little for a guest, a lot for thousands of spam bookings.
const COST = 2000
const TRIES: Tries = [300, 1000]

/** How many guesses a challenge takes: from, and less than. */
export type Tries = readonly [number, number]

/** A proof-of-work challenge for one subject (an event type) until it expires. */
export function createAltchaChallenge(
  secret: string,
  subject: string,
  expiresAt: number,
  tries = TRIES,
): Promise<Challenge> {
  return createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: COST,
    counter: randomInt(...tries),
    deriveKey,
    data: { subject },
    expiresAt: Math.floor(expiresAt / 1000),
    hmacSignatureSecret: secret,
    hmacKeySignatureSecret: `${secret}:key`,
  })
}

interface AltchaSolution {
  /** Identifies the challenge: the same for all its solutions. */
  readonly id: string
  readonly expiresAt: number
}

/** Checks a solution (base64 of JSON, as the ALTCHA widget sends it); undefined if it is not valid. */
export async function verifyAltcha(
  secret: string,
  subject: string,
  token: string,
  now: number,
): Promise<AltchaSolution | undefined> {
  const payload = readPayload(token)
  const parameters = payload?.challenge?.parameters
  // Otherwise a sender could choose expensive parameters that we would have to compute.
  if (payload === undefined || parameters?.cost !== COST || parameters.data?.subject !== subject)
    return undefined
  if (typeof payload.challenge.signature !== 'string' || typeof parameters.expiresAt !== 'number')
    return undefined
  if (parameters.expiresAt * 1000 <= now) return undefined
  try {
    const { verified } = await verifySolution({
      challenge: payload.challenge,
      solution: payload.solution,
      deriveKey,
      hmacSignatureSecret: secret,
      hmacKeySignatureSecret: `${secret}:key`,
    })
    if (!verified) return undefined
    return { id: payload.challenge.signature.toLowerCase(), expiresAt: parameters.expiresAt * 1000 }
  } catch {
    // The library throws on malformed payloads.
    return undefined
  }
}

function readPayload(token: string): Payload | undefined {
  try {
    const payload = JSON.parse(Buffer.from(token, 'base64').toString('utf8'))
    return typeof payload?.solution === 'object' && payload.solution !== null ? payload : undefined
  } catch {
    return undefined
  }
}
