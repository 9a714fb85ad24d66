import { sql } from 'kysely'
import type { Trx } from '../engine/database.ts'
import { engine } from '../engine/engine.ts'
import { type Placeholder, prepared } from '../engine/prepared.ts'
import type { Schema } from '../engine/schema.ts'

const LINK_COLUMNS = ['path', 'kind', 'object_id', 'import_id'] as const

/** Lets old addresses lead to their new places, unless one leads somewhere already. */
export async function insertOldLinks(
  trx: Trx,
  importId: string,
  links: readonly Pick<Schema['old_links'], 'path' | 'kind' | 'object_id'>[],
): Promise<void> {
  if (links.length === 0) return
  const rows = JSON.stringify(links.map((link) => ({ ...link, import_id: importId })))
  await sql`insert into old_links (${sql.join(LINK_COLUMNS.map((column) => sql.ref(column)))})
    select * from (${engine(trx).rowsFromJson('old_links', LINK_COLUMNS, rows)}) as link
    where true on conflict do nothing`.execute(trx)
}

const UID_COLUMNS = ['uid', 'booking_id', 'meeting_id', 'import_id'] as const

/** Remembers what bookings were called, unless another is called so already. */
export async function insertUids(
  trx: Trx,
  importId: string,
  uids: readonly { readonly uid: string; readonly booking_id: string | null; readonly meeting_id: string }[],
): Promise<void> {
  if (uids.length === 0) return
  await insertAllUids(trx, { rows: JSON.stringify(uids.map((uid) => ({ ...uid, import_id: importId }))) })
}

const insertAllUids = prepared(
  (db, value: Placeholder<{ rows: string }>) =>
    sql`insert into import_uids (${sql.join(UID_COLUMNS.map((column) => sql.ref(column)))})
      select * from (${engine(db).rowsFromJson('import_uids', UID_COLUMNS, value('rows'))}) as uid
      where true on conflict do nothing`,
)

/** Lets a former slug lead to what it was of, unless it leads somewhere already; tells whether it does now. */
export async function insertOldSlug(trx: Trx, slug: Schema['old_slugs']): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('old_slugs')
    .values(slug)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}
