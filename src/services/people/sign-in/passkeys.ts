import { randomBytes } from 'node:crypto'
import { MINUTE } from '../../../domain/interval.ts'
import type { Actor } from '../../../domain/people/audit.ts'
import {
  formatRecoveryCode,
  MAX_PASSKEYS,
  PASSKEY_ALGORITHMS,
  type Passkey,
  passkeysWorkAt,
  RECOVERY_CODE_BYTES,
  RECOVERY_CODES,
} from '../../../domain/people/passkey.ts'
import type { User } from '../../../domain/people/user.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { checkName } from '../../../domain/text.ts'
import type { Db, Trx } from '../../../store/engine/database.ts'
import { newId } from '../../../store/new-id.ts'
import {
  countRecoveryCodes,
  deletePasskey,
  deletePasskeysOf,
  findPasskeyByCredential,
  findPasskeys,
  hasPasskey,
  insertPasskey,
  putPasskeyChallenge,
  replaceRecoveryCodes,
  takePasskeyChallenge,
  updatePasskeyName,
} from '../../../store/people/passkeys.ts'
import { deleteOtherSessionsOf, deleteSessionsOf, findSession } from '../../../store/people/sessions.ts'
import { findUser } from '../../../store/people/users.ts'
import { change } from '../../change.ts'
import type { Context } from '../../context.ts'
import { hashSecret, newSecret } from '../../secret.ts'
import { getId, notFound } from '../access.ts'
import { getPerson } from '../people.ts'
import { getUser } from '../users.ts'
import { passkeyAddedMail, passkeysRemovedMail } from './passkey-mail.ts'
import { CHALLENGE_LASTS, findPasskeyHandles, type PasskeyHandle } from './passkey-step.ts'
import { type Principal, requireSession } from './principal.ts'
import { domainOf, type NewCredential, PasskeyRefused, verifyNewPasskey } from './webauthn.ts'

/** How long after signing in someone can change their passkeys: a session that was left open must not lock its owner out. */
const RECENTLY = 30 * MINUTE

const NOT_FOR_TOKENS = sentence`An API token cannot see or change passkeys. Sign in for that.`

/** The passkeys of the signed-in user. */
interface OwnPasskeys {
  readonly passkeys: readonly Passkey[]
  /** How many recovery codes are left. */
  readonly recoveryCodes: number
  /** Whether one must stay. */
  readonly required: boolean
  /** Whether they must sign in again before they can change them. */
  readonly signInAgain: boolean
}

export async function listPasskeys(context: Context, principal: Principal): Promise<OwnPasskeys> {
  requireSession(principal, NOT_FOR_TOKENS)
  const { db, requirePasskey: required } = context
  return {
    passkeys: await findPasskeys(db, principal.userId),
    recoveryCodes: await countRecoveryCodes(db, principal.userId),
    required,
    signInAgain: !(await isRecent(context, db, principal)),
  }
}

/** What a browser gives to `navigator.credentials.create`. */
interface PasskeyCreation {
  readonly challenge: string
  readonly rp: { readonly id: string; readonly name: string }
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
  readonly pubKeyCredParams: readonly { readonly type: 'public-key'; readonly alg: number }[]
  /** Milliseconds. */
  readonly timeout: number
  readonly attestation: 'none'
  readonly excludeCredentials: readonly PasskeyHandle[]
  readonly authenticatorSelection: {
    readonly residentKey: 'preferred'
    readonly userVerification: 'preferred'
  }
}

/** Begins to add a passkey. */
export async function beginPasskey(context: Context, principal: Principal): Promise<PasskeyCreation> {
  requireSession(principal, NOT_FOR_TOKENS)
  const { db, publicUrl } = context
  if (!passkeysWorkAt(publicUrl)) {
    throw new Problem('invalid', sentence`Passkeys need https and a domain. This service is at ${publicUrl}.`)
  }
  await requireRecent(context, db, principal)
  const user = await findUser(db, principal.userId)
  if (user === undefined) throw notFound()
  const handles = await findPasskeyHandles(db, user.id)
  refuseTooMany(handles.length)
  const challenge = newSecret()
  const expiresAt = context.now() + CHALLENGE_LASTS
  await putPasskeyChallenge(db, { holderHash: holderOf(principal), userId: user.id, challenge, expiresAt })
  return {
    challenge,
    rp: { id: domainOf(context), name: 'Punctual' },
    user: { id: Buffer.from(user.id).toString('base64url'), name: user.email, displayName: user.name },
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_LASTS,
    attestation: 'none',
    excludeCredentials: handles,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  }
}

