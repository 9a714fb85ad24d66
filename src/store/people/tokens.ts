import type { Selectable } from 'kysely'
import type { Page } from '../../domain/cursor.ts'
import type { Scope } from '../../domain/people/user.ts'
import type { Db } from '../engine/database.ts'
import { pageByIdDesc } from '../engine/paging.ts'
import type { Schema } from '../engine/schema.ts'

/** A key for automation. The token itself is shown once and not stored; deleting this row revokes it. */
export interface ApiToken {
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly createdAt: number
  readonly expiresAt: number | null
}

export async function insertApiToken(db: Db, token: ApiToken): Promise<void> {
  await db
    .insertInto('api_tokens')
    .values({
      id: token.id,
      user_id: token.userId,
      name: token.name,
      scopes: JSON.stringify(token.scopes),
      created_at: token.createdAt,
      expires_at: token.expiresAt,
    })
    .execute()
}

export async function findApiToken(db: Db, id: string, now: number): Promise<ApiToken | undefined> {
  const row = await db.selectFrom('api_tokens').selectAll().where('id', '=', id).executeTakeFirst()
  return row && (row.expires_at === null || row.expires_at > now) ? fromRow(row) : undefined
}

/** API tokens of a user, newest first, after the one with id `after`. */
export async function findApiTokens(db: Db, userId: string, page: Page): Promise<ApiToken[]> {
  const rows = await db
    .selectFrom('api_tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .$call(pageByIdDesc(page))
    .execute()
  return rows.map(fromRow)
}

/** Returns whether the user had such a token. */
export async function deleteApiToken(db: Db, userId: string, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('api_tokens')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

export async function deleteApiTokensOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('api_tokens').where('user_id', '=', userId).execute()
}

function fromRow(row: Selectable<Schema['api_tokens']>): ApiToken {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    scopes: JSON.parse(row.scopes),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
