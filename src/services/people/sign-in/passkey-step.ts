import { MINUTE } from '../../../domain/interval.ts'
import type { User } from '../../../domain/people/user.ts'
import type { Db } from '../../../store/engine/database.ts'
import { findPasskeys, putPasskeyChallenge } from '../../../store/people/passkeys.ts'
import type { Context } from '../../context.ts'
import { hashSecret, newSecret } from '../../secret.ts'
import { domainOf } from './webauthn.ts'

/** How long a challenge can be met. */
export const CHALLENGE_LASTS = 10 * MINUTE

/** A sign-in that waits for a passkey. */
export interface PasskeyStep {
  /** What the browser gives to `navigator.credentials.get`. */
  readonly options: PasskeyRequest
  /** Of a cookie: only the browser that used the link can go on. */
  readonly secret: string
}

interface PasskeyRequest {
  readonly challenge: string
  readonly rpId: string
  /** Milliseconds. */
  readonly timeout: number
  readonly userVerification: 'preferred'
  readonly allowCredentials: readonly PasskeyHandle[]
}

/** How a browser finds a passkey. */
export interface PasskeyHandle {
  readonly id: string
  readonly type: 'public-key'
  readonly transports: readonly string[]
}

/** Asks for one of the user's passkeys; undefined if they have none. */
export async function beginPasskeyStep(
  context: Context,
  db: Db,
  user: User,
): Promise<PasskeyStep | undefined> {
  const handles = await findPasskeyHandles(db, user.id)
  if (handles.length === 0) return undefined
  const [secret, challenge] = [newSecret(), newSecret()]
  const expiresAt = context.now() + CHALLENGE_LASTS
  await putPasskeyChallenge(db, { holderHash: holderOf(secret), userId: user.id, challenge, expiresAt })
  const options: PasskeyRequest = {
    challenge,
    rpId: domainOf(context),
    timeout: CHALLENGE_LASTS,
    userVerification: 'preferred',
    allowCredentials: handles,
  }
  return { options, secret }
}

export async function findPasskeyHandles(db: Db, userId: string): Promise<PasskeyHandle[]> {
  const passkeys = await findPasskeys(db, userId)
  return passkeys.map(({ credentialId: id, transports }) => ({ id, type: 'public-key', transports }))
}

/** The holder of a sign-in's challenge. The prefix keeps it apart from those of sessions, which add passkeys. */
export const holderOf = (secret: string) => hashSecret(`sign-in:${secret}`)
