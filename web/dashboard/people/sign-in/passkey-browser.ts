import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { passkeysWorkAt } from '../../../../src/domain/people/passkey.ts'
import { HostApiFailure } from '../../core/data/errors.ts'
import type { PasskeyRequest, SignedPasskey } from '../../core/data/session.ts'
import type { AddPasskey, PasskeyCreationView } from '../../core/data/views.ts'
import { words } from '../../words.ts'

const load = () => import('@simplewebauthn/browser')

/** Loads what talks to authenticators. Called early: some browsers forget a click that is a while ago. */
export function prepare(): void {
  load().catch(() => undefined)
}

/** Whether the service's passkeys can be used on this page: they belong to the public address alone. */
export const passkeysWorkHere = (publicUrl: string) =>
  passkeysWorkAt(publicUrl) && new URL(publicUrl).origin === location.origin

/** Has the browser make a passkey. */
export async function createPasskey(options: PasskeyCreationView): Promise<Omit<AddPasskey, 'name'>> {
  const { startRegistration } = await load()
  const optionsJSON: PublicKeyCredentialCreationOptionsJSON = {
    ...options,
    pubKeyCredParams: [...options.pubKeyCredParams],
    excludeCredentials: options.excludeCredentials.map(toDescriptor),
  }
  const { id, response } = await startRegistration({ optionsJSON }).catch(explain)
  const { clientDataJSON, attestationObject, transports = [] } = response
  return { credentialId: id, clientDataJSON, attestationObject, transports }
}

/** Has the browser sign with a passkey. */
export async function signWithPasskey(options: PasskeyRequest): Promise<SignedPasskey> {
  const { startAuthentication } = await load()
  const allowCredentials = options.allowCredentials.map(toDescriptor)
  const { id, response } = await startAuthentication({
    optionsJSON: { ...options, allowCredentials },
  }).catch(explain)
  const { clientDataJSON, authenticatorData, signature } = response
  return { credentialId: id, clientDataJSON, authenticatorData, signature }
}

/** Browsers ignore transports that they don't know. */
const toDescriptor = ({ id, type, transports }: PasskeyRequest['allowCredentials'][number]) => ({
  id,
  type,
  transports: transports as AuthenticatorTransport[],
})

/** Says in a sentence why the browser refused. Browsers hide whether someone cancelled or has no such key. */
function explain(error: unknown): never {
  const name = error instanceof Error ? error.name : ''
  const p = words.passkeys
  if (typeof PublicKeyCredential === 'undefined') throw new HostApiFailure(403, p.unsupported)
  throw new HostApiFailure(403, name === 'InvalidStateError' ? p.known : p.cancelled)
}
