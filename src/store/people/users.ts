import { type Selectable, sql } from 'kysely'
import type { Preferences, User } from '../../domain/people/user.ts'
import type { Db } from '../engine/database.ts'
import { type Placeholder, prepared } from '../engine/prepared.ts'
import type { Schema } from '../engine/schema.ts'
import { schedulerFromRow } from './schedulers.ts'

export async function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  const row = await db
    .selectFrom('schedulers')
    .selectAll()
    .where('kind', '=', 'user')
    .where('email', '=', email)
    .executeTakeFirst()
  return row && userFromRow(row)
}

export async function findUser(db: Db, id: string): Promise<User | undefined> {
  const { rows } = await byId(db, { id })
  return rows[0] && userFromRow(rows[0])
}

const byId = prepared((db, value: Placeholder<{ id: string }>) =>
  db.selectFrom('schedulers').selectAll().where('kind', '=', 'user').where('id', '=', value('id')),
)

/** Every user, oldest first, without deleted ones. */
export async function findUsers(db: Db): Promise<User[]> {
  const rows = await db
    .selectFrom('schedulers')
    .selectAll()
    .where('kind', '=', 'user')
    .where('email', 'is not', null)
    .where('closed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(userFromRow)
}

/** Whether the instance has an admin: then `SIGNUP=first` no longer lets anyone sign up. */
export async function hasAdmin(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('schedulers')
    .select('id')
    // Written out: only then SQLite uses the partial index.
    .where('admin', '=', sql.lit(1))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether someone else could still run the instance. */
export async function hasOtherAdmin(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('schedulers')
    .select('id')
    .where('admin', '=', sql.lit(1))
    .where('disabled_at', 'is', null)
    .where('id', '<>', id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function updateUser(
  db: Db,
  id: string,
  change: Partial<Pick<User, 'admin' | 'disabledAt' | 'closedAt' | 'email'> & Preferences>,
): Promise<void> {
  await db
    .updateTable('schedulers')
    .set({
      ...(change.email !== undefined && { email: change.email }),
      ...(change.admin !== undefined && { admin: change.admin ? 1 : 0 }),
      ...(change.disabledAt !== undefined && { disabled_at: change.disabledAt }),
      ...(change.closedAt !== undefined && { closed_at: change.closedAt }),
      ...(change.timeFormat !== undefined && { time_format: change.timeFormat }),
      ...(change.weekStart !== undefined && { week_start: change.weekStart }),
    })
    .where('id', '=', id)
    .execute()
}

export function userFromRow(row: Selectable<Schema['schedulers']>): User {
  return {
    ...schedulerFromRow(row),
    kind: 'user',
    email: row.email ?? '',
    admin: row.admin === 1,
    disabledAt: row.disabled_at,
    closedAt: row.closed_at,
    timeFormat: row.time_format,
    weekStart: row.week_start,
    ...(row.has_push === 1 && { hasPush: true }),
  }
}
