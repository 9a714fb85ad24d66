import type { Db } from '../engine/database.ts'

/** One sign-in on one device. Its refresh token changes with every use. */
export interface Session {
  readonly id: string
  readonly userId: string
  readonly refreshHash: string
  /** Sealed, of a sign-in at an identity provider; null of one by link. */
  readonly idToken: string | null
  readonly createdAt: number
  readonly expiresAt: number
}

export async function insertSession(db: Db, session: Session): Promise<void> {
  await db
    .insertInto('sessions')
    .values({
      id: session.id,
      user_id: session.userId,
      refresh_hash: session.refreshHash,
      id_token: session.idToken,
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
  return (
    row && {
      id: row.id,
      userId: row.user_id,
      refreshHash: row.refresh_hash,
      idToken: row.id_token,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
    }
  )
}

/** Replaces the refresh token if it is the current one; returns whether it was. */
export async function rotateSession(
  db: Db,
  id: string,
  { from, to }: { readonly from: string; readonly to: string },
  expiresAt: number,
): Promise<boolean> {
  const result = await db
    .updateTable('sessions')
    .set({ refresh_hash: to, expires_at: expiresAt })
    .where('id', '=', id)
    .where('refresh_hash', '=', from)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function deleteSession(db: Db, id: string): Promise<void> {
  const ended = await db.deleteFrom('sessions').where('id', '=', id).returning('user_id').executeTakeFirst()
  if (ended !== undefined) await forgetPush(db, ended.user_id)
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
