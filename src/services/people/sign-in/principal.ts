import { createHmac } from 'node:crypto'
import { createRequire } from 'node:module'
import { SCOPES, type Scope, type User } from '../../../domain/people/user.ts'
import { Problem } from '../../../domain/problem.ts'
import { type Sentence, sentence } from '../../../domain/sentence.ts'
import { lazily } from '../../../outside/lazily.ts'
import type { Db } from '../../../store/engine/database.ts'
import { hasPasskey } from '../../../store/people/passkeys.ts'
import { findSession, type Session } from '../../../store/people/sessions.ts'
import { type ApiToken, findApiToken } from '../../../store/people/tokens.ts'
import { findUser } from '../../../store/people/users.ts'
import type { Context } from '../../context.ts'

// The public API needs no tokens, so the JWT library is loaded with the first one.
const require = createRequire(import.meta.url)
const jose = lazily(() => require('jose') as typeof import('jose'))

declare const authenticated: unique symbol

/** An authenticated user. Only `authenticate` makes one, so holding one is the proof. */
export interface Principal {
  readonly [authenticated]: true
  readonly userId: string
  readonly email: string
  readonly admin: boolean
  readonly scopes: readonly Scope[]
  /** The session or API token that the request carried. */
  readonly via: { readonly kind: 'session' | 'token'; readonly id: string; readonly name: string }
}

export const ACCESS_TOKEN_LASTS = 3600

const ALGORITHM = 'HS256'
const ISSUER = 'punctual'
const AUDIENCE = { session: 'punctual-session', token: 'punctual-api' } as const

/** A separate key for tokens, so that a signed CAPTCHA challenge can never pass for one. */
function keyOf({ jwtSecret }: Context): Uint8Array {
  return createHmac('sha256', jwtSecret).update('access-tokens').digest()
}

/** A JWT for a session. It lasts an hour, or until the session ends. */
export function signAccessToken(context: Context, userId: string, sessionId: string): Promise<string> {
  const now = Math.floor(context.now() / 1000)
  return new (jose().SignJWT)({ sid: sessionId })
    .setProtectedHeader({ alg: ALGORITHM })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE.session)
    .setSubject(userId)
    .setIssuedAt(now)
    .setExpirationTime(now + ACCESS_TOKEN_LASTS)
    .sign(keyOf(context))
}

/** The JWT of an API token. It is not stored, so it can be shown only once. */
export function signApiToken(context: Context, token: ApiToken): Promise<string> {
  const jwt = new (jose().SignJWT)({})
    .setProtectedHeader({ alg: ALGORITHM })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE.token)
    .setSubject(token.userId)
    .setJti(token.id)
    .setIssuedAt(Math.floor(token.createdAt / 1000))
  if (token.expiresAt !== null) jwt.setExpirationTime(Math.floor(token.expiresAt / 1000))
  return jwt.sign(keyOf(context))
}

/**
 * The user of this token; throws `unauthenticated` if it is not valid now.
 *
 * Also throws `forbidden` if they must add a passkey first, except for a request that may come `beforePasskey`.
 */
export async function authenticate(
  context: Context,
  token: string,
  { beforePasskey = false }: { readonly beforePasskey?: boolean } = {},
): Promise<Principal> {
  const now = context.now()
  const payload = await jose()
    .jwtVerify(token, keyOf(context), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: [AUDIENCE.session, AUDIENCE.token],
      currentDate: new Date(now),
      requiredClaims: ['sub', 'iat'],
    })
    .then(
      (verified) => verified.payload,
      () => undefined,
    )
  if (payload === undefined) throw unauthenticated()

  // A valid signature is not enough: signing out and revoking must take effect at once.
  if (payload.aud === AUDIENCE.session && typeof payload.sid === 'string' && payload.exp !== undefined) {
    const session = await findSession(context.db, payload.sid, now)
    if (session !== undefined && session.userId === payload.sub) {
      if (!beforePasskey && (await lacksPasskey(context, context.db, session))) throw passkeyMissing()
      return principalOf(context, session.userId, SCOPES, { kind: 'session', id: payload.sid, name: '' })
    }
  }
  if (payload.aud === AUDIENCE.token && payload.jti !== undefined) {
    const found = await findApiToken(context.db, payload.jti, now)
    if (found?.userId === payload.sub)
      return principalOf(context, found?.userId, found?.scopes, {
        kind: 'token',
        id: payload.jti,
        name: found?.name ?? '',
      })
  }
  throw unauthenticated()
}

/**
 * Whether this session can do nothing yet but add a passkey.
 *
 * An identity provider has a second factor of its own, so its sessions need none of ours.
 */
export async function lacksPasskey(
  { requirePasskey }: Context,
  db: Db,
  { userId, idToken }: Pick<Session, 'userId' | 'idToken'>,
): Promise<boolean> {
  return requirePasskey && idToken === null && !(await hasPasskey(db, userId))
}

const passkeyMissing = () =>
  new Problem('forbidden', sentence`This service requires a passkey. Add one in the dashboard first.`)

async function principalOf(
  context: Context,
  userId: string | undefined,
  scopes: readonly Scope[] | undefined,
  via: Principal['via'],
): Promise<Principal> {
  const user: User | undefined = userId === undefined ? undefined : await findUser(context.db, userId)
  if (user === undefined || user.disabledAt !== null) throw unauthenticated()
  const { email, admin } = user
  return { userId: user.id, email, admin, scopes: scopes ?? [], via } as unknown as Principal
}

/** Throws `forbidden` unless the principal's token has this scope. */
export function requireScope(principal: Principal, scope: Scope): void {
  if (principal.scopes.includes('write') || principal.scopes.includes(scope)) return
  throw new Problem('forbidden', sentence`This API token is not allowed to ${scope}.`)
}

/** Throws `forbidden` if the request carried an API token: a leaked one must not do this. */
export function requireSession({ via }: Principal, refusal: Sentence): void {
  if (via.kind === 'session') return
  throw new Problem('forbidden', refusal)
}

const unauthenticated = () =>
  new Problem('unauthenticated', sentence`Sign in first: this needs a valid bearer token.`)
