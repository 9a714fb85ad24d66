import type { Db, Trx } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'

type Kind = Schema['old_slugs']['kind']

/** Slugs of users and teams share one namespace. */
export const GLOBAL_SCOPE = ''

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

interface SlugMove {
  readonly kind: Kind
  readonly scope: string
  readonly targetId: string
  readonly from: string
  readonly to: string
}

/** Keeps the old slug of `targetId` working, and frees the new one from older meanings. */
export async function moveSlug(trx: Trx, { kind, scope, targetId, from, to }: SlugMove): Promise<void> {
  await claimSlug(trx, kind, scope, to)
  await claimSlug(trx, kind, scope, from)
  await trx.insertInto('old_slugs').values({ kind, scope, slug: from, target_id: targetId }).execute()
}

/** Ends the redirect of a slug that is taken again. */
export async function claimSlug(db: Db, kind: Kind, scope: string, slug: string): Promise<void> {
  await db
    .deleteFrom('old_slugs')
    .where('kind', '=', kind)
    .where('scope', '=', scope)
    .where('slug', '=', slug)
    .execute()
}
