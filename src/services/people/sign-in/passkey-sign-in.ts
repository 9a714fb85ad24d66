import { readRecoveryCode } from '../../../domain/people/passkey.ts'
import type { User } from '../../../domain/people/user.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import type { Trx } from '../../../store/engine/database.ts'
import {
  attemptPasskeyChallenge,
  countRecoveryCodes,
  findPasskeyByCredential,
  takePasskeyChallenge,
  takeRecoveryCode,
  updatePasskeyUse,
} from '../../../store/people/passkeys.ts'
import { findUser } from '../../../store/people/users.ts'
import { recordAudit } from '../../change.ts'
import type { Context } from '../../context.ts'
import { hashSecret } from '../../secret.ts'
import { recoveryCodeUsedMail } from './passkey-mail.ts'
import { holderOf } from './passkey-step.ts'
import { openSession, type SignedIn, type SigningIn } from './sign-in.ts'
import { PasskeyRefused, type SignedChallenge, verifyPasskey } from './webauthn.ts'

/** How often one sign-in may be attempted: people mistype codes. */
const MAX_ATTEMPTS = 10

/**
 * Ends a sign-in with a passkey.
 *
 * A challenge is good for one sign-in. A refused attempt does not use it up, so that a person can go on with another key or
 * with a recovery code.
 */
export async function signInWithPasskey(
  context: Context,
  secret: string,
  { userAgent, ...signed }: SignedChallenge & Pick<SigningIn, 'userAgent'>,
): Promise<SignedIn> {
  const { userId, challenge } = await attempt(context, secret)
  const passkey = await findPasskeyByCredential(context.db, signed.credentialId)
  // Someone else's passkey is as good as none.
  if (passkey?.userId !== userId) throw refused(new PasskeyRefused('it is not one of the user'))
  const counter = await verifyPasskey(context, challenge, signed, passkey).catch((error: unknown) => {
    throw error instanceof PasskeyRefused ? refused(error) : error
  })
  return context.db.transaction().execute(async (trx) => {
    const user = await takeStep(context, trx, secret)
    if (!(await updatePasskeyUse(trx, passkey, counter, context.now()))) {
      throw refused(new PasskeyRefused('its counter has changed meanwhile'))
    }
    return openSession(context, trx, user, { userAgent })
  })
}

/** Ends a sign-in with a recovery code, which is used up. `countGuess` throws if there were too many for this user. */
export async function signInWithRecoveryCode(
  context: Context,
  secret: string,
  { code, userAgent }: { readonly code: string } & Pick<SigningIn, 'userAgent'>,
  countGuess: (userId: string) => Promise<void>,
): Promise<SignedIn> {
  const { userId } = await attempt(context, secret)
  await countGuess(userId)
  const codeHash = hashSecret(readRecoveryCode(code))
  const { signedIn, left } = await context.db.transaction().execute(async (trx) => {
    if (!(await takeRecoveryCode(trx, userId, codeHash))) {
      throw new Problem(
        'forbidden',
        sentence`This is not one of your recovery codes, or you have used it before.`,
      )
    }
    const user = await takeStep(context, trx, secret)
    const audit = { schedulerId: userId, objectType: 'recovery-code', objectId: userId, changes: [] }
    const actor = { userId, email: user.email }
    await recordAudit(trx, actor, context.now(), { ...audit, action: 'used' })
    const left = await countRecoveryCodes(trx, userId)
    return { signedIn: await openSession(context, trx, user, { userAgent }), left }
  })
  const mail = recoveryCodeUsedMail(signedIn.user, left, `${context.publicUrl}/app/profile`)
  context.inBackground(() => context.mailer(mail))
  return signedIn
}

async function attempt(context: Context, secret: string) {
  const step = await attemptPasskeyChallenge(context.db, holderOf(secret), context.now(), MAX_ATTEMPTS)
  if (step === undefined) throw stepOver()
  return step
}

/** Uses the step up, for a user who may still sign in. Of two requests at once, one gets it. */
async function takeStep(context: Context, trx: Trx, secret: string): Promise<User> {
  const step = await takePasskeyChallenge(trx, holderOf(secret), context.now())
  const user = step && (await findUser(trx, step.userId))
  if (user === undefined || user.disabledAt !== null) throw stepOver()
  return user
}

const stepOver = () => new Problem('link_dead', sentence`This sign-in has ended. Ask for a new link.`)

const refused = (cause: PasskeyRefused) =>
  new Problem('forbidden', sentence`This passkey was not accepted. Try another, or use a recovery code.`, {
    cause,
  })
