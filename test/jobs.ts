import type { Job } from '../src/domain/job.ts'
import type { Db } from '../src/store/engine/database.ts'

/** What the outbox holds of this kind, oldest first, as the worker would hand it over. */
export async function jobsOf(
  db: Db,
  kind: Job['kind'],
): Promise<(Job & { readonly lane: string | null; readonly dueAt: number })[]> {
  const rows = await db.selectFrom('outbox').selectAll().where('kind', '=', kind).orderBy('id').execute()
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    lane: row.lane,
    data: JSON.parse(row.data),
    attempts: row.attempts,
    createdAt: row.created_at,
    dueAt: row.due_at,
  }))
}
