import { type Selectable, sql } from 'kysely'
import type { Channel } from '../../domain/messages/message.ts'
import type { Sentence } from '../../domain/sentence.ts'
import type { Db } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'
import { newId } from '../new-id.ts'
import { pairOf, sentenceFrom } from '../sentences.ts'

/** What a message is sent for: at most once. */
export interface RecordKey {
  readonly messageId: string
  /** One of these two. */
  readonly bookingId: string | null
  readonly responseId: string | null
  /** `guest`, `guests:` with a place in the list, or `hosts:` with an id. */
  readonly recipient: string
  readonly occasion: string
}

/** What became of a message for one recipient. */
export interface MessageRecord extends RecordKey {
  readonly id: string
  readonly channel: Channel
  readonly state: 'sending' | 'sent' | 'skipped' | 'failed'
  /** The job that sends it. */
  readonly jobId: number | null
  readonly at: number
  readonly reason: Sentence
  /** What the provider calls a text message; empty: it was asked, and has not said so; null: it was not asked. */
  readonly externalId: string | null
}

/**
 * Claims a message for a job, and returns its record: the new one, or the one that is there already.
 *
 * One statement, so that of two jobs only one gets it, whatever instances they run on.
 */
export async function claimRecord(
  db: Db,
  key: RecordKey,
  { channel, jobId, now }: { readonly channel: Channel; readonly jobId: number; readonly now: number },
): Promise<MessageRecord> {
  const target =
    key.bookingId === null
      ? sql`response_id, message_id, recipient`
      : sql`booking_id, message_id, recipient, occasion`
  const { rows } = await sql<Selectable<Schema['message_records']>>`
    insert into message_records
      (id, message_id, booking_id, response_id, recipient, occasion, channel, state, job_id, at, reason)
    values (${newId()}, ${key.messageId}, ${key.bookingId}, ${key.responseId}, ${key.recipient},
      ${key.occasion}, ${channel}, 'sending', ${jobId}, ${now}, '')
    on conflict (${target}) do update set at = message_records.at
    returning *`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('An upsert returned no row.')
  return fromRow(row)
}

/** Notes how it ended. Returns false if something else has become of it meanwhile. */
export async function settleRecord(
  db: Db,
  before: Pick<MessageRecord, 'id' | 'state'>,
  { state, at, reason }: Pick<MessageRecord, 'state' | 'at' | 'reason'>,
): Promise<boolean> {
  const { text, parts } = pairOf(reason)
  const { numUpdatedRows } = await db
    .updateTable('message_records')
    .set({ state, at, reason: text, reason_parts: parts })
    .where('id', '=', before.id)
    .where('state', '=', before.state)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Notes that a provider is asked to send it. Returns false if that was noted before: an instance that stood still may have asked. */
export async function noteAsked(db: Db, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('message_records')
    .set({ external_id: '' })
    .where('id', '=', id)
    .where('external_id', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Notes what the provider calls it, or that it was not asked after all (null). */
export async function updateExternalId(db: Db, id: string, externalId: string | null): Promise<void> {
  await db.updateTable('message_records').set({ external_id: externalId }).where('id', '=', id).execute()
}

/** The record of a text message that a provider tells of: by the id that it has there, or by its own. */
export async function findRecordOf(
  db: Db,
  externalId: string,
  id: string | undefined,
): Promise<MessageRecord | undefined> {
  const row = await db
    .selectFrom('message_records')
    .selectAll()
    .where('channel', '=', 'sms')
    .$if(id === undefined, (query) =>
      query.where('external_id', '=', externalId).where('external_id', '<>', ''),
    )
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .executeTakeFirst()
  return row && fromRow(row)
}

/** The last text message that a provider was asked for. */
export async function findLastSms(db: Db): Promise<MessageRecord | undefined> {
  const row = await db
    .selectFrom('message_records')
    .selectAll()
    .where('channel', '=', sql.lit('sms'))
    .where('external_id', 'is not', null)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && fromRow(row)
}

/** What became of the messages of a booking, in the order in which it happened. */
export async function findRecords(db: Db, bookingId: string): Promise<MessageRecord[]> {
  const rows = await db
    .selectFrom('message_records')
    .selectAll()
    .where('booking_id', '=', bookingId)
    .orderBy('at')
    .orderBy('id')
    .execute()
  return rows.map(fromRow)
}

/** Whether a guest has booked with this owner since then. Only routed bookings know their answers. */
export async function hasBookedSince(
  db: Db,
  schedulerId: string,
  guest: string,
  since: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('bookings')
    .select('id')
    .where('guest', '=', guest)
    .where('scheduler_id', '=', schedulerId)
    .where('created_at', '>=', since)
    .where('status', '<>', 'Expired')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Forgets why messages of these bookings were not delivered, and what providers call them: both lead to addresses. */
export async function forgetReasons(db: Db, bookingIds: readonly string[]): Promise<void> {
  if (bookingIds.length === 0) return
  await db
    .updateTable('message_records')
    .set({ reason: '', reason_parts: null })
    .where('booking_id', 'in', bookingIds)
    .where('state', '=', 'failed')
    .execute()
  await db
    .updateTable('message_records')
    .set({ external_id: '' })
    .where('booking_id', 'in', bookingIds)
    .where('external_id', '<>', '')
    .execute()
}

function fromRow(row: Selectable<Schema['message_records']>): MessageRecord {
  return {
    id: row.id,
    messageId: row.message_id,
    bookingId: row.booking_id,
    responseId: row.response_id,
    recipient: row.recipient,
    occasion: row.occasion,
    channel: row.channel,
    state: row.state,
    jobId: row.job_id,
    at: row.at,
    reason: sentenceFrom(row.reason, row.reason_parts),
    externalId: row.external_id,
  }
}
