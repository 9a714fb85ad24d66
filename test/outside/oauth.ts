import { createHash, randomBytes } from 'node:crypto'
import { type Answer, type Asked, formOf, type Route } from './stand-in.ts'

/** A person's account at a provider. */
export interface OutsideAccount {
  readonly subject: string
  readonly address: string
}

/** What is particular to a provider's OAuth. */
export interface OAuthRules {
  readonly authorizePath: string
  readonly tokenPath: string
  readonly revokePath?: string
  readonly secretIn: 'header' | 'body'
  /** Parameters of the authorization page beside the standard's. */
  readonly parameters: readonly string[]
  /** Whether a refresh token works once, and the answer holds the next one. */
  readonly rotates: boolean
  /** All scopes of the registered client, for a provider that is not asked for them. */
  readonly registeredScopes?: readonly string[]
  /** Whether this request for access comes with a refresh token. */
  readonly isOffline: (query: URLSearchParams, scopes: readonly string[]) => boolean
  /** What the ID token says, for a provider that sends one to those who ask for `openid`. */
  readonly claims?: (account: OutsideAccount) => object
  readonly refuse: (status: number, error: string) => Answer
  readonly now: () => number
}

export const CLIENT = { clientId: 'the-client', clientSecret: 'the-client-secret' } as const

/** In the form of a JWT. Nobody here checks its signature. */
const idTokenOf = (claims: object) =>
  [{ alg: 'RS256' }, claims, {}]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')

/** How long an access token lasts. */
export const TOKEN_LASTS = 3600

interface Access {
  readonly account: OutsideAccount
  readonly scopes: readonly string[]
}

/** A provider's OAuth, as far as a test can steer and see it. */
export interface OAuthSide {
  readonly routes: readonly Route[]
  /** Addresses to which codes may be sent, as they were registered. */
  readonly redirectUris: Set<string>
  /** Who sits at the provider's page, and what they press there. */
  visitor: { account: OutsideAccount; answer: 'allow' | 'deny'; without?: readonly string[] }
  /** Whether ID tokens are sent. */
  idTokens: boolean
  /** What this request may do; undefined without a valid access token. */
  accessOf(asked: Asked): Access | undefined
  /** Ends all access to an account, as its owner can in the account's settings. */
  endAccess(subject: string): void
  /** Makes all access tokens invalid, but not the refresh tokens. */
  endAccessTokens(): void
  /** Tokens that were revoked by request. */
  readonly revoked: readonly string[]
  /** Every token and code that was ever given out. */
  readonly secrets: readonly string[]
}

const STANDARD = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
]

