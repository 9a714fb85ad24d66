import type { Insertable, Selectable } from 'kysely'
import type { LinkProvider } from '../../domain/event-types/location.ts'
import type { Interval } from '../../domain/interval.ts'
import type { Db, Trx } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'

/** The link of a meeting, made or being made. */
export interface MeetingLink {
  readonly meetingId: string
  readonly provider: LinkProvider
  /** The host whose account has the meeting. */
  readonly hostId: string
  readonly connectionId: string | null
  /** The meeting's id at the provider; empty if not known yet. */
  readonly externalId: string
  /** Empty until it is made. */
  readonly url: string
  /** When the meeting is, as the provider was told last. */
  readonly told: Interval | undefined
  /** When the provider was first asked for a meeting; null: not yet. */
  readonly attemptedAt: number | null
  /** How long emails and webhooks wait for it. */
  readonly awaitedUntil: number
}

export async function findLink(db: Db, meetingId: string): Promise<MeetingLink | undefined> {
  const row = await db
    .selectFrom('meeting_links')
    .selectAll()
    .where('meeting_id', '=', meetingId)
    .executeTakeFirst()
  return row && fromRow(row)
}

/** Adds a link, unless another transaction has just added one; returns the one that counts. */
export async function insertLink(trx: Trx, link: MeetingLink): Promise<MeetingLink> {
  await trx
    .insertInto('meeting_links')
    .values(toRow(link))
    .onConflict((conflict) => conflict.column('meeting_id').doNothing())
    .execute()
  return (await findLink(trx, link.meetingId)) ?? link
}

/**
 * Records that the provider is about to be asked: if no answer is stored, it may still have made a meeting.
 * Null: it has refused, so it has made none.
 */
export async function markAttempted(
  db: Db,
  { meetingId, awaitedUntil }: LinkKey,
  at: number | null,
): Promise<void> {
  await db
    .updateTable('meeting_links')
    .set({ attempted_at: at })
    .where('meeting_id', '=', meetingId)
    .where('awaited_until', '=', awaitedUntil)
    .execute()
}

/** A link and which of several that a meeting has had. */
export type LinkKey = Pick<MeetingLink, 'meetingId' | 'awaitedUntil'>

export interface MadeLink extends LinkKey {
  readonly externalId: string
  readonly url: string
  readonly told: Interval
}

/** Stores a link that was made. Returns false if it is no longer wanted, or another one was made first. */
export async function updateMade(trx: Trx, made: MadeLink): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('meeting_links')
    .set({ external_id: made.externalId, url: made.url, starts_at: made.told.start, ends_at: made.told.end })
    .where('meeting_id', '=', made.meetingId)
    .where('awaited_until', '=', made.awaitedUntil)
    .where('url', '=', '')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Ends the wait for a link that was refused. Nothing was made, so its key may change. */
export async function endWait(trx: Trx, meetingId: string, now: number): Promise<void> {
  await trx
    .updateTable('meeting_links')
    .set({ awaited_until: now })
    .where('meeting_id', '=', meetingId)
    .where('url', '=', '')
    .where('awaited_until', '>', now)
    .execute()
}

/** Records the time that the provider was told. */
export async function updateTold(db: Db, meetingId: string, { start, end }: Interval): Promise<void> {
  await db
    .updateTable('meeting_links')
    .set({ starts_at: start, ends_at: end })
    .where('meeting_id', '=', meetingId)
    .execute()
}

export async function deleteLink(db: Db, { meetingId, awaitedUntil }: LinkKey): Promise<void> {
  await db
    .deleteFrom('meeting_links')
    .where('meeting_id', '=', meetingId)
    .where('awaited_until', '=', awaitedUntil)
    .execute()
}

function toRow(link: MeetingLink): Insertable<Schema['meeting_links']> {
  return {
    meeting_id: link.meetingId,
    provider: link.provider,
    host_id: link.hostId,
    connection_id: link.connectionId,
    external_id: link.externalId,
    url: link.url,
    starts_at: link.told?.start ?? null,
    ends_at: link.told?.end ?? null,
    attempted_at: link.attemptedAt,
    awaited_until: link.awaitedUntil,
  }
}

function fromRow(row: Selectable<Schema['meeting_links']>): MeetingLink {
  const { starts_at: start, ends_at: end } = row
  return {
    meetingId: row.meeting_id,
    provider: row.provider,
    hostId: row.host_id,
    connectionId: row.connection_id,
    externalId: row.external_id,
    url: row.url,
    told: start === null || end === null ? undefined : { start, end },
    attemptedAt: row.attempted_at,
    awaitedUntil: row.awaited_until,
  }
}
