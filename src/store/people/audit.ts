import { type Selectable, sql } from 'kysely'
import type { Page } from '../../domain/cursor.ts'
import type { AuditEntry } from '../../domain/people/audit.ts'
import type { Db } from '../engine/database.ts'
import { findMerged, pageByIdDesc } from '../engine/paging.ts'
import type { Schema } from '../engine/schema.ts'
import { containing } from '../engine/search.ts'

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

/** What the entries have in common. */
export interface AuditFilter {
  /** Part of the name of who acted, whatever its case. */
  readonly actor?: string
  readonly action?: string
  readonly objectType?: string
  readonly from?: number
  /** Not included. */
  readonly to?: number
}

/** Entries about these schedulers, newest first, after the one with id `after`. */
export async function findAuditEntries(
  db: Db,
  schedulerIds: readonly string[],
  { actor, action, objectType, from, to, ...page }: AuditFilter & Page,
): Promise<AuditEntry[]> {
  const parts = schedulerIds.map((schedulerId) =>
    db
      .selectFrom('audit')
      .selectAll()
      .where('scheduler_id', '=', schedulerId)
      .$if(actor !== undefined, (query) => query.where(containing(['actor'], actor ?? '')))
      .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
      .$if(objectType !== undefined, (query) => query.where('object_type', '=', objectType ?? ''))
      .$if(from !== undefined, (query) => query.where('created_at', '>=', from ?? 0))
      .$if(to !== undefined, (query) => query.where('created_at', '<', to ?? 0))
      .$call(pageByIdDesc(page)),
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

/** Where the names of objects are, and who owns them. API tokens are left out: a name may say what they open. */
const NAMED: Readonly<Record<string, { table: keyof Schema; name: string; owner?: string }>> = {
  booking: { table: 'bookings', name: 'invitee_name', owner: 'scheduler_id' },
  calendar: { table: 'calendars', name: 'name', owner: 'user_id' },
  'event-type': { table: 'event_types', name: 'name', owner: 'scheduler_id' },
  passkey: { table: 'passkeys', name: 'name', owner: 'user_id' },
  'routing-form': { table: 'routing_forms', name: 'name', owner: 'scheduler_id' },
  schedule: { table: 'schedules', name: 'name', owner: 'user_id' },
  team: { table: 'schedulers', name: 'name' },
  'team-member': { table: 'schedulers', name: 'name' },
  user: { table: 'schedulers', name: 'name' },
  webhook: { table: 'webhooks', name: 'url', owner: 'scheduler_id' },
}

/** The present names of what these entries are about, by its id, as far as it still belongs to the same owner. */
export async function findObjectNames(
  db: Db,
  entries: readonly AuditEntry[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for (const [objectType, found] of Map.groupBy(entries, (entry) => entry.objectType)) {
    const named = NAMED[objectType]
    if (named === undefined) continue
    const ids = [...new Set(found.map(({ objectId }) => objectId))]
    const owners = [...new Set(found.map(({ schedulerId }) => schedulerId))]
    const rows = await db
      .selectFrom(sql<{ id: string }>`${sql.table(named.table)}`.as('named'))
      .select(['named.id', sql<string>`${sql.ref(`named.${named.name}`)}`.as('name')])
      .where('named.id', 'in', ids)
      .$if(named.owner !== undefined, (query) =>
        query.where(sql`${sql.ref(`named.${named.owner}`)}`, 'in', owners),
      )
      .execute()
    for (const { id, name } of rows) names.set(id, name)
  }
  return names
}
