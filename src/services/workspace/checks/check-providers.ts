import { sentence, sentenceOf, verbatim } from '../../../domain/sentence.ts'
import { GrantLost, refreshGrant } from '../../../outside/accounts/oauth.ts'
import { type OAuthClient, ProviderFailure } from '../../../outside/accounts/provider.ts'
import type { Providers } from '../../context.ts'
import type { Surroundings } from '../../surroundings.ts'
import type { Finding } from './check-surroundings.ts'

/** Do the providers know the clients of this service, and will they send hosts back to it? */
export async function checkProviders({ publicUrl }: Surroundings, providers: Providers): Promise<Finding[]> {
  const findings = await Promise.all(
    Object.entries(providers).map(async ([name, provider]) =>
      provider !== undefined && 'oauth' in provider
        ? [await checkClient(provider.oauth, name.toUpperCase(), redirectUri(publicUrl, name))]
        : [],
    ),
  )
  return findings.flat()
}

const redirectUri = (publicUrl: string, name: string) => `${publicUrl}/connections/${name}/callback`

/** Errors that are about the client. All others come after the provider has accepted it. */
const CLIENT_ERRORS = ['invalid_client', 'unauthorized_client']

async function checkClient(client: OAuthClient, prefix: string, callback: string): Promise<Finding> {
  const what = verbatim(client.title)
  try {
    // No such token exists, so a provider that knows the client refuses the token, and not the client.
    await refreshGrant(client, 'doctor')
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    if (CLIENT_ERRORS.includes(error.reason)) {
      const advice = sentence`Check ${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET; a secret may have expired.`
      return { what, state: 'broken', says: sentence`refuses the client (${error.reason})`, advice }
    }
    if (!(error instanceof GrantLost) && error.code !== 'refused') {
      const advice = sentence`See that this machine can reach ${new URL(client.tokenUrl).origin}.`
      return { what, state: 'broken', says: sentenceOf(error), advice }
    }
  }
  const { protocol, hostname } = new URL(callback)
  if (protocol !== 'https:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname)) {
    const advice = sentence`Put the service behind https, and set PUBLIC_URL to that address.`
    return {
      what,
      state: 'broken',
      says: sentence`sends nobody back to ${callback}, which is not https`,
      advice,
    }
  }
  return { what, state: 'ok', says: sentence`answers; its client must have the redirect address ${callback}` }
}
