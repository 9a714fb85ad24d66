import { type RawBuilder, type Selectable, sql } from 'kysely'
import { bookingLane } from '../../domain/job.ts'
import type { DeliveryStatus } from '../../domain/webhooks/webhook.ts'
import type { Db, Trx } from '../engine/database.ts'
import { engine } from '../engine/engine.ts'
import type { Schema } from '../engine/schema.ts'

type Row = Selectable<Schema['booking_history']>

/** What was done about a booking, or about the meeting that its guests share. */
export interface HistoryEntry {
  readonly id: string
  readonly bookingId: string
  readonly at: number
  readonly kind: Row['kind']
  readonly what: string
  readonly subject: string
}

const COLUMNS = ['booking_id', 'id', 'at', 'kind', 'what', 'subject'] as const

export const historyRow = ({ bookingId, ...entry }: HistoryEntry): Row => ({
  booking_id: bookingId,
  ...entry,
})

/** Inserts these rows, a JSON array, except those that are there: a job may be done twice. */
export function insertHistoryRows(db: Db, rows: string): RawBuilder<unknown> {
  // Without `where true`, SQLite would read `on conflict` as part of a join.
  return sql`insert into booking_history (${sql.join(COLUMNS.map((column) => sql.ref(column)))})
    select * from (${engine(db).rowsFromJson('booking_history', COLUMNS, rows)}) as entry
    where true on conflict do nothing`
}

export async function insertHistory(trx: Trx, entries: readonly HistoryEntry[]): Promise<void> {
  if (entries.length > 0) await insertHistoryRows(trx, JSON.stringify(entries.map(historyRow))).execute(trx)
}

/** A booking, and the meeting that it may share with others. */
export interface BookingInMeeting {
  readonly id: string
  readonly meetingId: string
}

/** More than any person reads. */
const MOST = 500

/** What was done about this booking or its meeting, oldest first. */
export async function findHistory(db: Db, { id, meetingId }: BookingInMeeting): Promise<HistoryEntry[]> {
  const rows = await db
    .selectFrom('booking_history')
    .selectAll()
    .where('booking_id', 'in', [id, meetingId])
    .orderBy('at')
    .limit(MOST)
    .execute()
  return rows.map(({ booking_id: bookingId, ...entry }) => ({ bookingId, ...entry }))
}

/** What a host did to a booking. */
export interface ActOnBooking {
  readonly at: number
  readonly action: string
  readonly actorId: string | null
  readonly actor: string
}

/** Who did what to this booking as a host, oldest first. */
export async function findActsOn(db: Db, bookingId: string): Promise<ActOnBooking[]> {
  return db
    .selectFrom('audit')
    .select(['created_at as at', 'action', 'actor_id as actorId', 'actor'])
    .where('object_id', '=', bookingId)
    .where('object_type', '=', 'booking')
    .orderBy('created_at')
    .limit(MOST)
    .execute()
}

/** Deliveries to webhooks about this booking, oldest first. */
export async function findDeliveriesAbout(
  db: Db,
  bookingId: string,
): Promise<{ readonly event: string; readonly status: DeliveryStatus; readonly at: number }[]> {
  return db
    .selectFrom('webhook_deliveries')
    .select((eb) => ['event', 'status', eb.fn.coalesce('attempted_at', 'created_at').as('at')])
    .where('booking_id', '=', bookingId)
    .orderBy('created_at')
    .limit(MOST)
    .execute()
}

/** What jobs about bookings may say. */
interface JobAboutBooking {
  readonly change?: { readonly bookingId: string; readonly type: string }
  readonly recipient?: { readonly role: string; readonly hostId?: string }
  readonly calendarId?: string
}

/** A job about a booking that is not done. */
export interface OpenJob {
  readonly kind: string
  readonly data: JobAboutBooking
  readonly createdAt: number
  readonly failedAt: number | null
}

/** Jobs about this booking or its meeting that wait, are tried again, or are dead. */
export async function findOpenJobs(
  db: Db,
  { id, meetingId }: BookingInMeeting,
  calendarIds: readonly string[],
): Promise<OpenJob[]> {
  const exact = [
    bookingLane(id),
    `link:${meetingId}`,
    ...calendarIds.map((one) => `calendar:${one}:${meetingId}`),
  ]
  // ';' follows ':', so these are all lanes that begin with `mail:…:`.
  const mails = [...new Set([id, meetingId])].map(
    (of) => sql`(lane >= ${`mail:${of}:`} and lane < ${`mail:${of};`})`,
  )
  const conditions = [
    sql`failed_at is null and lane in (${sql.join(exact)})`,
    ...mails.map((lane) => sql`failed_at is null and ${lane}`),
    sql`failed_at is not null and (data like ${`%${id}%`} or data like ${`%${meetingId}%`})`,
  ]
  const found: OpenJob[] = []
  for (const condition of conditions) {
    const { rows } = await sql<
      Pick<Selectable<Schema['outbox']>, 'kind' | 'data' | 'created_at' | 'failed_at'>
    >`select kind, data, created_at, failed_at from outbox where ${condition} order by id limit ${MOST}`.execute(
      db,
    )
    for (const { kind, data, created_at: createdAt, failed_at: failedAt } of rows)
      found.push({ kind, data: JSON.parse(data), createdAt, failedAt })
  }
  return found
}
