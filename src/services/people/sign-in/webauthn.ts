import { createRequire } from 'node:module'
import { PASSKEY_ALGORITHMS, type Passkey } from '../../../domain/people/passkey.ts'
import { lazily } from '../../../outside/lazily.ts'
import type { Context } from '../../context.ts'

// Most requests need no passkey, so the library is loaded with the first one.
const require = createRequire(import.meta.url)
const webauthn = lazily(() => require('@simplewebauthn/server') as typeof import('@simplewebauthn/server'))

type Registration = Parameters<
  typeof import('@simplewebauthn/server').verifyRegistrationResponse
>[0]['response']
type Authentication = Parameters<
  typeof import('@simplewebauthn/server').verifyAuthenticationResponse
>[0]['response']

/** What a browser says about a passkey. Bytes are in base64url. */
interface Credential {
  readonly credentialId: string
  readonly clientDataJSON: string
}

/** What it says about a new one. */
export interface NewCredential extends Credential {
  readonly attestationObject: string
  readonly transports?: readonly string[]
}

/** What it says when a passkey has signed a challenge. */
export interface SignedChallenge extends Credential {
  readonly authenticatorData: string
  readonly signature: string
}

/** Why an answer of a browser was not accepted. The reason is for the operator. */
export class PasskeyRefused extends Error {}

/** The domain that passkeys belong to. */
export const domainOf = ({ publicUrl }: Context) => new URL(publicUrl).hostname
const originOf = ({ publicUrl }: Context) => new URL(publicUrl).origin

/** Checks a new passkey; throws `PasskeyRefused`. */
export async function verifyNewPasskey(
  context: Context,
  challenge: string,
  { credentialId, ...given }: NewCredential,
): Promise<Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports'>> {
  const { registrationInfo } = await refusing(
    webauthn().verifyRegistrationResponse({
      response: { ...named(credentialId), response: given } as Registration,
      expectedChallenge: challenge,
      expectedOrigin: originOf(context),
      expectedRPID: domainOf(context),
      // The emailed link is the first factor, so having the key is enough for the second.
      requireUserVerification: false,
      supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
    }),
  )
  if (registrationInfo === undefined) throw new PasskeyRefused('its attestation is not valid')
  const { id, publicKey, counter } = registrationInfo.credential
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: given.transports ?? [],
  }
}

/** Checks that this passkey has signed the challenge, and returns its new counter; throws `PasskeyRefused`. */
export async function verifyPasskey(
  context: Context,
  challenge: string,
  { credentialId, ...signed }: SignedChallenge,
  { publicKey, counter }: Passkey,
): Promise<number> {
  const { verified, authenticationInfo } = await refusing(
    webauthn().verifyAuthenticationResponse({
      response: { ...named(credentialId), response: signed } as Authentication,
      expectedChallenge: challenge,
      expectedOrigin: originOf(context),
      expectedRPID: domainOf(context),
      credential: {
        id: credentialId,
        publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
        counter,
      },
      requireUserVerification: false,
    }),
  )
  if (!verified) throw new PasskeyRefused('its signature is not valid')
  return authenticationInfo.newCounter
}

/** As browsers wrap what they say. */
const named = (id: string) => ({ id, rawId: id, type: 'public-key', clientExtensionResults: {} })

/** The library throws plain errors for all that it does not accept, broken encodings included. */
async function refusing<T>(verifying: Promise<T>): Promise<T> {
  try {
    return await verifying
  } catch (cause) {
    throw new PasskeyRefused(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}