/** A passkey that was added, with recovery codes if it is the first. Only this answer holds the codes. */
interface AddedPasskey {
  readonly passkey: Passkey
  readonly recoveryCodes: readonly string[]
}

/**
 * Adds the passkey that a browser has made.
 *
 * The first one ends all other sessions: whoever has opened one of the user's links before stays out from now on.
 */
export async function addPasskey(
  context: Context,
  principal: Principal,
  { name: givenName, ...credential }: NewCredential & { readonly name: string },
): Promise<AddedPasskey> {
  requireSession(principal, NOT_FOR_TOKENS)
  const { userId } = principal
  const name = givenName.trim()
  checkName(name)
  const now = context.now()
  const challenge = await takePasskeyChallenge(context.db, holderOf(principal), now)
  if (challenge === undefined) {
    throw new Problem(
      'invalid',
      sentence`This took too long, or was done before. Please add the passkey again.`,
    )
  }
  const verified = await verifyNewPasskey(context, challenge.challenge, credential).catch(
    (cause: unknown) => {
      if (!(cause instanceof PasskeyRefused)) throw cause
      throw new Problem('invalid', sentence`This passkey was not accepted. Please add it again.`, { cause })
    },
  )
  const passkey: Passkey = { id: newId(), userId, ...verified, name, createdAt: now, lastUsedAt: null }
  const added = await change(context, principal, userId, async (trx) => {
    // Of two sessions that add the first passkey at once, the second has ended by now.
    await requireLive(context, trx, principal)
    if ((await findPasskeyByCredential(trx, passkey.credentialId)) !== undefined) {
      throw new Problem('in_use', sentence`This passkey was added before.`)
    }
    const known = await findPasskeys(trx, userId)
    refuseTooMany(known.length)
    await insertPasskey(trx, passkey)
    const first = known.length === 0
    if (first) await deleteOtherSessionsOf(trx, userId, principal.via.id)
    const recoveryCodes = first ? await renewCodes(trx, userId) : []
    const changes = ['name', ...(first ? ['recoveryCodes', 'sessions'] : [])]
    const audit = { ...about(userId, passkey.id), action: 'created', changes }
    return { result: { passkey, recoveryCodes }, audit, affects: [] }
  })
  const user = await findUser(context.db, userId)
  if (user !== undefined) notify(context, passkeyAddedMail(user, name, profileUrl(context)))
  return added
}

/** A passkey of the signed-in user. */
export async function getPasskey(db: Db, { userId }: Principal, id: string): Promise<Passkey> {
  const passkey = (await findPasskeys(db, userId)).find((one) => one.id === getId(id))
  if (passkey === undefined) throw notFound()
  return passkey
}

export async function renamePasskey(
  context: Context,
  principal: Principal,
  id: string,
  given: string,
): Promise<Passkey> {
  requireSession(principal, NOT_FOR_TOKENS)
  const { userId } = principal
  const name = given.trim()
  checkName(name)
  return change(context, principal, userId, async (trx) => {
    const passkey = await updatePasskeyName(trx, userId, getId(id), name)
    if (passkey === undefined) throw notFound()
    const audit = { ...about(userId, passkey.id), action: 'updated', changes: ['name'] }
    return { result: passkey, audit, affects: [] }
  })
}

/** Removes a passkey. With the last one, the recovery codes go as well: they would stand in for nothing. */
export async function removePasskey(context: Context, principal: Principal, id: string): Promise<void> {
  requireSession(principal, NOT_FOR_TOKENS)
  const { userId } = principal
  const last = await change(context, principal, userId, async (trx) => {
    await requireRecent(context, trx, principal)
    if (!(await deletePasskey(trx, userId, getId(id)))) throw notFound()
    const last = !(await hasPasskey(trx, userId))
    if (last && context.requirePasskey) {
      throw new Problem(
        'in_use',
        sentence`This service requires a passkey, and this is your only one. Add another first.`,
      )
    }
    if (last) await deletePasskeysOf(trx, userId)
    const audit = { ...about(userId, id), action: 'deleted', changes: last ? ['recoveryCodes'] : [] }
    return { result: last, audit, affects: [] }
  })
  const user = last ? await findUser(context.db, userId) : undefined
  if (user !== undefined) notify(context, passkeysRemovedMail(user, profileUrl(context)))
}

