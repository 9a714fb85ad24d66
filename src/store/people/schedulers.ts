import type { Selectable } from 'kysely'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import type { User } from '../../domain/people/user.ts'
import type { Db, Trx } from '../engine/database.ts'
import { engine, type IdList } from '../engine/engine.ts'
import { type Placeholder, prepared } from '../engine/prepared.ts'
import type { Schema } from '../engine/schema.ts'
import { claimSlug, findMovedTarget, GLOBAL_SCOPE, isFormerSlug } from './old-slugs.ts'

/** The scheduler at this slug. An old slug works for as long as its scheduler exists. */
export async function findSchedulerBySlug(db: Db, slug: string): Promise<Scheduler | undefined> {
  const { rows } = await bySlug(db, { slug })
  const [row] = rows
  if (row !== undefined) return pageOf(row)
  const moved = await findMovedTarget(db, 'scheduler', GLOBAL_SCOPE, slug)
  const [target] = moved === undefined ? [] : (await byId(db, { id: moved })).rows
  return target && pageOf(target)
}

/** Disabled users have no page. */
const pageOf = (row: Selectable<Schema['schedulers']>): Scheduler | undefined =>
  row.disabled_at === null ? schedulerFromRow(row) : undefined

export async function findScheduler(db: Db, id: string): Promise<Scheduler | undefined> {
  const { rows } = await byId(db, { id })
  return rows[0] && schedulerFromRow(rows[0])
}

const byId = prepared((db, value: Placeholder<{ id: string }>) =>
  db.selectFrom('schedulers').selectAll().where('id', '=', value('id')),
)

/** The names of these schedulers, by id. */
export async function findNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('schedulers').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Who these are, as a list shows them. */
export async function findPortraits(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, { readonly name: string; readonly avatarUrl: string }>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('schedulers')
    .select(['id', 'name', 'avatar_url as avatarUrl'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, ...portrait }) => [id, portrait]))
}

/** Users as those know them who meet them, by id. */
export async function findHostsById(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, Pick<User, 'id' | 'slug' | 'name' | 'email' | 'timeZone'>>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('schedulers')
    .select(['id', 'slug', 'name', 'email', 'time_zone'])
    .where('id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ time_zone: timeZone, email, ...row }) => [row.id, { ...row, timeZone, email: email ?? '' }]),
  )
}

/** Whether a scheduler has this slug now. */
export async function isSlugTaken(db: Db, slug: string): Promise<boolean> {
  const row = await db.selectFrom('schedulers').select('id').where('slug', '=', slug).executeTakeFirst()
  return row !== undefined
}

/** Whether a scheduler has this slug now, or had it and can still be found by it. */
export const isSlugInUse = async (db: Db, slug: string): Promise<boolean> =>
  (await isSlugTaken(db, slug)) || isFormerSlug(db, 'scheduler', GLOBAL_SCOPE, slug)

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
  const { id: targetId, slug } = scheduler
  await claimSlug(db, { kind: 'scheduler', scope: GLOBAL_SCOPE, slug, targetId })
}

/** Whether the database is unused. */
export async function hasNoSchedulers(db: Db): Promise<boolean> {
  return (await db.selectFrom('schedulers').select('id').limit(1).executeTakeFirst()) === undefined
}

/** The `revision` of the scheduler that has this slug now. */
export const findRevisionBySlug = async (db: Db, slug: string): Promise<number | undefined> =>
  (await findVersionBySlug(db, slug))?.revision

/** Which scheduler has this slug now, and its `revision`. */
export async function findVersionBySlug(
  db: Db,
  slug: string,
): Promise<{ readonly id: string; readonly revision: number } | undefined> {
  const { rows } = await versionBySlug(db, { slug })
  return rows[0]
}

const versionBySlug = prepared((db, value: Placeholder<{ slug: string }>) =>
  db.selectFrom('schedulers').select(['id', 'revision']).where('slug', '=', value('slug')),
)

/** The `revision` of each of these. */
export async function findRevisions(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const [id] = ids
  // Most event types have one host, their owner: their id alone takes two thirds of the time that a list takes.
  const { rows } =
    id !== undefined && ids.length === 1
      ? await revisionById(db, { id })
      : await revisionsById(db, { ids: engine(db).idList(ids) })
  return new Map(rows.map((row) => [row.id, row.revision]))
}

const revisionById = prepared((db, value: Placeholder<{ id: string }>) =>
  db.selectFrom('schedulers').select(['id', 'revision']).where('id', '=', value('id')),
)

const revisionsById = prepared((db, value: Placeholder<{ ids: IdList }>) =>
  db
    .selectFrom('schedulers')
    .select(['id', 'revision'])
    .where(engine(db).isAmong('id', value('ids'))),
)

/** Invalidates what was read of these schedulers before. */
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
 * An update is the one lock that both engines share: PostgreSQL locks the row, SQLite the file. Always in the order
 * of ids, so that two transactions cannot deadlock.
 */
export async function lockHosts(trx: Trx, hostIds: readonly string[]): Promise<void> {
  for (const id of hostIds.toSorted()) await lockHost(trx, { id })
}

const lockHost = prepared((db, value: Placeholder<{ id: string }>) =>
  db
    .updateTable('schedulers')
    .set((eb) => ({ booking_revision: eb('booking_revision', '+', 1) }))
    .where('id', '=', value('id')),
)

function toRow(scheduler: Scheduler) {
  return {
    slug: scheduler.slug,
    name: scheduler.name,
    bio: scheduler.bio,
    avatar_url: scheduler.avatarUrl,
    time_zone: scheduler.timeZone,
    locale: scheduler.locale,
    german_address: scheduler.germanAddress,
    theme: scheduler.theme,
    primary_color: scheduler.branding.primaryColor,
    logo_url: scheduler.branding.logoUrl,
  }
}

/** The columns of what a page says about its owner. */
type PageColumns = Pick<
  Selectable<Schema['schedulers']>,
  'id' | 'kind' | 'has_messages' | keyof ReturnType<typeof toRow>
>

export function schedulerFromRow(row: PageColumns): Scheduler {
  return {
    id: row.id,
    kind: row.kind,
    slug: row.slug,
    name: row.name,
    bio: row.bio,
    avatarUrl: row.avatar_url,
    timeZone: row.time_zone,
    locale: row.locale,
    germanAddress: row.german_address,
    theme: row.theme,
    branding: { primaryColor: row.primary_color, logoUrl: row.logo_url },
    ...(row.has_messages === 1 && { hasMessages: true }),
  }
}

/** The hash of the token of the user's calendar feed; null if the feed is off. */
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
