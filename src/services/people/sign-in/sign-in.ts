import { timingSafeEqual } from 'node:crypto'
import type { Language } from '../../../domain/languages.ts'
import { canonicalEmail, isEmail } from '../../../domain/people/contact.ts'
import { deviceOf } from '../../../domain/people/device.ts'
import type { User } from '../../../domain/people/user.ts'
import { invalidField, Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { isLine } from '../../../domain/text.ts'
import type { Db, Trx } from '../../../store/engine/database.ts'
import { newId } from '../../../store/new-id.ts'
import {
  findInvitationsTo,
  findInvitedAddress,
  type Invitation,
  takeInvitationsTo,
} from '../../../store/people/invitations.ts'
import { insertLoginLink, takeLoginLink } from '../../../store/people/login-links.ts'
import { lockSchedulers } from '../../../store/people/schedulers.ts'
import {
  deleteSession,
  deleteSessionsOf,
  findSession,
  findSessions,
  insertSession,
  rotateSession,
  type Session,
} from '../../../store/people/sessions.ts'
import { findUser, findUserByEmail, hasAdmin } from '../../../store/people/users.ts'
import { recordAudit } from '../../change.ts'
import type { Context } from '../../context.ts'
import { seal } from '../../seal.ts'
import { hashSecret, newSecret } from '../../secret.ts'
import { getId, notFound } from '../access.ts'
import { createUser } from '../create-user.ts'
import { isToTeam, joinTeam } from '../teams/join-team.ts'
import { beginPasskeyStep, type PasskeyStep } from './passkey-step.ts'
import { lacksPasskey, type Principal, requireSession, signAccessToken } from './principal.ts'
import { signInMail } from './sign-in-mail.ts'

const LINK_LASTS = 15 * 60_000
const SESSION_LASTS = 30 * 24 * 3_600_000

/** What a browser gets when it signs in. */
export interface SignedIn {
  readonly accessToken: string
  /** Goes into a cookie that scripts cannot read. */
  readonly refreshToken: string
  readonly refreshExpiresAt: number
  readonly user: User
  /** The service requires a passkey, and they have none: they can do nothing else before they add one. */
  readonly mustAddPasskey: boolean
}

/**
 * Emails a sign-in link to this address, if it may sign in.
 *
 * Without `mayMail` none is sent, because the address has got enough of them. `locale` is for someone without an account. The mail is sent in the background: neither the answer nor its timing may reveal
 * whether the address is known.
 */
export async function requestLink(
  context: Context,
  given: string,
  { mayMail = true, locale = 'en' } = {},
): Promise<void> {
  refuseMailedLinks(context)
  const email = readEmail(given)
  const token = newSecret()
  // Do the same work for every address: a link for an unknown one is stored too, but never emailed.
  const { allowed, user } = await maySignIn(context, context.db, email)
  await storeLink(context, allowed ? email : `nobody:${email}`, token)
  if (!allowed || !mayMail) return
  const mail = signInMail(email, linkTo(context, token), user?.locale ?? locale)
  context.inBackground(() => context.mailer(mail))
}

/** A sign-in link for an operator to hand over; throws if the address may not sign in. */
export async function createLink(context: Context, given: string): Promise<string> {
  const email = readEmail(given)
  if (!(await maySignIn(context, context.db, email)).allowed) {
    throw new Problem('invalid', sentence`${email} has no account here, and signing up is not open to it.`)
  }
  const token = newSecret()
  await storeLink(context, email, usableSecret(context, token))
  return linkTo(context, token)
}

/**
 * What a link's token is stored as, which works now. Where single sign-on is the only way in, an operator's links alone do:
 * those that were mailed before are still around for days.
 */
const usableSecret = ({ singleSignOn }: Context, token: string) =>
  singleSignOn?.only ? `operator:${token}` : token

/** Throws where single sign-on is the only way in. */
function refuseMailedLinks({ singleSignOn }: Context): void {
  if (!singleSignOn?.only) return
  throw new Problem('forbidden', sentence`Nobody signs in by email here. Please use ${singleSignOn.name}.`)
}

/** What a browser says about itself when it signs in. */
export interface SigningIn {
  /** The language of new users. */
  readonly locale: Language
  readonly userAgent: string
}

/**
 * Exchanges a link's token for a session, or for the next step if the user has passkeys.
 *
 * The token is used up even if signing in fails: a link that is read later, or by someone else, leads nowhere.
 */
export async function verifyLink(
  context: Context,
  token: string,
  { locale, userAgent }: SigningIn,
): Promise<SignedIn | PasskeyStep> {
  const now = context.now()
  const email = await takeLoginLink(context.db, hashSecret(usableSecret(context, token)), now)
  if (email === undefined) {
    refuseMailedLinks(context)
    return acceptByLink(context, token, { locale, userAgent })
  }
  return context.db.transaction().execute(async (trx) => {
    const user = await findOrCreateUser(context, trx, { email, locale })
    if (typeof user === 'string') throw deadLink()
    return (await beginPasskeyStep(context, trx, user)) ?? openSession(context, trx, user, { userAgent })
  })
}

/** Creates the account that an invitation's link is for. Someone who has one by now signs in as usual. */
async function acceptByLink(
  context: Context,
  token: string,
  { locale, userAgent }: SigningIn,
): Promise<SignedIn> {
  return context.db.transaction().execute(async (trx) => {
    // Of two who follow the link at once, the second must see the first.
    await lockSchedulers(trx)
    const email = await findInvitedAddress(trx, hashSecret(token), context.now())
    if (email === undefined || (await findUserByEmail(trx, email)) !== undefined) throw deadLink()
    const user = await findOrCreateUser(context, trx, { email, locale })
    if (typeof user === 'string') throw deadLink()
    return openSession(context, trx, user, { userAgent })
  })
}

/** Exchanges a refresh token for a new one and a new access token. A used refresh token ends the session. */
export async function refreshSession(
  context: Context,
  refreshToken: string,
  userAgent: string,
): Promise<SignedIn> {
  const now = context.now()
  const [sessionId = '', secret = ''] = refreshToken.split('.')
  const session = isUuid(sessionId) ? await findSession(context.db, sessionId, now) : undefined
  if (session === undefined) throw sessionOver()
  const next = newSecret()
  const expiresAt = now + SESSION_LASTS
  const renewed = { refreshHash: hashSecret(next), device: deviceOf(userAgent), expiresAt, lastUsedAt: now }
  const current = sameHash(session.refreshHash, hashSecret(secret))
  if (!current || !(await rotateSession(context.db, session, renewed))) {
    // This token was used before, so it may have been stolen.
    await deleteSession(context.db, session)
    throw sessionOver()
  }
  const user = await findActiveUser(context.db, session.userId)
  if (user === undefined) throw sessionOver()
  return {
    accessToken: await signAccessToken(context, user.id, session.id),
    refreshToken: `${session.id}.${next}`,
    refreshExpiresAt: expiresAt,
    user,
    mustAddPasskey: await lacksPasskey(context, context.db, session),
  }
}

/** Ends the session of this refresh token. Returns it, or undefined if there was none. */
export async function signOut(context: Context, refreshToken: string): Promise<Session | undefined> {
  const [sessionId = '', secret = ''] = refreshToken.split('.')
  const session = isUuid(sessionId) ? await findSession(context.db, sessionId, context.now()) : undefined
  if (session === undefined || !sameHash(session.refreshHash, hashSecret(secret))) return undefined
  await deleteSession(context.db, session)
  return session
}

/** Ends all sessions of this user at once. */
export async function signOutEverywhere(context: Context, principal: Principal): Promise<void> {
  requireSession(principal, NOT_FOR_TOKENS)
  await deleteSessionsOf(context.db, principal.userId)
}

// Otherwise a leaked API token could lock its owner out of the dashboard, where tokens are revoked.
const NOT_FOR_TOKENS = sentence`An API token cannot see or end sessions. Sign in for that.`

/** Where the user is signed in, newest first. */
export async function listSessions(context: Context, principal: Principal): Promise<Session[]> {
  requireSession(principal, NOT_FOR_TOKENS)
  return findSessions(context.db, principal.userId, context.now())
}

/** Ends one of the user's sessions, and its access token with it. */
export async function endSession(context: Context, principal: Principal, given: string): Promise<void> {
  requireSession(principal, NOT_FOR_TOKENS)
  const { userId } = principal
  const id = getId(given)
  await context.db.transaction().execute(async (trx) => {
    if (!(await deleteSession(trx, { id, userId }))) throw notFound()
    const audit = { schedulerId: userId, objectType: 'session', objectId: id, changes: [] }
    await recordAudit(trx, principal, context.now(), { ...audit, action: 'ended' })
  })
}

/** Opens a session for an authenticated user. */
export async function openSession(
  context: Context,
  db: Db,
  user: User,
  { userAgent, idToken }: { readonly userAgent: string; readonly idToken?: string },
): Promise<SignedIn> {
  const now = context.now()
  const secret = newSecret()
  const id = newId()
  const session = {
    id,
    userId: user.id,
    refreshHash: hashSecret(secret),
    idToken: idToken === undefined ? null : seal(context, idTokenOf(id), idToken),
    device: deviceOf(userAgent),
    createdAt: now,
    expiresAt: now + SESSION_LASTS,
    lastUsedAt: now,
  }
  await insertSession(db, session)
  return {
    accessToken: await signAccessToken(context, user.id, session.id),
    refreshToken: `${session.id}.${secret}`,
    refreshExpiresAt: session.expiresAt,
    user,
    mustAddPasskey: await lacksPasskey(context, db, session),
  }
}

/** What the ID token of a session is sealed for. */
export const idTokenOf = (sessionId: string) => `id-token:${sessionId}`

async function maySignIn(context: Context, db: Db, email: string) {
  // All three queries always run, so that the timing reveals nothing.
  const user = await findUserByEmail(db, email)
  const invitations = await findInvitationsTo(db, email, context.now())
  const first = !(await hasAdmin(db))
  const allowed = user === undefined ? maySignUp(context, invitations, first) : user.disabledAt === null
  return { allowed, user }
}

/** Whether a new address may sign up. */
function maySignUp({ signup }: Context, invitations: readonly Invitation[], first: boolean): boolean {
  return invitations.length > 0 || signup === 'open' || (signup === 'first' && first)
}

/**
 * The user with this address, created if it is new and may sign up; otherwise why they can't sign in.
 *
 * New users join the teams that invited them. Existing users accept each invitation in the dashboard;
 * otherwise signing in could make them hosts of a team they never agreed to.
 */
export async function findOrCreateUser(
  context: Context,
  trx: Trx,
  { email, name, locale }: { readonly email: string; readonly name?: string; readonly locale: Language },
): Promise<User | 'disabled' | 'closed'> {
  const now = context.now()
  // Of two first users at once, the second must see the first. Known users don't have to wait for the lock.
  if ((await findUserByEmail(trx, email)) === undefined) await lockSchedulers(trx)
  const known = await findUserByEmail(trx, email)
  if (known !== undefined) {
    return known.disabledAt === null ? known : 'disabled'
  }
  const invitations = await takeInvitationsTo(trx, email, now)
  const first = !(await hasAdmin(trx))
  if (!maySignUp(context, invitations, first)) return 'closed'
  // A team can make an invited user a host at once, and nobody knows their hours yet.
  const given = {
    email,
    locale,
    confirmedHours: invitations.length === 0,
    ...(name !== undefined && { name }),
  }
  const user = await createUser(trx, given, now)
  const actor = { userId: user.id, email }
  const audit = { schedulerId: user.id, objectType: 'user', objectId: user.id, changes: [] }
  await recordAudit(trx, actor, now, { ...audit, action: 'created' })
  for (const invitation of invitations.filter(isToTeam)) {
    await recordAudit(trx, actor, now, await joinTeam(trx, user.id, invitation, now))
  }
  return user
}

async function findActiveUser(db: Db, id: string): Promise<User | undefined> {
  const user = await findUser(db, id)
  return user?.disabledAt === null ? user : undefined
}

async function storeLink(context: Context, email: string, token: string): Promise<void> {
  const expiresAt = context.now() + LINK_LASTS
  await insertLoginLink(context.db, { tokenHash: hashSecret(token), email, expiresAt })
}

// The fragment keeps the token out of server logs and Referer headers.
export const linkTo = (context: Context, token: string) => `${context.publicUrl}/app/sign-in#token=${token}`

/** The email address in its canonical spelling; throws `invalid` if it isn't one. */
export function readEmail(given: string): string {
  const email = canonicalEmail(given)
  if (!isLine(email) || !email.isWellFormed() || !isEmail(email)) {
    throw invalidField('email', sentence`{field} must look like name@example.com.`)
  }
  return email
}

const sameHash = (a: string, b: string) => timingSafeEqual(Buffer.from(a), Buffer.from(b))
const isUuid = (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

const deadLink = () =>
  new Problem('link_dead', sentence`This link has expired or was used before. Ask for a new one.`)

const sessionOver = () =>
  new Problem('unauthenticated', sentence`Your session has ended. Please sign in again.`)