/** The authorization code flow with PKCE (RFC 6749, RFC 7636), as strict as the documentation allows. */
export function oauthSide(rules: OAuthRules, visitor: OutsideAccount): OAuthSide {
  const codes = new Map<string, Access & { challenge: string; redirectUri: string; offline: boolean }>()
  const accessTokens = new Map<string, Access & { endsAt: number }>()
  const refreshTokens = new Map<string, Access>()
  const [revoked, secrets]: [string[], string[]] = [[], []]
  const side: OAuthSide = {
    routes: [],
    redirectUris: new Set(),
    visitor: { account: visitor, answer: 'allow' },
    idTokens: true,
    accessOf: ({ headers }) => {
      const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
      const access = accessTokens.get(token)
      return access !== undefined && access.endsAt > rules.now() ? access : undefined
    },
    endAccess,
    endAccessTokens: () => accessTokens.clear(),
    revoked,
    secrets,
  }

  function endAccess(subject: string): void {
    for (const tokens of [accessTokens, refreshTokens]) {
      for (const [token, { account }] of tokens) if (account.subject === subject) tokens.delete(token)
    }
  }

  const make = () => {
    const secret = randomBytes(24).toString('base64url')
    secrets.push(secret)
    return secret
  }

  /** The page on which a person gives access: this one presses a button at once. */
  function authorize({ query }: Asked): Answer {
    const redirectUri = query.get('redirect_uri') ?? ''
    if (query.get('client_id') !== CLIENT.clientId) return rules.refuse(401, 'invalid_client')
    if (!side.redirectUris.has(redirectUri)) return rules.refuse(400, 'redirect_uri_mismatch')
    const challenge = query.get('code_challenge') ?? ''
    const isWhole = query.get('response_type') === 'code' && query.get('state')
    if (!isWhole || query.get('code_challenge_method') !== 'S256' || challenge.length !== 43) {
      return rules.refuse(400, 'invalid_request')
    }
    const back = new URL(redirectUri)
    back.searchParams.set('state', query.get('state') ?? '')
    const { account, answer, without = [] } = side.visitor
    if (answer === 'deny') back.searchParams.set('error', 'access_denied')
    else {
      const wanted = rules.registeredScopes ?? (query.get('scope') ?? '').split(' ')
      const scopes = wanted.filter((scope) => !without.includes(scope))
      const code = make()
      codes.set(code, { account, scopes, challenge, redirectUri, offline: rules.isOffline(query, scopes) })
      back.searchParams.set('code', code)
    }
    return { status: 302, headers: { location: back.href } }
  }

  function token(asked: Asked): Answer {
    const form = formOf(asked)
    if (!isClient(asked)) return rules.refuse(401, 'invalid_client')
    if (form.get('grant_type') === 'authorization_code') return exchange(form)
    if (form.get('grant_type') !== 'refresh_token') return rules.refuse(400, 'unsupported_grant_type')
    const old = form.get('refresh_token') ?? ''
    const access = refreshTokens.get(old)
    if (access === undefined) return rules.refuse(400, 'invalid_grant')
    if (rules.rotates) refreshTokens.delete(old)
    return issue(access, rules.rotates)
  }

  function exchange(form: URLSearchParams): Answer {
    const code = form.get('code') ?? ''
    const known = codes.get(code)
    // A code works once, whatever comes of it.
    codes.delete(code)
    const verifier = form.get('code_verifier') ?? ''
    if (known === undefined) return rules.refuse(400, 'invalid_grant')
    if (form.get('redirect_uri') !== known.redirectUri) return rules.refuse(400, 'redirect_uri_mismatch')
    if (createHash('sha256').update(verifier).digest('base64url') !== known.challenge) {
      return rules.refuse(400, 'invalid_grant')
    }
    return issue({ account: known.account, scopes: known.scopes }, known.offline)
  }

  function issue(access: Access, withRefreshToken: boolean): Answer {
    const [accessToken, refreshToken] = [make(), make()]
    accessTokens.set(accessToken, { ...access, endsAt: rules.now() + TOKEN_LASTS * 1000 })
    if (withRefreshToken) refreshTokens.set(refreshToken, access)
    return {
      status: 200,
      body: {
        access_token: accessToken,
        token_type: 'Bearer',
        expires_in: TOKEN_LASTS,
        scope: access.scopes.join(' '),
        ...(withRefreshToken && { refresh_token: refreshToken }),
        ...(side.idTokens &&
          rules.claims &&
          access.scopes.includes('openid') && { id_token: idTokenOf(rules.claims(access.account)) }),
      },
    }
  }

  /** Google ends everything of the account, and so does this. */
  function revoke(asked: Asked): Answer {
    const given = formOf(asked).get('token') ?? ''
    const access = refreshTokens.get(given) ?? accessTokens.get(given)
    if (access === undefined) return rules.refuse(400, 'invalid_token')
    revoked.push(given)
    endAccess(access.account.subject)
    return { status: 200, body: {} }
  }

  function isClient(asked: Asked): boolean {
    const form = formOf(asked)
    if (rules.secretIn === 'body') {
      return form.get('client_id') === CLIENT.clientId && form.get('client_secret') === CLIENT.clientSecret
    }
    const basic = Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret}`).toString('base64')
    return asked.headers.authorization === `Basic ${basic}`
  }

  const exactly = (path: string) => new RegExp(`^${path.replaceAll('.', '\\.')}$`)
  const routes: Route[] = [
    {
      method: 'GET',
      path: exactly(rules.authorizePath),
      query: [...STANDARD, ...rules.parameters],
      answer: authorize,
    },
    { method: 'POST', path: exactly(rules.tokenPath), answer: token },
    ...(rules.revokePath === undefined
      ? []
      : [{ method: 'POST' as const, path: exactly(rules.revokePath), answer: revoke }]),
  ]
  return Object.assign(side, { routes })
}
