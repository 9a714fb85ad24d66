import type { Source, SourceRow } from '../../domain/imports/source.ts'
import type { Db } from '../engine/database.ts'

/** The memories of instances of a service, the oldest first. */
export async function findMemories(db: Db, source: Source): Promise<string[]> {
  const rows = await db
    .selectFrom('imports')
    .select('memory')
    .where('source', '=', source)
    .where('state', 'in', ['applying', 'applied'])
    .orderBy('created_at')
    .execute()
  return [...new Set(rows.map(({ memory }) => memory || source))]
}

/** The addresses of accounts here that people in a memory became, by key. */
export async function findRememberedAddresses(db: Db, memory: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('import_objects as o')
    .innerJoin('schedulers as s', 's.id', 'o.object_id')
    .select(['o.source_key', 's.email'])
    .where('o.source', '=', memory)
    .where('o.kind', '=', 'user')
    .execute()
  return new Map(rows.map(({ source_key, email }) => [source_key, email?.toLowerCase() ?? '']))
}

/** The meetings that had these ids in addresses, by that id. */
export async function findMeetingsByUid(db: Db, uids: readonly string[]): Promise<Map<string, string>> {
  if (uids.length === 0) return new Map()
  const rows = await db
    .selectFrom('import_uids')
    .select(['uid', 'meeting_id'])
    .where('uid', 'in', uids)
    .execute()
  return new Map(rows.map(({ uid, meeting_id }) => [uid, meeting_id]))
}

/** The last rows of a table that were read. */
export async function findLastRows(
  db: Db,
  importId: string,
  table: 'users' | 'Booking',
  limit: number,
): Promise<SourceRow[]> {
  const rows = await db
    .selectFrom('import_rows')
    .select('content')
    .where('import_id', '=', importId)
    .where('table_name', '=', table)
    .orderBy('position', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ content }) => JSON.parse(content))
}
