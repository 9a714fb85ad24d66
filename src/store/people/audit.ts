import type { Selectable } from 'kysely'
import type { Page } from '../../domain/cursor.ts'
import type { AuditEntry } from '../../domain/people/audit.ts'
import type { Db } from '../engine/database.ts'
import { findMerged, pageByIdDesc } from '../engine/paging.ts'
import type { Schema } from '../engine/schema.ts'

export async function insertAuditEntry(db: Db, entry: AuditEntry): Promise<void> {
  await db.insertInto('audit').values(auditRow(entry)).execute()
}

export const AUDIT_COLUMNS = [
  'id',
  'scheduler_id',
  'actor_id',
  'actor',
  'token',
  'action',
  'object_type',
  'object_id',
  'changes',
  'created_at',
] as const

export function auditRow(entry: AuditEntry): Selectable<Schema['audit']> {
  return {
    id: entry.id,
    scheduler_id: entry.schedulerId,
    actor_id: entry.actorId,
    actor: entry.actor,
    token: entry.token,
    action: entry.action,
    object_type: entry.objectType,
    object_id: entry.objectId,
    changes: JSON.stringify(entry.changes),
    created_at: entry.createdAt,
  }
}

/** Entries about these schedulers, newest first, after the one with id `after`. */
export async function findAuditEntries(
  db: Db,
  schedulerIds: readonly string[],
  page: Page,
): Promise<AuditEntry[]> {
  const parts = schedulerIds.map((schedulerId) =>
    db.selectFrom('audit').selectAll().where('scheduler_id', '=', schedulerId).$call(pageByIdDesc(page)),
  )
  const rows = await findMerged(db, parts, { keys: ['id'], order: 'desc', limit: page.limit })
  return rows.map((row) => ({
    id: row.id,
    schedulerId: row.scheduler_id,
    actorId: row.actor_id,
    actor: row.actor,
    token: row.token,
    action: row.action,
    objectType: row.object_type,
    objectId: row.object_id,
    changes: JSON.parse(row.changes),
    createdAt: row.created_at,
  }))
}
