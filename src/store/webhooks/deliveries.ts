import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Cursor, Page } from '../../domain/cursor.ts'
import type { Sentence } from '../../domain/sentence.ts'
import type { DeliveryStatus } from '../../domain/webhooks/webhook.ts'
import type { Db, Trx } from '../engine/database.ts'
import { engine, type IdList } from '../engine/engine.ts'
import { pageByTimeDesc } from '../engine/paging.ts'
import { type Placeholder, prepared, preparedBatch } from '../engine/prepared.ts'
import type { Schema } from '../engine/schema.ts'
import { pairOf, sentenceFrom } from '../sentences.ts'

/** A delivery to one webhook, with the outcome of its last attempt. */
export interface DeliverySummary {
  readonly id: string
  readonly webhookId: string
  readonly event: string
  readonly bookingId: string | null
  /** A sample that a host sent to try the webhook. */
  readonly test: boolean
  readonly status: DeliveryStatus
  /** Since it was queued or replayed. */
  readonly attempts: number
  readonly createdAt: number
  /** About when it is retried; null if it is not. */
  readonly nextAttemptAt: number | null
  readonly attemptedAt: number | null
  readonly duration: number | null
  readonly responseStatus: number | null
  readonly error: Sentence
}

export interface Delivery extends DeliverySummary {
  readonly body: string
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: string
}

const SUMMARY = [
  'id',
  'webhook_id',
  'event',
  'booking_id',
  'is_test',
  'status',
  'attempts',
  'created_at',
  'next_attempt_at',
  'attempted_at',
  'duration',
  'response_status',
  'error',
  'error_parts',
] as const

/** The columns that an attempt changes. */
const ATTEMPT_COLUMNS = [
  'status',
  'attempts',
  'next_attempt_at',
  'attempted_at',
  'duration',
  'request_headers',
  'response_status',
  'response_headers',
  'response_body',
  'error',
  'error_parts',
] as const

export async function findDelivery(db: Db, id: string): Promise<Delivery | undefined> {
  const { rows } = await byId(db, { id })
  return rows[0] && fromRow(rows[0])
}

const byId = prepared((db, value: Placeholder<{ id: string }>) =>
  db.selectFrom('webhook_deliveries').selectAll().where('id', '=', value('id')),
)

export async function findDeliveriesById(db: Db, ids: readonly string[]): Promise<Delivery[]> {
  const { rows } = await byIds(db, { ids: engine(db).idList(ids) })
  return rows.map(fromRow)
}

const byIds = prepared((db, value: Placeholder<{ ids: IdList }>) =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where(engine(db).isAmong('id', value('ids'))),
)

/** Deliveries to a webhook, newest first, after a cursor. */
export async function findDeliveries(
  db: Db,
  webhookId: string,
  status: DeliveryStatus | undefined,
  page: Page<Cursor>,
): Promise<DeliverySummary[]> {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select(SUMMARY)
    .where('webhook_id', '=', webhookId)
    .$if(status !== undefined, (query) => query.where('status', '=', status as DeliveryStatus))
    .$call(pageByTimeDesc('created_at', page))
    .execute()
  return rows.map(summaryFromRow)
}

/** Failed deliveries that were queued since `since` and last attempted by `triedUntil`, oldest first. */
export async function findFailed(
  db: Db,
  webhookId: string,
  { since, triedUntil }: { readonly since: number; readonly triedUntil: number },
  limit: number,
): Promise<DeliverySummary[]> {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select(SUMMARY)
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'failed')
    .where('created_at', '>=', since)
    .where((eb) => eb.or([eb('attempted_at', 'is', null), eb('attempted_at', '<=', triedUntil)]))
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(summaryFromRow)
}

/**
 * Failed deliveries to webhooks that are turned on: the others want nothing again.
 *
 * The condition and the order are those of the index. Without either, SQLite or PostgreSQL would read all deliveries.
 */
const failed = (columns: RawBuilder<unknown>, order: 'asc' | 'desc', more = sql``) => sql`
  select ${columns} from webhook_deliveries as delivery join webhooks on webhooks.id = delivery.webhook_id
  where delivery.status = 'failed' and webhooks.active = 1 ${more}
  order by delivery.created_at ${sql.raw(order)}, delivery.id ${sql.raw(order)}`

/** A failed delivery, without anything about whom it concerns. */
type FailedDelivery = Pick<DeliverySummary, 'id' | 'attempts' | 'createdAt' | 'error'>

/** Failed deliveries to webhooks that are turned on, newest first. */
export async function findFailedDeliveries(db: Db, limit: number): Promise<FailedDelivery[]> {
  const columns = sql`delivery.id, delivery.attempts, delivery.created_at, delivery.error, delivery.error_parts`
  const { rows } = await sql<Pick<Row, 'id' | 'attempts' | 'created_at' | 'error' | 'error_parts'>>`
    ${failed(columns, 'desc')} limit ${limit}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    attempts: row.attempts,
    createdAt: row.created_at,
    error: sentenceFrom(row.error, row.error_parts),
  }))
}

/** How many failed deliveries there are to webhooks that are turned on; at most `most`. */
export async function countFailedDeliveries(db: Db, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${failed(sql`delivery.id`, 'desc')} limit ${most}) as counted`.execute(db)
  return rows[0]?.count ?? 0
}

