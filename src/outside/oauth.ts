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

/** Those of the scopes we need that the host has not given. Microsoft may put its address before a name. */
export function missingScopes({ requiredScopes }: OAuthClient, { scopes }: Grant): string[] {
  if (scopes === undefined) return []
  const given = new Set(scopes.map((scope) => scope.toLowerCase()))
  const isGiven = (scope: string) =>
    given.has(scope.toLowerCase()) || [...given].some((one) => one.endsWith(`/${scope.toLowerCase()}`))
  return requiredScopes.filter((scope) => !isGiven(scope))
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
      throw new GrantLost('unauthorized', `${client.title} has ended our access to this account.`, {
        cause: error,
        reason: error.reason,
      })
    }
    if (error.code !== 'unauthorized' && error.code !== 'refused') throw error
    const why = error.reason === '' ? String(error.status) : error.reason
    throw new ProviderFailure(
      'refused',
      `${client.title} refuses this service’s client (${why}). Please tell whoever runs this service.`,
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
  const { access_token, refresh_token, expires_in, scope } = objectOf(answer)
  if (typeof access_token !== 'string' || access_token === '') throw incomprehensible(title)
  const seconds = Number(expires_in ?? SHORTEST)
  return {
    accessToken: access_token,
    expiresIn: (Number.isFinite(seconds) ? seconds : SHORTEST) * 1000,
    refreshToken: typeof refresh_token === 'string' && refresh_token !== '' ? refresh_token : undefined,
    scopes: typeof scope === 'string' ? scope.split(/[ ,]+/).filter((one) => one !== '') : undefined,
  }
}