/** New recovery codes. Those from before stop working. */
export async function replaceCodes(context: Context, principal: Principal): Promise<readonly string[]> {
  requireSession(principal, NOT_FOR_TOKENS)
  const { userId } = principal
  return change(context, principal, userId, async (trx) => {
    await requireRecent(context, trx, principal)
    if (!(await hasPasskey(trx, userId))) {
      throw new Problem('in_use', sentence`Recovery codes stand in for a passkey. Add a passkey first.`)
    }
    const codes = await renewCodes(trx, userId)
    const audit = { schedulerId: userId, objectType: 'recovery-code', objectId: userId, changes: [] }
    return { result: codes, audit: { ...audit, action: 'created' }, affects: [] }
  })
}

/** Removes all passkeys of a person who has lost them, for admins of the instance. */
export async function resetPasskeysOfPerson(
  context: Context,
  principal: Principal,
  id: string,
): Promise<void> {
  requireSession(principal, NOT_FOR_TOKENS)
  const { user } = await getPerson(context, principal, id)
  // Otherwise a session that was left open could remove what protects its owner.
  if (user.id === principal.userId) {
    throw new Problem('invalid', sentence`Remove your own passkeys in your profile.`)
  }
  await reset(context, principal, user)
}

/** Removes all passkeys of a user, for the command line. Returns how many there were. */
export async function resetPasskeys(context: Context, actor: Actor, email: string): Promise<number> {
  return reset(context, actor, await getUser(context.db, email))
}

/** Sessions end as well, since one of them may be that of whoever has the key now. API tokens stay. */
async function reset(context: Context, actor: Actor, user: User): Promise<number> {
  const count = await change(context, actor, user.id, async (trx) => {
    const count = await deletePasskeysOf(trx, user.id)
    await deleteSessionsOf(trx, user.id)
    const audit = { schedulerId: user.id, objectType: 'user', objectId: user.id }
    const changes = ['passkeys', 'recoveryCodes', 'sessions']
    return { result: count, audit: { ...audit, action: 'passkeys removed', changes }, affects: [] }
  })
  if (count > 0) notify(context, passkeysRemovedMail(user, profileUrl(context)))
  return count
}

async function renewCodes(trx: Trx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    formatRecoveryCode(randomBytes(RECOVERY_CODE_BYTES)),
  )
  await replaceRecoveryCodes(trx, userId, codes.map(hashSecret))
  return codes
}

function refuseTooMany(count: number): void {
  if (count < MAX_PASSKEYS) return
  throw new Problem(
    'in_use',
    sentence`You have ${MAX_PASSKEYS} passkeys, which is the most. Remove one first.`,
  )
}

async function isRecent(context: Context, db: Db, { via }: Principal): Promise<boolean> {
  const session = await findSession(db, via.id, context.now())
  return session !== undefined && session.createdAt > context.now() - RECENTLY
}

async function requireRecent(context: Context, db: Db, principal: Principal): Promise<void> {
  if (await isRecent(context, db, principal)) return
  throw new Problem(
    'forbidden',
    sentence`You signed in a while ago. Please sign in again to change your passkeys.`,
  )
}

async function requireLive(context: Context, trx: Trx, { via }: Principal): Promise<void> {
  if ((await findSession(trx, via.id, context.now())) !== undefined) return
  throw new Problem('unauthenticated', sentence`Your session has ended. Please sign in again.`)
}

function notify(context: Context, mail: ReturnType<typeof passkeyAddedMail>): void {
  context.inBackground(() => context.mailer(mail))
}

/** The holder of a session's challenge. */
const holderOf = ({ via }: Principal) => hashSecret(`session:${via.id}`)
const profileUrl = ({ publicUrl }: Context) => `${publicUrl}/app/profile`
const about = (userId: string, id: string) => ({
  schedulerId: userId,
  objectType: 'passkey',
  objectId: id,
})
