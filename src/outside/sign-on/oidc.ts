import type { Configuration, ServerMetadata } from 'openid-client'

/** How the operator has set up single sign-on. */
export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  /** Empty: a public client, which PKCE protects. */
  readonly clientSecret: string
  readonly scopes: string
}

/** Who signed in, as the identity provider says. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** Empty if the provider does not tell it. */
  readonly email: string
  readonly emailVerified: boolean
  readonly name: string
  readonly groups: readonly string[]
  /** The provider ends its own session when it is shown this. */
  readonly idToken: string
}

/** `denied`: by the user or the provider. `refused`: the answer did not pass our checks. */
type OidcFailureCode = 'unavailable' | 'misconfigured' | 'denied' | 'refused'

export class OidcFailure extends Error {
  readonly code: OidcFailureCode
  constructor(code: OidcFailureCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OidcFailure'
    this.code = code
  }
}

/** What one sign-in is bound to. */
interface SignInRequest {
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  /** The hash of the PKCE verifier. */
  readonly challenge: string
}

interface SignInResponse extends Omit<SignInRequest, 'challenge'> {
  /** The query with which the browser came back. */
  readonly query: string
  readonly verifier: string
}

/** An identity provider that speaks OpenID Connect. All methods throw `OidcFailure`. */
export interface IdentityProvider {
  authorizationUrl(request: SignInRequest): Promise<string>
  identify(response: SignInResponse): Promise<Identity>
  /** Where the browser ends the provider's own session; undefined if the provider has no such page. */
  signOutUrl(idToken: string, returnTo: string): Promise<string | undefined>
  /** What the provider publishes about itself, read anew; also how far its clock is from ours, in milliseconds. */
  discover(): Promise<{ readonly metadata: ServerMetadata; readonly skew: number | undefined }>
}

/** Seconds that the provider has for each answer. */
const PATIENCE = 5
/** Seconds by which clocks may differ. */
const CLOCK_TOLERANCE = 30
const METADATA_LASTS = 10 * 60_000

/** Loaded with the first sign-in: most instances never need it. */
const load = () => import('openid-client')

export function identityProvider(settings: OidcSettings): IdentityProvider {
  let known: { readonly metadata: ServerMetadata; readonly until: number } | undefined

  async function discover() {
    const client = await load()
    let skew: number | undefined
    const options = {
      timeout: PATIENCE,
      execute: isPlain(settings.issuer) ? [client.allowInsecureRequests] : [],
      [client.customFetch]: async (url: string, init: object) => {
        const response = await fetch(url, init)
        const date = Date.parse(response.headers.get('date') ?? '')
        skew = Number.isNaN(date) ? undefined : date - Date.now()
        return response
      },
    }
    try {
      const issuer = new URL(settings.issuer)
      const found = await client.discovery(issuer, settings.clientId, undefined, client.None(), options)
      const metadata = found.serverMetadata()
      known = { metadata, until: Date.now() + METADATA_LASTS }
      return { metadata, skew }
    } catch (error) {
      throw failureFrom(error, client, 'discovery')
    }
  }

  /** Made anew for each sign-in, so that the provider's keys are, too: it may have replaced them. */
  async function configure(): Promise<{ client: Awaited<ReturnType<typeof load>>; config: Configuration }> {
    const client = await load()
    const isFresh = known !== undefined && Date.now() < known.until
    const metadata = isFresh && known ? known.metadata : (await discover()).metadata
    const config = new client.Configuration(
      metadata,
      settings.clientId,
      { [client.clockTolerance]: CLOCK_TOLERANCE },
      authenticationFor(metadata, client),
    )
    config.timeout = PATIENCE
    // Also of tokens that came straight from the provider: a proxy between us may have changed them.
    client.enableNonRepudiationChecks(config)
    if (isPlain(settings.issuer)) client.allowInsecureRequests(config)
    return { client, config }
  }

  function authenticationFor(metadata: ServerMetadata, client: Awaited<ReturnType<typeof load>>) {
    if (settings.clientSecret === '') return client.None()
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return methods.includes('client_secret_basic')
      ? client.ClientSecretBasic(settings.clientSecret)
      : client.ClientSecretPost(settings.clientSecret)
  }

  return {
    discover,
    async authorizationUrl({ redirectUri, state, nonce, challenge }) {
      const { client, config } = await configure()
      return client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }).href
    },
    async identify({ redirectUri, query, state, nonce, verifier }) {
      const { client, config } = await configure()
      try {
        const tokens = await client.authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (claims === undefined) throw new OidcFailure('refused', 'There is no ID token.')
        const isWhole = ['email', 'email_verified', 'groups'].every((name) => claims[name] !== undefined)
        const asks = !isWhole && config.serverMetadata().userinfo_endpoint !== undefined
        const more = asks ? await client.fetchUserInfo(config, tokens.access_token, claims.sub) : {}
        return { ...readClaims(claims, more), idToken: tokens.id_token ?? '' }
      } catch (error) {
        throw error instanceof OidcFailure ? error : failureFrom(error, client, 'sign-in')
      }
    },
    async signOutUrl(idToken, returnTo) {
      const { client, config } = await configure()
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined
      return client.buildEndSessionUrl(config, { id_token_hint: idToken, post_logout_redirect_uri: returnTo })
        .href
    },
  }
}

/** Plain http is for loopback alone: settings with another issuer are refused. */
const isPlain = (issuer: string) => new URL(issuer).protocol === 'http:'

type Claims = Readonly<Record<string, unknown>>

/** An address and whether it is verified come from the same source, or one could vouch for the other's address. */
function readClaims(token: Claims, userInfo: Claims): Omit<Identity, 'idToken'> {
  const about = token.email !== undefined && token.email_verified !== undefined ? token : userInfo
  const email = about.email ?? token.email
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const groups = token.groups ?? userInfo.groups
  return {
    issuer: text(token.iss),
    subject: text(token.sub),
    email: text(email),
    // Some providers write a text.
    emailVerified: about.email !== undefined && [true, 'true'].includes(about.email_verified as boolean),
    name: text(token.name ?? userInfo.name),
    groups: Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : [],
  }
}

/** Errors of the token endpoint that are about the client, not about this sign-in. */
const CLIENT_ERRORS = ['invalid_client', 'unauthorized_client', 'unsupported_grant_type', 'invalid_scope']

function failureFrom(
  error: unknown,
  client: Awaited<ReturnType<typeof load>>,
  doing: 'discovery' | 'sign-in',
): OidcFailure {
  const { message } = error as Error
  if (error instanceof client.AuthorizationResponseError) {
    const isTheirs = ['access_denied', 'login_required', 'interaction_required'].includes(error.error)
    return new OidcFailure(isTheirs ? 'denied' : 'misconfigured', `${doing}: ${error.error}`, {
      cause: error,
    })
  }
  if (error instanceof client.ResponseBodyError) {
    const code = CLIENT_ERRORS.includes(error.error) ? 'misconfigured' : 'refused'
    return new OidcFailure(code, `${doing}: ${error.error}`, { cause: error })
  }
  const { code } = error as { readonly code?: string }
  const status = (error as { readonly cause?: { readonly status?: number } }).cause?.status ?? 0
  const isAway =
    error instanceof TypeError || code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT' || status >= 500
  const why = [message, code].filter(Boolean).join(', ')
  if (isAway) return new OidcFailure('unavailable', `${doing}: ${why}`, { cause: error })
  return new OidcFailure(doing === 'discovery' ? 'misconfigured' : 'refused', `${doing}: ${why}`, {
    cause: error,
  })
}