/** Failed deliveries to webhooks that are turned on, last attempted by `triedUntil`, oldest first. */
export async function findRetryable(db: Db, triedUntil: number, limit: number): Promise<DeliverySummary[]> {
  const columns = sql.join(SUMMARY.map((column) => sql.ref(`delivery.${column}`)))
  const tried = sql`and (delivery.attempted_at is null or delivery.attempted_at <= ${triedUntil})`
  const { rows } = await sql<Pick<Row, (typeof SUMMARY)[number]>>`
    ${failed(columns, 'asc', tried)} limit ${limit}`.execute(db)
  return rows.map(summaryFromRow)
}

/** Stores those that are not there yet, and returns their ids: a change that is announced twice has one delivery. */
export async function insertDeliveries(db: Db, deliveries: readonly Delivery[]): Promise<Set<string>> {
  if (deliveries.length === 0) return new Set()
  const { rows } = await insertNew(db, { rows: JSON.stringify(deliveries.map(toRow)) })
  return new Set(rows.map(({ id }) => id))
}

const COLUMNS = [
  'id',
  'webhook_id',
  'event',
  'booking_id',
  'is_test',
  'body',
  'created_at',
  ...ATTEMPT_COLUMNS,
] as const

const insertNew = prepared<{ rows: string }, { id: string }>((_db, value) => ({
  // Without `where true`, SQLite would read `on conflict` as part of a join.
  compile: (db) =>
    sql<{ id: string }>`insert into webhook_deliveries (${sql.join(COLUMNS.map((column) => sql.ref(column)))})
      select * from (${engine(db).rowsFromJson('webhook_deliveries', COLUMNS, value('rows'))}) as delivery
      where true on conflict (id) do nothing returning id`.compile(db),
}))

/** Records the outcome of an attempt. */
export async function updateDelivery(db: Db, delivery: Delivery): Promise<void> {
  await writeAttempts(db, { attempts: JSON.stringify([toAttempt(delivery)]) })
}

const writeAttempts = preparedBatch<{ attempts: string }>((db, value) => [
  updateAttempts(db, value('attempts')),
])

/** Updates deliveries to these attempts, a JSON array of what `toAttempt` returns. */
export function updateAttempts(db: Db, attempts: string): RawBuilder<unknown> {
  const changes = ATTEMPT_COLUMNS.map((column) => sql`${sql.ref(column)} = ${sql.ref(`attempt.${column}`)}`)
  const rows = engine(db).rowsFromJson('webhook_deliveries', ['id', ...ATTEMPT_COLUMNS], attempts)
  return sql`update webhook_deliveries as delivery set ${sql.join(changes)}
    from (${rows}) as attempt where delivery.id = attempt.id`
}

/** Makes a delivery due again. Returns false if it is still pending. */
export async function requeueDelivery(trx: Trx, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', attempts: 0, next_attempt_at: now })
    .where('id', '=', id)
    .where('status', '<>', 'pending')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Makes all waiting jobs in this lane due now. */
export async function expediteLane(trx: Trx, lane: string, now: number): Promise<void> {
  await trx
    .updateTable('outbox')
    .set({ due_at: now })
    .where('lane', '=', lane)
    .where('failed_at', 'is', null)
    .where('due_at', '>', now)
    .execute()
}

const toRow = (delivery: Delivery) => ({
  id: delivery.id,
  webhook_id: delivery.webhookId,
  event: delivery.event,
  booking_id: delivery.bookingId,
  is_test: delivery.test ? 1 : 0,
  body: delivery.body,
  created_at: delivery.createdAt,
  ...attemptRow(delivery),
})

/** The outcome of the last attempt at a delivery, as a row. */
export const toAttempt = (delivery: Delivery) => ({ id: delivery.id, ...attemptRow(delivery) })

function attemptRow(delivery: Delivery): Pick<Row, (typeof ATTEMPT_COLUMNS)[number]> {
  const error = pairOf(delivery.error)
  return {
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt,
    attempted_at: delivery.attemptedAt,
    duration: delivery.duration,
    request_headers: JSON.stringify(delivery.requestHeaders),
    response_status: delivery.responseStatus,
    response_headers: JSON.stringify(delivery.responseHeaders),
    response_body: delivery.responseBody,
    error: error.text,
    error_parts: error.parts,
  }
}

type Row = Selectable<Schema['webhook_deliveries']>

function summaryFromRow(row: Pick<Row, (typeof SUMMARY)[number]>): DeliverySummary {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    event: row.event,
    bookingId: row.booking_id,
    test: row.is_test === 1,
    status: row.status,
    attempts: row.attempts,
    createdAt: row.created_at,
    nextAttemptAt: row.next_attempt_at,
    attemptedAt: row.attempted_at,
    duration: row.duration,
    responseStatus: row.response_status,
    error: sentenceFrom(row.error, row.error_parts),
  }
}

function fromRow(row: Row): Delivery {
  return {
    ...summaryFromRow(row),
    body: row.body,
    requestHeaders: JSON.parse(row.request_headers),
    responseHeaders: JSON.parse(row.response_headers),
    responseBody: row.response_body,
  }
}
