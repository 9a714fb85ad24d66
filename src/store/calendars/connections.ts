import { type Selectable, sql } from 'kysely'
import type { Connection } from '../../domain/calendars/connection.ts'
import type { Page } from '../../domain/cursor.ts'
import { NOTHING, type Sentence } from '../../domain/sentence.ts'
import type { Db, Trx } from '../engine/database.ts'
import { engine } from '../engine/engine.ts'
import { pageById } from '../engine/paging.ts'
import type { Schema } from '../engine/schema.ts'
import { isFree } from '../leases.ts'
import { pairOf, sentenceFrom } from '../sentences.ts'

/** A connection with its tokens, encrypted. */
export interface StoredConnection extends Connection {
  readonly sealedTokens: string
  /** When the access token ends. */
  readonly expiresAt: number
  /** Grows with every new pair of tokens. */
  readonly tokenRevision: number
}

/** Begun by a host, and not yet come back from the provider. */
interface ConnectionAttempt {
  readonly stateHash: string
  readonly userId: string
  readonly provider: Connection['provider']
  /** The hash of the verifier that the host's browser holds. */
  readonly challenge: string
  readonly expiresAt: number
}

export async function insertAttempt(db: Db, attempt: ConnectionAttempt): Promise<void> {
  await db
    .insertInto('connection_attempts')
    .values({
      state_hash: attempt.stateHash,
      user_id: attempt.userId,
      provider: attempt.provider,
      challenge: attempt.challenge,
      expires_at: attempt.expiresAt,
    })
    .execute()
}

/** Uses an attempt up. Returns its user, or undefined if no attempt has all of this. */
export async function takeAttempt(
  db: Db,
  { stateHash, provider, challenge }: Omit<ConnectionAttempt, 'userId' | 'expiresAt'>,
  now: number,
): Promise<string | undefined> {
  const row = await db
    .deleteFrom('connection_attempts')
    .where('state_hash', '=', stateHash)
    .where('provider', '=', provider)
    .where('challenge', '=', challenge)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id
}

export async function findConnection(
  db: Db,
  userId: string,
  id: string,
): Promise<StoredConnection | undefined> {
  const row = await db
    .selectFrom('connections')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && fromRow(row)
}

/** A connection of any user: for the service's own work. */
export async function findAnyConnection(db: Db, id: string): Promise<StoredConnection | undefined> {
  const row = await db.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirst()
  return row && fromRow(row)
}

/** The user's connection of this account. */
export async function findConnectionOf(
  db: Db,
  { userId, provider, subject }: Pick<Connection, 'userId' | 'provider' | 'subject'>,
): Promise<StoredConnection | undefined> {
  const row = await db
    .selectFrom('connections')
    .selectAll()
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row && fromRow(row)
}

/** The accounts that these users have connected at a provider, oldest first. */
export async function findConnectionsFor(
  db: Db,
  userIds: readonly string[],
  provider: Connection['provider'],
): Promise<StoredConnection[]> {
  if (userIds.length === 0) return []
  const rows = await db
    .selectFrom('connections')
    .selectAll()
    .where('user_id', 'in', userIds)
    .where('provider', '=', provider)
    .orderBy('id')
    .execute()
  return rows.map(fromRow)
}

