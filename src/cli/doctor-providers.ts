import { PROVIDERS } from '../domain/calendars/connection.ts'
import { GrantLost, refreshGrant } from '../outside/oauth.ts'
import { type OAuthClient, ProviderFailure } from '../outside/provider.ts'
import type { Settings } from '../settings.ts'
import { providersOf } from '../start.ts'
import type { Finding } from './doctor-surroundings.ts'

/** Do the providers know the clients of this service, and will they send hosts back to it? */
export async function checkProviders(settings: Settings): Promise<Finding[]> {
  const providers = providersOf(settings)
  const findings = await Promise.all(
    PROVIDERS.map(async (name) => {
      const client = providers[name]?.oauth
      return client === undefined
        ? []
        : [await checkClient(client, name.toUpperCase(), redirectUri(settings, name))]
    }),
  )
  return findings.flat()
}

const redirectUri = ({ publicUrl }: Settings, name: string) => `${publicUrl}/connections/${name}/callback`

/** Errors that are about the client. All others come after the provider has accepted it. */
const CLIENT_ERRORS = ['invalid_client', 'unauthorized_client']

async function checkClient(client: OAuthClient, prefix: string, callback: string): Promise<Finding> {
  const { title } = client
  const what = title
  try {
    // No such token exists, so a provider that knows the client refuses the token, and not the client.
    await refreshGrant(client, 'doctor')
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    if (CLIENT_ERRORS.includes(error.reason)) {
      const advice = `Check ${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET; a secret may have expired.`
      return { what, state: 'broken', says: `refuses the client (${error.reason})`, advice }
    }
    if (!(error instanceof GrantLost) && error.code !== 'refused') {
      const advice = `See that this machine can reach ${new URL(client.tokenUrl).origin}.`
      return { what, state: 'broken', says: error.message, advice }
    }
  }
  const { protocol, hostname } = new URL(callback)
  if (protocol !== 'https:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname)) {
    const advice = 'Put the service behind https, and set PUBLIC_URL to that address.'
    return { what, state: 'broken', says: `sends nobody back to ${callback}, which is not https`, advice }
  }
  return { what, state: 'ok', says: `answers; its client must have the redirect address ${callback}` }
}
