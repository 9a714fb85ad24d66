import type { Here } from '../../domain/imports/plan.ts'
import type { Db } from '../engine/database.ts'

/** Accounts and slugs of this instance that no import with this memory made. */
export async function findOwnSlugs(
  db: Db,
  memory: string,
): Promise<Pick<Here, 'accounts' | 'slugs' | 'slugsOfOwners'>> {
  const made = await db
    .selectFrom('import_objects')
    .select('object_id')
    .where('source', '=', memory)
    .where('made', '=', 1)
    .where('kind', 'in', ['user', 'team', 'event-type', 'form'])
    .execute()
  const theirs = new Set(made.map(({ object_id }) => object_id))
  const isOurs = ({ id }: { readonly id: string }) => !theirs.has(id)
  const owners = await db
    .selectFrom('schedulers')
    .select(['id', 'slug', 'email', 'admin', 'kind', 'closed_at'])
    .execute()
  const slugOf = new Map(owners.map(({ id, slug }) => [id, slug]))
  const former = await db
    .selectFrom('old_slugs')
    .select(['kind', 'scope', 'slug', 'target_id as id'])
    .execute()
  const eventTypes = await db.selectFrom('event_types').select(['id', 'slug', 'scheduler_id']).execute()
  const forms = await db.selectFrom('routing_forms').select(['id', 'slug', 'scheduler_id']).execute()
  return {
    accounts: new Map(
      owners
        .filter((owner) => owner.kind === 'user' && owner.email !== null && isOurs(owner))
        .filter(({ closed_at }) => closed_at === null)
        .map(({ email, slug, admin }) => [email?.toLowerCase() ?? '', { slug, admin: admin === 1 }]),
    ),
    slugs: new Set([
      ...owners.filter(isOurs).map(({ slug }) => slug),
      ...former.filter((row) => row.kind === 'scheduler' && isOurs(row)).map(({ slug }) => slug),
    ]),
    slugsOfOwners: new Set([
      ...eventTypes.filter(isOurs).map((row) => `${slugOf.get(row.scheduler_id)}/${row.slug}`),
      ...forms.filter(isOurs).map((row) => `${slugOf.get(row.scheduler_id)}/forms/${row.slug}`),
    ]),
  }
}
