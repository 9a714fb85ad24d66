import type { Db, Trx } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'

type Kind = Schema['old_slugs']['kind']

/** Slugs of users and teams share one namespace. */
export const EVERYWHERE = ''

/** What used to be at this slug, and has moved since. `scope` is the owner's id, or EVERYWHERE. */
export async function findMoved(
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

/** Keeps the old address of `targetId` working, and lets the new one mean only the new. */
export async function moveSlug(
  trx: Trx,
  kind: Kind,
  scope: string,
  targetId: string,
  from: string,
  to: string,
): Promise<void> {
  await claimSlug(trx, kind, scope, to)
  await claimSlug(trx, kind, scope, from)
  await trx.insertInto('old_slugs').values({ kind, scope, slug: from, target_id: targetId }).execute()
}

/** Whoever takes a slug takes it from those who once had it. */
export async function claimSlug(db: Db, kind: Kind, scope: string, slug: string): Promise<void> {
  await db
    .deleteFrom('old_slugs')
    .where('kind', '=', kind)
    .where('scope', '=', scope)
    .where('slug', '=', slug)
    .execute()
}