/** Whether any user has connected this account. */
export async function isConnected(
  db: Db,
  { provider, subject }: Pick<Connection, 'provider' | 'subject'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('connections')
    .select('id')
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Connections of a user, oldest first, after the one with id `after`. */
export async function findConnectionPage(db: Db, userId: string, page: Page): Promise<StoredConnection[]> {
  const rows = await db
    .selectFrom('connections')
    .selectAll()
    .where('user_id', '=', userId)
    .$call(pageById(page))
    .execute()
  return rows.map(fromRow)
}

export async function countConnections(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('connections')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertConnection(trx: Trx, connection: StoredConnection): Promise<void> {
  await trx
    .insertInto('connections')
    .values({
      id: connection.id,
      user_id: connection.userId,
      provider: connection.provider,
      subject: connection.subject,
      account: connection.account,
      sealed_tokens: connection.sealedTokens,
      expires_at: connection.expiresAt,
      token_revision: connection.tokenRevision,
      leased_until: 0,
      status: connection.status,
      ...lastErrorRow(connection.lastError),
      created_at: connection.createdAt,
    })
    .execute()
}

/** Stores what a host has given anew. A refresh that is under way loses to it. */
export async function renewConnection(
  trx: Trx,
  id: string,
  { account, sealedTokens, expiresAt }: Pick<StoredConnection, 'account' | 'sealedTokens' | 'expiresAt'>,
): Promise<void> {
  await trx
    .updateTable('connections')
    .set((eb) => ({
      account,
      sealed_tokens: sealedTokens,
      expires_at: expiresAt,
      token_revision: eb('token_revision', '+', 1),
      leased_until: 0,
      status: 'ok',
      ...lastErrorRow(NOTHING),
    }))
    .where('id', '=', id)
    .execute()
}

/** Deletes a connection, its calendars and their busy times. Returns it as it was, undefined if it was gone. */
export async function deleteConnection(
  trx: Trx,
  userId: string,
  id: string,
): Promise<StoredConnection | undefined> {
  await trx
    .updateTable('event_types')
    .set({ write_to_calendar_id: null })
    .where('write_to_calendar_id', 'in', (eb) =>
      eb.selectFrom('calendars').select('id').where('user_id', '=', userId).where('connection_id', '=', id),
    )
    .execute()
  const row = await trx
    .deleteFrom('connections')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && fromRow(row)
}

/** A connection whose tokens this instance may refresh, until the lease ends. */
export interface TokenLease extends StoredConnection {
  readonly leasedUntil: number
}

/**
 * Makes this instance the only one that refreshes the tokens, for at most `lease`. Returns them, as they are now.
 *
 * Undefined if another instance is at it. The time is the database's, so that instances with wrong clocks agree.
 */
export async function leaseTokens(db: Db, id: string, lease: number): Promise<TokenLease | undefined> {
  const row = await db
    .updateTable('connections')
    .set({ leased_until: sql`${engine(db).now} + ${sql.lit(lease)}` })
    .where('id', '=', id)
    .where(isFree(db, 'leased_until'))
    .returningAll()
    .executeTakeFirst()
  return row && { ...fromRow(row), leasedUntil: row.leased_until }
}

/** Gives the lease back without new tokens, and stores why. */
export async function releaseTokens(
  db: Db,
  { id, leasedUntil }: Pick<TokenLease, 'id' | 'leasedUntil'>,
  lastError: Sentence,
): Promise<void> {
  await db
    .updateTable('connections')
    .set({ leased_until: 0, ...lastErrorRow(lastError) })
    .where('id', '=', id)
    .where('leased_until', '=', leasedUntil)
    .execute()
}

/**
 * Stores new tokens and ends the lease. Returns false if others were stored since `before` was read.
 *
 * It also mends a connection that looked lost: a refresh token works once, so an instance that was late with an old one
 * is told that it is not valid, although another has the new one in hand.
 */
export async function updateTokens(
  db: Db,
  before: Pick<StoredConnection, 'id' | 'tokenRevision'>,
  { sealedTokens, expiresAt }: Pick<StoredConnection, 'sealedTokens' | 'expiresAt'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('connections')
    .set({
      sealed_tokens: sealedTokens,
      expires_at: expiresAt,
      token_revision: before.tokenRevision + 1,
      leased_until: 0,
      status: 'ok',
      ...lastErrorRow(NOTHING),
    })
    .where('id', '=', before.id)
    .where('token_revision', '=', before.tokenRevision)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Notes that these tokens work no more. Returns false if that was known, or if the lease was lost. */
export async function markLost(
  trx: Trx,
  { id, leasedUntil }: Pick<TokenLease, 'id' | 'leasedUntil'>,
  lastError: Sentence,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('connections')
    .set({ status: 'reconnect', ...lastErrorRow(lastError), leased_until: 0 })
    .where('id', '=', id)
    .where('leased_until', '=', leasedUntil)
    .where('status', '=', 'ok')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The sealed tokens of all connections. */
export async function findSealedTokens(db: Db): Promise<{ id: string; sealedTokens: string }[]> {
  return db.selectFrom('connections').select(['id', 'sealed_tokens as sealedTokens']).orderBy('id').execute()
}

/** Stores tokens that were sealed anew, unless they were changed since `before` was read. */
export async function updateSealedTokens(db: Db, id: string, before: string, after: string): Promise<void> {
  await db
    .updateTable('connections')
    .set({ sealed_tokens: after })
    .where('id', '=', id)
    .where('sealed_tokens', '=', before)
    .execute()
}

function lastErrorRow(lastError: Sentence) {
  const { text, parts } = pairOf(lastError)
  return { last_error: text, last_error_parts: parts }
}

function fromRow(row: Selectable<Schema['connections']>): StoredConnection {
  return {
    id: row.id,
    userId: row.user_id,
    provider: row.provider,
    subject: row.subject,
    account: row.account,
    status: row.status,
    lastError: sentenceFrom(row.last_error, row.last_error_parts),
    createdAt: row.created_at,
    sealedTokens: row.sealed_tokens,
    expiresAt: row.expires_at,
    tokenRevision: row.token_revision,
  }
}
