import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { type Configuration } from 'oidc-provider'

export const CLIENT = { clientId: 'punctual', clientSecret: 'a-secret-of-the-tests-for-the-client' }

/** What the provider knows of a person. */
export interface Person {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
  readonly groups?: readonly string[]
}

/** A real identity provider on loopback. Whoever comes is signed in as `person`, without being asked. */
export interface TestIdentityProvider {
  readonly issuer: string
  /** Who sits at the browser. */
  person: Person
  /** Signs with a new key from now on; the old one is gone. */
  rotateKeys(): Promise<void>
  close(): Promise<void>
}

export interface IdentityProviderOptions {
  readonly redirectUri: string
  readonly signedOutUri: string
  /** Puts claims into the ID token as well, as most providers do; otherwise userinfo alone has them. */
  readonly claimsInToken?: boolean
}

export async function startIdentityProvider(options: IdentityProviderOptions): Promise<TestIdentityProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {}
  const server = createServer((request, response) => handle(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const own: TestIdentityProvider = {
    issuer,
    person: { sub: 'nobody' },
    async rotateKeys() {
      const provider = new Provider(issuer, await configuration(options, () => own.person))
      const answer = provider.callback()
      handle = (request, response) => {
        if (request.url?.startsWith('/interaction/')) void signIn(provider, request, response)
        else answer(request, response)
      }
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  await own.rotateKeys()
  return own

  async function signIn(provider: Provider, request: IncomingMessage, response: ServerResponse) {
    await provider.interactionFinished(request, response, { login: { accountId: own.person.sub } })
  }
}

async function configuration(
  { redirectUri, signedOutUri, claimsInToken = true }: IdentityProviderOptions,
  person: () => Person,
): Promise<Configuration> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [signedOutUri],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    conformIdTokenClaims: !claimsInToken,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['a-key-of-the-tests'] },
    pkce: { required: () => true },
    findAccount: (_context, accountId) => ({ accountId, claims: async () => ({ ...person() }) }),
    // Nobody is asked what they allow.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
  }
}
