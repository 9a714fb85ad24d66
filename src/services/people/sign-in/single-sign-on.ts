import { MINUTE } from '../../../domain/interval.ts'
import type { Language } from '../../../domain/languages.ts'
import { canonicalEmail, isEmail } from '../../../domain/people/contact.ts'
import type { SignInOutcome } from '../../../domain/people/single-sign-on.ts'
import type { User } from '../../../domain/people/user.ts'
import { printableLine, shortened } from '../../../format/text/printable.ts'
import { type Identity, OidcFailure } from '../../../outside/sign-on/oidc.ts'
import type { Trx } from '../../../store/engine/database.ts'
import {
  findUserIdByIdentity,
  insertIdentity,
  insertSignInAttempt,
  takeSignInAttempt,
} from '../../../store/people/identities.ts'
import { lockSchedulers } from '../../../store/people/schedulers.ts'
import type { Session } from '../../../store/people/sessions.ts'
import { findUser, hasOtherAdmin, updateUser } from '../../../store/people/users.ts'
import { recordAudit } from '../../change.ts'
import type { Context, SingleSignOn } from '../../context.ts'
import { unseal } from '../../seal.ts'
import { hashSecret, newSecret } from '../../secret.ts'
import { findOrCreateUser, idTokenOf, openSession, type SignedIn, type SigningIn } from './sign-in.ts'

/** How long someone has at the identity provider. */
export const SIGN_IN_LASTS = 10 * MINUTE

/** Where the browser goes, and the secret that it must still hold when it comes back. */
interface BegunSignIn {
  readonly outcome: 'begun'
  readonly authorizationUrl: string
  readonly verifier: string
}

/** The reason is for the operator. */
export interface FailedSignIn {
  readonly outcome: SignInOutcome
  readonly reason: string
}

/**
 * Begins a sign-in.
 *
 * The browser keeps the PKCE verifier in a cookie, and we keep its hash, which the provider gets as well. So nobody else's
 * browser can finish what this one began, nor this one what a stranger began.
 */
export async function beginSignIn(
  context: Context,
  { provider }: SingleSignOn,
  returnTo: string,
): Promise<BegunSignIn | FailedSignIn> {
  const [state, verifier] = [newSecret(), newSecret()]
  // As PKCE has it (S256).
  const challenge = hashSecret(verifier)
  const request = { redirectUri: redirectUriOf(context), state, nonce: nonceOf(verifier), challenge }
  const authorizationUrl = await provider.authorizationUrl(request).catch(failedBy)
  if (typeof authorizationUrl !== 'string') return authorizationUrl
  const expiresAt = context.now() + SIGN_IN_LASTS
  await insertSignInAttempt(context.db, { stateHash: hashSecret(state), challenge, returnTo, expiresAt })
  return { outcome: 'begun', authorizationUrl, verifier }
}

/** What the provider's failure means for a sign-in; throws any other error. */
function failedBy(error: unknown): FailedSignIn {
  if (!(error instanceof OidcFailure)) throw error
  return { outcome: error.code, reason: error.message }
}

/** What the browser comes back with. */
interface ReturnedSignIn extends SigningIn {
  /** The query, as the provider wrote it. */
  readonly query: string
  /** Of the browser's cookie. */
  readonly verifier: string
}

type EndedSignIn =
  | { readonly outcome: 'signed-in'; readonly signedIn: SignedIn; readonly returnTo: string }
  | FailedSignIn

/** Signs in whom the provider names. An attempt counts once, however it ends. */
export async function finishSignIn(
  context: Context,
  singleSignOn: SingleSignOn,
  { query, verifier, locale, userAgent }: ReturnedSignIn,
): Promise<EndedSignIn> {
  const state = new URLSearchParams(query).get('state') ?? ''
  const attempt = { stateHash: hashSecret(state), challenge: hashSecret(verifier) }
  const returnTo = await takeSignInAttempt(context.db, attempt, context.now())
  if (returnTo === undefined) return { outcome: 'expired', reason: 'no such sign-in has begun' }
  const redirectUri = redirectUriOf(context)
  const returned = { redirectUri, query, state, nonce: nonceOf(verifier), verifier }
  const identity = await singleSignOn.provider.identify(returned).catch(failedBy)
  if ('outcome' in identity) return identity
  return context.db.transaction().execute(async (trx): Promise<EndedSignIn> => {
    const user = await findOrLinkUser(context, trx, identity, locale)
    if (typeof user === 'string') return { outcome: user, reason: 'not let in' }
    await followGroup(context, trx, user, identity, singleSignOn.adminGroup)
    const signedIn = await openSession(context, trx, user, { userAgent, idToken: identity.idToken })
    return { outcome: 'signed-in', signedIn, returnTo }
  })
}

/**
 * The user with this identity. Without one, an address that the provider has verified finds or makes the account: anyone can
 * claim an address that nobody has checked.
 */
async function findOrLinkUser(
  context: Context,
  trx: Trx,
  identity: Identity,
  locale: Language,
): Promise<User | SignInOutcome> {
  // Of two first sign-ins of one person, the second must see the first.
  if ((await findUserIdByIdentity(trx, identity)) === undefined) await lockSchedulers(trx)
  const userId = await findUserIdByIdentity(trx, identity)
  const known = userId === undefined ? undefined : await findUser(trx, userId)
  if (known !== undefined) return known.disabledAt === null ? known : 'disabled'
  const email = canonicalEmail(identity.email)
  if (!isEmail(email)) return 'no-email'
  if (!identity.emailVerified) return 'unverified'
  const name = shortened(printableLine(identity.name), 100)
  const user = await findOrCreateUser(context, trx, { email, locale, ...(name !== '' && { name }) })
  if (typeof user === 'string') return user
  const now = context.now()
  await insertIdentity(trx, identity, user.id, now)
  const audit = { schedulerId: user.id, objectType: 'identity', objectId: user.id, changes: ['issuer'] }
  await recordAudit(trx, { userId: user.id, email: user.email }, now, { ...audit, action: 'created' })
  return user
}

/** Gives or takes the role of an admin, as the group says. The last admin keeps it. */
async function followGroup(
  context: Context,
  trx: Trx,
  user: User,
  { groups }: Identity,
  adminGroup: string,
): Promise<void> {
  const admin = groups.includes(adminGroup)
  if (adminGroup === '' || admin === user.admin) return
  // Of two last admins who lose it at once, the second must see the first.
  await lockSchedulers(trx)
  if (!admin && !(await hasOtherAdmin(trx, user.id))) return
  await updateUser(trx, user.id, { admin })
  const audit = { schedulerId: user.id, objectType: 'user', objectId: user.id, changes: ['admin'] }
  await recordAudit(trx, { userId: user.id, email: user.email }, context.now(), {
    ...audit,
    action: 'updated',
  })
}

/** Where the browser ends the provider's own session, after ours has ended; undefined if there is nothing to end. */
export async function signOutUrl(context: Context, { id, idToken }: Session): Promise<string | undefined> {
  const token = idToken === null ? undefined : unseal(context, idTokenOf(id), idToken)
  if (token === undefined) return undefined
  try {
    return await context.singleSignOn?.provider.signOutUrl(token, `${context.publicUrl}/app/sign-in`)
  } catch (error) {
    // Our own session has ended, whatever the provider says.
    if (error instanceof OidcFailure) return undefined
    throw error
  }
}

const redirectUriOf = ({ publicUrl }: Context) => `${publicUrl}/auth/oidc/callback`

/** From the browser's secret, so that an ID token of another sign-in never fits. */
const nonceOf = (verifier: string) => hashSecret(`nonce:${verifier}`)
