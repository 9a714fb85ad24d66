import { type Selectable, sql } from 'kysely'
import type { Scheduler } from '../domain/scheduler.ts'
import { type Db, engineOf, type Trx } from './database.ts'
import type { Schema } from './schema.ts'

export async function findSchedulerBySlug(db: Db, slug: string): Promise<Scheduler | undefined> {
  const row = await db.selectFrom('schedulers').selectAll().where('slug', '=', slug).executeTakeFirst()
  return row && fromRow(row)
}

export async function insertScheduler(
  db: Db,
  scheduler: Scheduler & { readonly email: string | null; readonly createdAt: number },
): Promise<void> {
  await db
    .insertInto('schedulers')
    .values({
      id: scheduler.id,
      kind: scheduler.kind,
      slug: scheduler.slug,
      email: scheduler.email,
      name: scheduler.name,
      bio: scheduler.bio,
      avatar_url: scheduler.avatarUrl,
      time_zone: scheduler.timeZone,
      locale: scheduler.locale,
      theme: scheduler.theme,
      primary_color: scheduler.branding.primaryColor,
      logo_url: scheduler.branding.logoUrl,
      revision: 0,
      calendar: 0,
      created_at: scheduler.createdAt,
    })
    .execute()
}

/** True on a database that nobody has used yet. */
export async function hasNoSchedulers(db: Db): Promise<boolean> {
  return (await db.selectFrom('schedulers').select('id').limit(1).executeTakeFirst()) === undefined
}

/** Makes this transaction the only one that adds schedulers until it ends. */
export async function lockSchedulers(trx: Trx): Promise<void> {
  // On SQLite, a transaction is the only one that writes anyway.
  if (engineOf(trx) === 'postgres') await sql`lock table schedulers in exclusive mode`.execute(trx)
}

/**
 * Makes this transaction the only one booking these hosts until it ends.
 *
 * An update is the one lock both engines share: PostgreSQL holds the row,
 * SQLite the file. Always in the order of ids, so that two cannot wait for each other.
 */
export async function lockHosts(trx: Trx, hostIds: readonly string[]): Promise<void> {
  for (const id of hostIds.toSorted()) {
    await trx
      .updateTable('schedulers')
      .set((eb) => ({ calendar: eb('calendar', '+', 1) }))
      .where('id', '=', id)
      .execute()
  }
}

function fromRow(row: Selectable<Schema['schedulers']>): Scheduler {
  return {
    id: row.id,
    kind: row.kind,
    slug: row.slug,
    name: row.name,
    bio: row.bio,
    avatarUrl: row.avatar_url,
    timeZone: row.time_zone,
    locale: row.locale,
    theme: row.theme,
    branding: { primaryColor: row.primary_color, logoUrl: row.logo_url },
  }
}
