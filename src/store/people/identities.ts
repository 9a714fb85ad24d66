import type { Db } from '../engine/database.ts'

/** Who a person is at an identity provider. The address there may change, this never does. */
interface IdentityKey {
  readonly issuer: string
  readonly subject: string
}

export async function findUserIdByIdentity(
  db: Db,
  { issuer, subject }: IdentityKey,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('identities')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.user_id
}

export async function insertIdentity(
  db: Db,
  { issuer, subject }: IdentityKey,
  userId: string,
  now: number,
): Promise<void> {
  await db.insertInto('identities').values({ issuer, subject, user_id: userId, created_at: now }).execute()
}

/** A sign-in that has begun at the identity provider. */
interface SignInAttempt {
  readonly stateHash: string
  /** The hash of the secret that the browser keeps. */
  readonly challenge: string
  /** The page of the dashboard to show afterwards. */
  readonly returnTo: string
  readonly expiresAt: number
}

export async function insertSignInAttempt(db: Db, attempt: SignInAttempt): Promise<void> {
  await db
    .insertInto('sign_in_attempts')
    .values({
      state_hash: attempt.stateHash,
      challenge: attempt.challenge,
      return_to: attempt.returnTo,
      expires_at: attempt.expiresAt,
    })
    .execute()
}

/** Uses an attempt up. Returns where it leads, or undefined if no attempt has all of this. */
export async function takeSignInAttempt(
  db: Db,
  { stateHash, challenge }: Pick<SignInAttempt, 'stateHash' | 'challenge'>,
  now: number,
): Promise<string | undefined> {
  const row = await db
    .deleteFrom('sign_in_attempts')
    .where('state_hash', '=', stateHash)
    .where('challenge', '=', challenge)
    .where('expires_at', '>', now)
    .returning('return_to')
    .executeTakeFirst()
  return row?.return_to
}
