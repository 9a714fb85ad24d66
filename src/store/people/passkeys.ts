import { type Selectable, sql } from 'kysely'
import type { Passkey } from '../../domain/people/passkey.ts'
import type { Db, Trx } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'

export async function insertPasskey(db: Db, passkey: Passkey): Promise<void> {
  await db
    .insertInto('passkeys')
    .values({
      id: passkey.id,
      user_id: passkey.userId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: JSON.stringify(passkey.transports),
      name: passkey.name,
      created_at: passkey.createdAt,
      last_used_at: passkey.lastUsedAt,
    })
    .execute()
}

/** The passkeys of a user, oldest first. */
export async function findPasskeys(db: Db, userId: string): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(fromRow)
}

export async function hasPasskey(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('passkeys')
    .select('id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whoever's it is. */
export async function findPasskeyByCredential(db: Db, credentialId: string): Promise<Passkey | undefined> {
  const row = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
  return row && fromRow(row)
}

/** Returns the renamed passkey; undefined if the user has no such one. */
export async function updatePasskeyName(
  db: Db,
  userId: string,
  id: string,
  name: string,
): Promise<Passkey | undefined> {
  const row = await db
    .updateTable('passkeys')
    .set({ name })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && fromRow(row)
}

/** Notes a use. Returns false if the counter has changed since the passkey was read. */
export async function updatePasskeyUse(
  db: Db,
  { id, counter }: Pick<Passkey, 'id' | 'counter'>,
  newCounter: number,
  now: number,
): Promise<boolean> {
  const result = await db
    .updateTable('passkeys')
    .set({ counter: newCounter, last_used_at: now })
    .where('id', '=', id)
    .where('counter', '=', counter)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Returns whether the user had such a passkey. */
export async function deletePasskey(db: Db, userId: string, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** Deletes everything that a user can prove themselves with besides the link. Returns how many passkeys there were. */
export async function deletePasskeysOf(trx: Trx, userId: string): Promise<number> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await trx.deleteFrom('passkey_challenges').where('user_id', '=', userId).execute()
  const result = await trx.deleteFrom('passkeys').where('user_id', '=', userId).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Puts new recovery codes in the place of all that the user has. */
export async function replaceRecoveryCodes(
  trx: Trx,
  userId: string,
  codeHashes: readonly string[],
): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  if (codeHashes.length === 0) return
  await trx
    .insertInto('recovery_codes')
    .values(codeHashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute()
}

/** Uses a recovery code up. Returns whether the user had it: of two requests with one code, the first alone. */
export async function takeRecoveryCode(db: Db, userId: string, codeHash: string): Promise<boolean> {
  const result = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const row = await db
    .selectFrom('recovery_codes')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** What a browser must have signed by one of the user's keys, or by a new one. */
interface PasskeyChallenge {
  /** The hash of what only this browser knows. */
  readonly holderHash: string
  readonly userId: string
  readonly challenge: string
  readonly expiresAt: number
}

/** Stores a challenge, in the place of an earlier one of the same holder. */
export async function putPasskeyChallenge(db: Db, given: PasskeyChallenge): Promise<void> {
  const { challenge, expiresAt: expires_at } = given
  await db
    .insertInto('passkey_challenges')
    .values({ holder_hash: given.holderHash, user_id: given.userId, challenge, attempts: 0, expires_at })
    .onConflict((on) => on.column('holder_hash').doUpdateSet({ challenge, attempts: 0, expires_at }))
    .execute()
}

/** Counts an attempt to meet a challenge; undefined if there is none, or if it was attempted too often. */
export async function attemptPasskeyChallenge(
  db: Db,
  holderHash: string,
  now: number,
  maxAttempts: number,
): Promise<Pick<PasskeyChallenge, 'userId' | 'challenge'> | undefined> {
  const row = await db
    .updateTable('passkey_challenges')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('holder_hash', '=', holderHash)
    .where('expires_at', '>', now)
    .where('attempts', '<', maxAttempts)
    .returning(['user_id', 'challenge'])
    .executeTakeFirst()
  return row && { userId: row.user_id, challenge: row.challenge }
}

/** Uses a challenge up. Returns it, or undefined if there is none (any more). */
export async function takePasskeyChallenge(
  db: Db,
  holderHash: string,
  now: number,
): Promise<Pick<PasskeyChallenge, 'userId' | 'challenge'> | undefined> {
  const row = await db
    .deleteFrom('passkey_challenges')
    .where('holder_hash', '=', holderHash)
    .where('expires_at', '>', now)
    .returning(['user_id', 'challenge'])
    .executeTakeFirst()
  return row && { userId: row.user_id, challenge: row.challenge }
}

function fromRow(row: Selectable<Schema['passkeys']>): Passkey {
  return {
    id: row.id,
    userId: row.user_id,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: row.counter,
    transports: JSON.parse(row.transports),
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }
}
