import { formerSlug, tooManySlugs } from '../../domain/people/slug.ts'
import type { Db, Trx } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'

type Kind = Schema['old_slugs']['kind']

/** Slugs of users and teams share one namespace. */
export const GLOBAL_SCOPE = ''

/** Former slugs of one user or team. Others can't have them, so nobody may collect them without end. */
const MOST_FORMER = 50

/** What had a slug, or gets one. `scope` is the owner's id, or GLOBAL_SCOPE. */
interface SlugOf {
  readonly kind: Kind
  readonly scope: string
  readonly slug: string
  readonly targetId: string
}

/** The id of the object that had this slug before. `scope` is the owner's id, or GLOBAL_SCOPE. */
export async function findMovedTarget(
  db: Db,
  kind: Kind,
  scope: string,
  slug: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('old_slugs')
    .select('target_id')
    .where('kind', '=', kind)
    .where('scope', '=', scope)
    .where('slug', '=', slug)
    .executeTakeFirst()
  return row?.target_id
}

/** Whether guests who use this former slug still get somewhere. */
export async function isFormerSlug(db: Db, kind: Kind, scope: string, slug: string): Promise<boolean> {
  const target = await findMovedTarget(db, kind, scope, slug)
  return target !== undefined && (await EXISTS[kind](db, target))
}

const EXISTS: Readonly<Record<Kind, (db: Db, id: string) => Promise<boolean>>> = {
  scheduler: async (db, id) =>
    (await db.selectFrom('schedulers').select('id').where('id', '=', id).executeTakeFirst()) !== undefined,
  'event-type': async (db, id) =>
    (await db.selectFrom('event_types').select('id').where('id', '=', id).executeTakeFirst()) !== undefined,
  'routing-form': async (db, id) =>
    (await db.selectFrom('routing_forms').select('id').where('id', '=', id).executeTakeFirst()) !== undefined,
}

/** Whether a former slug leads to someone else's page; within their own page, owners may give it to another thing. */
async function leadsToOthers(db: Db, { kind, scope }: SlugOf, target: string): Promise<boolean> {
  if (kind === 'scheduler') return EXISTS.scheduler(db, target)
  const row = await db
    .selectFrom(kind === 'event-type' ? 'event_types' : 'routing_forms')
    .select('scheduler_id')
    .where('id', '=', target)
    .executeTakeFirst()
  return row !== undefined && row.scheduler_id !== scope
}

/** Keeps the old slug of what has just got a new one working. */
export async function moveSlug(
  trx: Trx,
  { from, to, ...moved }: Omit<SlugOf, 'slug'> & { readonly from: string; readonly to: string },
): Promise<void> {
  await claimSlug(trx, { ...moved, slug: to })
  const { kind, scope, targetId } = moved
  if (kind === 'scheduler' && (await countFormer(trx, targetId)) >= MOST_FORMER) {
    throw tooManySlugs(MOST_FORMER)
  }
  await trx.insertInto('old_slugs').values({ kind, scope, slug: from, target_id: targetId }).execute()
}

/**
 * Takes a former slug for what has just got it: whoever had it may take it back, and nobody else while it leads to
 * them.
 *
 * Only after the row with the slug is written: that waits for a change by which another is just leaving it.
 */
export async function claimSlug(db: Db, claimed: SlugOf): Promise<void> {
  const { kind, scope, slug, targetId } = claimed
  const former = await findMovedTarget(db, kind, scope, slug)
  if (former === undefined) return
  if (former !== targetId && (await leadsToOthers(db, claimed, former))) throw formerSlug(slug)
  await db
    .deleteFrom('old_slugs')
    .where('kind', '=', kind)
    .where('scope', '=', scope)
    .where('slug', '=', slug)
    .execute()
}

async function countFormer(db: Db, schedulerId: string): Promise<number> {
  const row = await db
    .selectFrom('old_slugs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('target_id', '=', schedulerId)
    .where('kind', '=', 'scheduler')
    .executeTakeFirstOrThrow()
  return row.count
}
