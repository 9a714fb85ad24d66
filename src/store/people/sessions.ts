import type { Selectable } from 'kysely'
import type { Device } from '../../domain/people/device.ts'
import type { Db } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'

/** One sign-in on one device. Its refresh token changes with every use. */
export interface Session {
  readonly id: string
  readonly userId: string
  readonly refreshHash: string
  /** Sealed, of a sign-in at an identity provider; null of one by link. */
  readonly idToken: string | null
  /** As it was when the session was last renewed. */
  readonly device: Device
  readonly createdAt: number
  readonly expiresAt: number
  /** When it was opened or last renewed: once an hour while it is used, so that requests need not be written down. */
  readonly lastUsedAt: number
}

export async function insertSession(db: Db, session: Session): Promise<void> {
  await db
    .insertInto('sessions')
    .values({
      id: session.id,
      user_id: session.userId,
      refresh_hash: session.refreshHash,
      id_token: session.idToken,
      ...session.device,
      last_used_at: session.lastUsedAt,
      created_at: session.createdAt,
      expires_at: session.expiresAt,
    })
    .execute()
}

export async function findSession(db: Db, id: string, now: number): Promise<Session | undefined> {
  const row = await db
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row && fromRow(row)
}

/** Sessions of a user that work now, newest first. */
export async function findSessions(db: Db, userId: string, now: number): Promise<Session[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(fromRow)
}

const fromRow = (row: Selectable<Schema['sessions']>): Session => ({
  id: row.id,
  userId: row.user_id,
  refreshHash: row.refresh_hash,
  idToken: row.id_token,
  device: { browser: row.browser ?? '', system: row.system ?? '' },
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at ?? row.created_at,
})

/** Replaces the refresh token if it is the current one; returns whether it was. */
export async function rotateSession(
  db: Db,
  from: Session,
  to: Pick<Session, 'refreshHash' | 'device' | 'expiresAt' | 'lastUsedAt'>,
): Promise<boolean> {
  const result = await db
    .updateTable('sessions')
    .set({
      refresh_hash: to.refreshHash,
      ...to.device,
      last_used_at: to.lastUsedAt,
      expires_at: to.expiresAt,
    })
    .where('id', '=', from.id)
    .where('refresh_hash', '=', from.refreshHash)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Returns whether there was one. */
export async function deleteSession(
  db: Db,
  { id, userId }: Pick<Session, 'id' | 'userId'>,
): Promise<boolean> {
  const result = await db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (result.numDeletedRows === 0n) return false
  await forgetPush(db, userId)
  return true
}

/** Ends all sessions of a user but this one. */
export async function deleteOtherSessionsOf(db: Db, userId: string, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '!=', id).execute()
  await forgetPush(db, userId)
}

export async function deleteSessionsOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await forgetPush(db, userId)
}

/** The browsers with notifications have ended with their sessions. If none is left, bookings need not look for any. */
async function forgetPush(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('schedulers')
    .set({ has_push: 0 })
    .where('id', '=', userId)
    .where('has_push', '=', 1)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('push_subscriptions').select('id').where('user_id', '=', userId))),
    )
    .execute()
}
