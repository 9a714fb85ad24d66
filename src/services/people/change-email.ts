import { randomBytes } from 'node:crypto'
import { HOUR, MINUTE } from '../../domain/interval.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import type { Db } from '../../store/engine/database.ts'
import { findEmailChangeExpiry, putEmailChange, takeEmailChange } from '../../store/people/email-changes.ts'
import { findUser, findUserByEmail, updateUser } from '../../store/people/users.ts'
import { change } from '../change.ts'
import type { Context } from '../context.ts'
import { hashSecret } from '../secret.ts'
import { notFound } from './access.ts'
import { emailChangeAskedMail, emailChangedMail, proveEmailMail } from './email-change-mail.ts'
import { type Principal, requireSession } from './sign-in/principal.ts'
import { readEmail } from './sign-in/sign-in.ts'

const LINK_LASTS = HOUR

/** Mails a link to the new address. Only following it changes the address. */
export async function requestEmailChange(
  context: Context,
  principal: Principal,
  given: string,
): Promise<void> {
  requireSession(principal, sentence`An API token cannot change your email address. Sign in for that.`)
  const { userId } = principal
  const email = readEmail(given)
  const token = randomBytes(32).toString('base64url')
  const now = context.now()
  const user = await change(context, principal, userId, async (trx) => {
    const user = await findUser(trx, userId)
    if (user === undefined) throw notFound()
    if (email === user.email) {
      throw new Problem('invalid', sentence`This is your address already.`, { field: 'email' })
    }
    await refuseTaken(trx, email)
    // Each request mails someone, and tells whether an address has an account.
    const expiry = await findEmailChangeExpiry(trx, userId)
    const wait = expiry === undefined ? 0 : expiry - LINK_LASTS + MINUTE - now
    if (wait > 0) {
      const retryAfter = Math.ceil(wait / 1000)
      const reason = sentence`We have just sent a link. Please try again in ${retryAfter} seconds.`
      throw new Problem('rate_limited', reason, { retryAfter })
    }
    await putEmailChange(trx, { userId, email, tokenHash: hashSecret(token), expiresAt: now + LINK_LASTS })
    return { result: user, audit: { ...about(userId), action: 'asked', changes: ['email'] }, affects: [] }
  })
  const link = `${profileUrl(context)}#new-email=${token}`
  context.inBackground(() => context.mailer(proveEmailMail(email, link, user.locale)))
  const asked = emailChangeAskedMail(user.email, email, profileUrl(context), user.locale)
  context.inBackground(() => context.mailer(asked))
}

/** Changes the address whose owner followed the link. Sessions, tokens and bookings stay. */
export async function confirmEmailChange(
  context: Context,
  principal: Principal,
  token: string,
): Promise<void> {
  requireSession(principal, sentence`An API token cannot change your email address. Sign in for that.`)
  const { userId } = principal
  const { former, email, locale } = await change(context, principal, userId, async (trx) => {
    const email = await takeEmailChange(trx, userId, hashSecret(token), context.now())
    const user = await findUser(trx, userId)
    if (email === undefined || user === undefined) {
      throw new Problem('link_dead', sentence`This link has expired or was used before. Ask for a new one.`)
    }
    await refuseTaken(trx, email)
    await updateUser(trx, userId, { email })
    const audit = { ...about(userId), action: 'updated', changes: ['email'] }
    return { result: { former: user.email, email, locale: user.locale }, audit, affects: [userId] }
  })
  context.inBackground(() => context.mailer(emailChangedMail(former, email, profileUrl(context), locale)))
}

async function refuseTaken(db: Db, email: string): Promise<void> {
  if ((await findUserByEmail(db, email)) === undefined) return
  const reason = sentence`Another account here has this address. Use another, or sign in with it.`
  throw new Problem('in_use', reason, { field: 'email' })
}

const profileUrl = ({ publicUrl }: Context) => `${publicUrl}/app/profile`
const about = (userId: string) => ({ schedulerId: userId, objectType: 'user', objectId: userId })
