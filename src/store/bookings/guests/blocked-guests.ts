import type { Selectable } from 'kysely'
import type { Page } from '../../../domain/cursor.ts'
import type { Db, Trx } from '../../engine/database.ts'
import { engine, type IdList } from '../../engine/engine.ts'
import { pageById } from '../../engine/paging.ts'
import { type Placeholder, prepared } from '../../engine/prepared.ts'
import type { Schema } from '../../engine/schema.ts'

/** An address or a domain that cannot book this user or team. */
export interface BlockedGuest {
  readonly id: string
  readonly schedulerId: string
  readonly entry: string
  readonly createdAt: number
}

/** Every entry on the blocklists of these schedulers. */
export async function findBlockedEntries(db: Db, schedulerIds: readonly string[]): Promise<string[]> {
  if (schedulerIds.length === 0) return []
  const { rows } = await entriesOf(db, { schedulerIds: engine(db).idList(schedulerIds) })
  return rows.map((row) => row.entry)
}

const entriesOf = prepared((db, value: Placeholder<{ schedulerIds: IdList }>) =>
  db
    .selectFrom('blocked_guests')
    .select('entry')
    .distinct()
    .where(engine(db).isAmong('scheduler_id', value('schedulerIds')))
    .orderBy('entry'),
)

export async function findBlockedGuest(db: Db, id: string): Promise<BlockedGuest | undefined> {
  const row = await db.selectFrom('blocked_guests').selectAll().where('id', '=', id).executeTakeFirst()
  return row && fromRow(row)
}

/** Blocked guests of these schedulers, oldest first, after the one with id `after`. */
export async function findBlockedGuests(
  db: Db,
  schedulerIds: readonly string[],
  page: Page,
): Promise<BlockedGuest[]> {
  const rows = await db
    .selectFrom('blocked_guests')
    .selectAll()
    .where('scheduler_id', 'in', schedulerIds)
    .$call(pageById(page))
    .execute()
  return rows.map(fromRow)
}

export async function insertBlockedGuest(trx: Trx, blocked: BlockedGuest): Promise<void> {
  await trx
    .insertInto('blocked_guests')
    .values({
      id: blocked.id,
      scheduler_id: blocked.schedulerId,
      entry: blocked.entry,
      created_at: blocked.createdAt,
    })
    .execute()
}

export async function deleteBlockedGuest(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('blocked_guests').where('id', '=', id).execute()
}

function fromRow(row: Selectable<Schema['blocked_guests']>): BlockedGuest {
  return { id: row.id, schedulerId: row.scheduler_id, entry: row.entry, createdAt: row.created_at }
}
