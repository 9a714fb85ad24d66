import { sentence, verbatim } from '../../../domain/sentence.ts'
import { identityProvider, OidcFailure } from '../../../outside/sign-on/oidc.ts'
import type { Surroundings } from '../../surroundings.ts'
import { type Finding, reasonOf } from './check-surroundings.ts'

const SECOND = 1000

/** Does the identity provider answer as it should, and will it send people back to this service? */
export async function checkSingleSignOn({ oidc, publicUrl }: Surroundings): Promise<Finding[]> {
  if (oidc.issuer === '') return []
  const what = sentence`Sign-on`
  const callback = `${publicUrl}/auth/oidc/callback`
  try {
    const { metadata, skew } = await identityProvider(oidc).discover()
    const missing = (['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const).filter(
      (name) => metadata[name] === undefined,
    )
    if (missing.length > 0) {
      const advice = sentence`Check OIDC_ISSUER: is it an OpenID Connect provider?`
      return [{ what, state: 'broken', says: sentence`does not tell its ${missing}`, advice }]
    }
    const says = sentence`${metadata.issuer} answers; its client must have the redirect address ${callback}`
    return [{ what, state: 'ok', says }, ...checkClocks(skew)]
  } catch (error) {
    if (!(error instanceof OidcFailure)) throw error
    const advice =
      error.code === 'unavailable'
        ? sentence`See that this machine can reach ${new URL(oidc.issuer).origin}.`
        : sentence`OIDC_ISSUER must be exactly what the provider calls itself.`
    return [{ what, state: 'broken', says: verbatim(reasonOf(error)), advice }]
  }
}

/** The `Date` header tells whole seconds, and is written before the answer travels. */
function checkClocks(skew: number | undefined): Finding[] {
  if (skew === undefined || Math.abs(skew) < 5 * SECOND) return []
  const what = sentence`Sign-on`
  const says = sentence`its clock is ${Math.round(Math.abs(skew) / SECOND)} s away from ours`
  const advice = sentence`Set this machine’s clock by NTP. Beyond 30 s, nobody can sign in there.`
  return [{ what, state: Math.abs(skew) < 30 * SECOND ? 'warning' : 'broken', says, advice }]
}

/** For which domain are passkeys required? The settings refuse to require them where browsers make none. */
export function checkPasskeys({ requirePasskey, publicUrl }: Surroundings): Finding[] {
  if (!requirePasskey) return []
  return [
    { what: sentence`Passkeys`, state: 'ok', says: sentence`required, for ${new URL(publicUrl).hostname}` },
  ]
}
