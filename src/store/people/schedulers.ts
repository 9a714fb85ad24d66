import type { Selectable } from 'kysely'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import type { Db, Trx } from '../engine/database.ts'
import { engine, type IdList } from '../engine/engine.ts'
import { type Placeholder, prepared } from '../engine/prepared.ts'
import type { Schema } from '../engine/schema.ts'
import { claimSlug, EVERYWHERE, findMoved } from './old-slugs.ts'

/** The scheduler at this slug; one who has moved away is found until someone else takes it. */
export async function findSchedulerBySlug(db: Db, slug: string): Promise<Scheduler | undefined> {
  const { rows } = await bySlug(db, { slug })
  const [row] = rows
  // The page of someone who was shut out is shut as well.
  if (row !== undefined) return row.disabled_at === null ? schedulerFromRow(row) : undefined
  const moved = await findMoved(db, 'scheduler', EVERYWHERE, slug)
  return moved === undefined ? undefined : findScheduler(db, moved)
}

export async function findScheduler(db: Db, id: string): Promise<Scheduler | undefined> {
  const { rows } = await byId(db, { id })
  return rows[0] && schedulerFromRow(rows[0])
}

const byId = prepared((db, value: Placeholder<{ id: string }>) =>
  db.selectFrom('schedulers').selectAll().where('id', '=', value('id')),
)

/** Is this slug someone's present address? */
export async function isSlugTaken(db: Db, slug: string): Promise<boolean> {
  const row = await db.selectFrom('schedulers').select('id').where('slug', '=', slug).executeTakeFirst()
  return row !== undefined
}

export async function updateScheduler(trx: Trx, scheduler: Scheduler): Promise<void> {
  await trx.updateTable('schedulers').set(toRow(scheduler)).where('id', '=', scheduler.id).execute()
}

const bySlug = prepared((db, value: Placeholder<{ slug: string }>) =>
  db.selectFrom('schedulers').selectAll().where('slug', '=', value('slug')),
)

export async function insertScheduler(
  db: Db,
  scheduler: Scheduler & { readonly email: string | null; readonly createdAt: number },
): Promise<void> {
  await claimSlug(db, 'scheduler', EVERYWHERE, scheduler.slug)
  await db
    .insertInto('schedulers')
    .values({
      id: scheduler.id,
      kind: scheduler.kind,
      email: scheduler.email,
      ...toRow(scheduler),
      revision: 0,
      booking_revision: 0,
      created_at: scheduler.createdAt,
      disabled_at: null,
    })
    .execute()
}

/** True on a database that nobody has used yet. */
export async function hasNoSchedulers(db: Db): Promise<boolean> {
  return (await db.selectFrom('schedulers').select('id').limit(1).executeTakeFirst()) === undefined
}

/** The `revision` of whoever is at this address now. */
export async function findRevisionBySlug(db: Db, slug: string): Promise<number | undefined> {
  const { rows } = await revisionBySlug(db, { slug })
  return rows[0]?.revision
}

const revisionBySlug = prepared((db, value: Placeholder<{ slug: string }>) =>
  db.selectFrom('schedulers').select('revision').where('slug', '=', value('slug')),
)

/** The `revision` of each of these. */
export async function findRevisions(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await revisionsById(db, { ids: engine(db).idList(ids) })
  return new Map(rows.map((row) => [row.id, row.revision]))
}

const revisionsById = prepared((db, value: Placeholder<{ ids: IdList }>) =>
  db
    .selectFrom('schedulers')
    .select(['id', 'revision'])
    .where(engine(db).isAmong('id', value('ids'))),
)

/** Tells everyone who decides on what they read earlier that it may have changed. */
export async function bumpRevisions(trx: Trx, ids: readonly string[]): Promise<void> {
  for (const id of ids.toSorted()) {
    await trx
      .updateTable('schedulers')
      .set((eb) => ({ revision: eb('revision', '+', 1) }))
      .where('id', '=', id)
      .execute()
  }
}

/** Makes this transaction the only one that adds schedulers until it ends. */
export async function lockSchedulers(trx: Trx): Promise<void> {
  await engine(trx).lockTables(trx, ['schedulers'], 'writers')
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
      .set((eb) => ({ booking_revision: eb('booking_revision', '+', 1) }))
      .where('id', '=', id)
      .execute()
  }
}

function toRow(scheduler: Scheduler) {
  return {
    slug: scheduler.slug,
    name: scheduler.name,
    bio: scheduler.bio,
    avatar_url: scheduler.avatarUrl,
    time_zone: scheduler.timeZone,
    locale: scheduler.locale,
    theme: scheduler.theme,
    primary_color: scheduler.branding.primaryColor,
    logo_url: scheduler.branding.logoUrl,
  }
}

export function schedulerFromRow(row: Selectable<Schema['schedulers']>): Scheduler {
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

/** What the token of the user's private feed hashes to; null when the feed is closed. */
export async function findFeedTokenHash(db: Db, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('schedulers')
    .select('feed_token_hash')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.feed_token_hash ?? null
}

export async function updateFeedTokenHash(trx: Trx, id: string, hash: string | null): Promise<void> {
  await trx.updateTable('schedulers').set({ feed_token_hash: hash }).where('id', '=', id).execute()
}
