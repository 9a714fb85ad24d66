import type { Claim } from '../../domain/slots/openings.ts'
import type { Db } from '../engine/database.ts'
import { claimFromRow } from './rows.ts'

/** Claims of meetings of these event types, with their hosts. */
export async function findClaims(
  db: Db,
  eventTypeIds: readonly string[],
): Promise<{ readonly hostId: string; readonly claim: Claim }[]> {
  if (eventTypeIds.length === 0) return []
  const rows = await db
    .selectFrom('claims')
    .selectAll()
    .where('event_type_id', 'in', eventTypeIds)
    // A hold is gone before an export is read.
    .where('expires_at', 'is', null)
    .orderBy('starts_at')
    .orderBy('host_id')
    .execute()
  return rows.map((row) => ({ hostId: row.host_id, claim: claimFromRow(row, 1) }))
}
