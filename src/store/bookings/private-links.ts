import type { Selectable } from 'kysely'
import type { PrivateLink } from '../../domain/bookings/private-link.ts'
import type { Page } from '../../domain/cursor.ts'
import type { Db, Trx } from '../engine/database.ts'
import { pageById } from '../engine/paging.ts'
import { type Placeholder, prepared } from '../engine/prepared.ts'
import type { Schema } from '../engine/schema.ts'

export async function findPrivateLinkByToken(db: Db, tokenHash: string): Promise<PrivateLink | undefined> {
  const { rows } = await byToken(db, { tokenHash })
  return rows[0] && privateLinkFromRow(rows[0])
}

const byToken = prepared((db, value: Placeholder<{ tokenHash: string }>) =>
  db.selectFrom('private_links').selectAll().where('token_hash', '=', value('tokenHash')),
)

export async function findPrivateLink(db: Db, id: string): Promise<PrivateLink | undefined> {
  const row = await db.selectFrom('private_links').selectAll().where('id', '=', id).executeTakeFirst()
  return row && privateLinkFromRow(row)
}

/** Links of an event type, oldest first, after the one with id `after`. */
export async function findPrivateLinkPage(db: Db, eventTypeId: string, page: Page): Promise<PrivateLink[]> {
  const rows = await db
    .selectFrom('private_links')
    .selectAll()
    .where('event_type_id', '=', eventTypeId)
    .$call(pageById(page))
    .execute()
  return rows.map(privateLinkFromRow)
}

export async function insertPrivateLink(trx: Trx, link: PrivateLink, tokenHash: string): Promise<void> {
  await trx
    .insertInto('private_links')
    .values({
      id: link.id,
      event_type_id: link.eventTypeId,
      token_hash: tokenHash,
      uses: link.uses,
      used: link.used,
      expires_at: link.expiresAt,
      duration_minutes: link.durationMinutes,
      host_ids: JSON.stringify(link.hostIds),
      answers: JSON.stringify(link.answers),
      note: link.note,
      created_at: link.createdAt,
    })
    .execute()
}

export async function deletePrivateLink(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('private_links').where('id', '=', id).execute()
}

export function privateLinkFromRow(row: Selectable<Schema['private_links']>): PrivateLink {
  return {
    id: row.id,
    eventTypeId: row.event_type_id,
    uses: row.uses,
    used: row.used,
    expiresAt: row.expires_at,
    durationMinutes: row.duration_minutes,
    hostIds: JSON.parse(row.host_ids),
    answers: JSON.parse(row.answers),
    note: row.note,
    createdAt: row.created_at,
  }
}
