import { sentence } from '../../domain/sentence.ts'
import { askProvider, incomprehensible, type OAuthClient, objectOf, ProviderFailure } from './provider.ts'

/** What a provider gives for a code or a refresh token. */
export interface Grant {
  readonly accessToken: string
  /** Milliseconds for which the access token is valid. */
  readonly expiresIn: number
  /** Undefined if the one before is still the valid one. */
  readonly refreshToken: string | undefined
  /** What the host has given access to; undefined if the provider does not say. */
  readonly scopes: readonly string[] | undefined
  /** Says who gave access; empty if the provider did not send one. */
  readonly idToken: string
}

/** The provider has ended our access: only the host can give it again. */
export class GrantLost extends ProviderFailure {
  override readonly name: string = 'GrantLost'
}

/** Where the host's browser goes to give access. */
export function authorizationUrl(
  client: OAuthClient,
  { redirectUri, state, challenge }: { redirectUri: string; state: string; challenge: string },
): string {
  const url = new URL(client.authorizeUrl)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    ...(client.scopes.length > 0 && { scope: client.scopes.join(' ') }),
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...client.authorizeParameters,
  }).toString()
  return url.href
}

/** Exchanges the code with which the host's browser came back. */
export function exchangeCode(
  client: OAuthClient,
  { code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string },
): Promise<Grant> {
  return requestToken(client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  })
}

/** Gets a new access token; throws `GrantLost` if the refresh token is no longer valid. */
export function refreshGrant(
  client: OAuthClient,
  refreshToken: string,
  signal?: AbortSignal,
): Promise<Grant> {
  return requestToken(client, { grant_type: 'refresh_token', refresh_token: refreshToken }, signal)
}

/** Ends what a token gives access to. Does nothing where the provider has no such request. */
export async function revokeToken(client: OAuthClient, token: string): Promise<void> {
  if (client.revokeUrl === '') return
  try {
    await send(client, client.revokeUrl, { token })
  } catch (error) {
    // The token has ended already.
    if (error instanceof ProviderFailure && [400, 401].includes(error.status ?? 0)) return
    throw error
  }
}

/**
 * What an ID token says. Its signature is not checked: it came from the provider itself, and only names the account
 * (OpenID Connect Core, 3.1.3.7).
 */
export function claimsOf(idToken: string): Readonly<Record<string, unknown>> {
  try {
    return objectOf(JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString('utf8')))
  } catch {
    return {}
  }
}

/** Whether the host has given all that we need. Microsoft may put its address before the name of a scope. */
export function hasScopes({ requiredScopes }: OAuthClient, { scopes }: Grant): boolean {
  if (scopes === undefined) return true
  const given = scopes.map((scope) => scope.toLowerCase())
  const isGiven = (name: string) => given.some((scope) => scope === name || scope.endsWith(`/${name}`))
  return requiredScopes.every((names) => names.some((name) => isGiven(name.toLowerCase())))
}

/** Errors that only the host can mend, by giving access again. */
const LOST = ['invalid_grant', 'interaction_required', 'consent_required', 'login_required']

async function requestToken(
  client: OAuthClient,
  parameters: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Grant> {
  try {
    return readGrant(client, await send(client, client.tokenUrl, parameters, signal))
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    if (LOST.includes(error.reason)) {
      throw new GrantLost('unauthorized', sentence`${client.title} has ended our access to this account.`, {
        cause: error,
        reason: error.reason,
      })
    }
    if (error.code !== 'unauthorized' && error.code !== 'refused') throw error
    const why = error.reason === '' ? String(error.status) : error.reason
    throw new ProviderFailure(
      'refused',
      sentence`${client.title} refuses this service’s client (${why}). Please tell whoever runs this service.`,
      { cause: error, reason: error.reason },
    )
  }
}

function send(
  client: OAuthClient,
  url: string,
  parameters: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<unknown> {
  const { title, clientId, clientSecret, secretIn } = client
  const secret = { client_id: clientId, client_secret: clientSecret }
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  return askProvider({
    title,
    method: 'POST',
    url,
    body: new URLSearchParams({ ...parameters, ...(secretIn === 'body' && secret) }),
    ...(secretIn === 'header' && { headers: { authorization: `Basic ${basic}` } }),
    signal,
  })
}

/** Some providers don't say how long an access token lasts. All of theirs last at least this long. */
const SHORTEST = 5 * 60

function readGrant({ title }: OAuthClient, answer: unknown): Grant {
  const { access_token, refresh_token, expires_in, scope, id_token } = objectOf(answer)
  if (typeof access_token !== 'string' || access_token === '') throw incomprehensible(title)
  const seconds = Number(expires_in ?? SHORTEST)
  return {
    accessToken: access_token,
    expiresIn: (Number.isFinite(seconds) ? seconds : SHORTEST) * 1000,
    refreshToken: typeof refresh_token === 'string' && refresh_token !== '' ? refresh_token : undefined,
    scopes: typeof scope === 'string' ? scope.split(/[ ,]+/).filter((one) => one !== '') : undefined,
    idToken: typeof id_token === 'string' ? id_token : '',
  }
}
