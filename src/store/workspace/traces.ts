import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Selectable, sql } from 'kysely'
import { bookingLane, type JobKind } from '../../domain/job.ts'
import type { Db } from '../engine/database.ts'
import { engine } from '../engine/engine.ts'
import { compareKeys } from '../engine/paging.ts'
import type { Schema } from '../engine/schema.ts'
import { isFree } from '../leases.ts'

/** A job about a booking or a response. */
export interface JobAbout {
  readonly id: number
  readonly kind: JobKind
  readonly data: unknown
  /** A worker has it, with what the booking said when the job was taken or before. */
  readonly isRunning: boolean
}

type JobRow = Pick<Selectable<Schema['outbox']>, 'id' | 'kind' | 'data'> & { readonly free: number }

const jobsWhere = async (db: Db, condition: ReturnType<typeof sql>): Promise<JobAbout[]> => {
  const { rows } = await sql<JobRow>`
    select id, kind, data, case when ${isFree(db, 'leased_until')} then 1 else 0 end as free
    from outbox where ${condition} order by id`.execute(db)
  return rows.map(({ id, kind, data, free }) => ({ id, kind, data: JSON.parse(data), isRunning: free === 0 }))
}

/** The jobs that tell of a booking: to announce it, and emails and deliveries about it. Dead ones, too. */
export async function findJobsAbout(
  db: Db,
  booking: Pick<Selectable<Schema['bookings']>, 'id' | 'meeting_id'>,
  webhookLanes: readonly string[],
): Promise<JobAbout[]> {
  const { id, meeting_id: meetingId } = booking
  const lanes = [bookingLane(id), ...webhookLanes]
  const mailsOf = (of: string) => lanesOf('mail', of)
  const found = [
    ...(await jobsWhere(db, sql`failed_at is null and lane in (${sql.join(lanes)})`)),
    ...(await jobsWhere(db, sql`failed_at is null and ${mailsOf(id)}`)),
    ...(await jobsWhere(db, sql`failed_at is null and ${lanesOf('message', id)}`)),
    ...(meetingId === id ? [] : await jobsWhere(db, sql`failed_at is null and ${mailsOf(meetingId)}`)),
    ...(await jobsWhere(db, sql`failed_at is not null and data like ${`%${id}%`}`)),
  ]
  return found.filter(({ data }) => bookingIdOf(data) === undefined || bookingIdOf(data) === id)
}

/** All lanes that begin with `mail:…:`, or with the name of another kind; ';' follows ':'. */
const lanesOf = (kind: string, of: string) =>
  sql`(lane >= ${`${kind}:${of}:`} and lane < ${`${kind}:${of};`})`

function bookingIdOf(data: unknown): string | undefined {
  const { bookingId, change } = data as {
    readonly bookingId?: string
    readonly change?: { readonly bookingId?: string }
  }
  return bookingId ?? change?.bookingId
}

/** The jobs that tell of a response. */
export async function findJobsAboutResponse(
  db: Db,
  responseId: string,
  webhookLanes: readonly string[],
): Promise<JobAbout[]> {
  const isIt = sql`kind = 'announce-response' and data like ${`%${responseId}%`}`
  return [
    ...(await jobsWhere(db, sql`failed_at is null and ${isIt}`)),
    ...(await jobsWhere(db, sql`failed_at is null and ${lanesOf('message', responseId)}`)),
    ...(webhookLanes.length === 0
      ? []
      : await jobsWhere(db, sql`failed_at is null and lane in (${sql.join(webhookLanes)})`)),
  ]
}

/** Reminders that are being sent right now, of any booking: they have no lane. */
export async function findRunningReminders(db: Db, now: number): Promise<JobAbout[]> {
  return jobsWhere(
    db,
    sql`kind = 'reminder' and failed_at is null and due_at <= ${now} and not ${isFree(db, 'leased_until')}`,
  )
}

/** Replaces the data of a job that no worker has. Its error goes too: mail servers quote addresses. */
export async function updateWaitingJob(db: Db, id: number, data: object): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ data: JSON.stringify(data), error: '' })
    .where('id', '=', id)
    .where(isFree(db, 'leased_until'))
    .execute()
}

export async function deleteWaitingJob(db: Db, id: number): Promise<void> {
  await db.deleteFrom('outbox').where('id', '=', id).where(isFree(db, 'leased_until')).execute()
}

/** A delivery as it is stored. */
interface StoredDelivery {
  readonly id: string
  readonly bookingId: string | null
  readonly body: string
}

const PAGE = 1000

/** The deliveries of a webhook about these bookings, made since then. */
export async function findDeliveriesAbout(
  db: Db,
  webhookId: string,
  bookingIds: ReadonlySet<string>,
  since: number,
): Promise<StoredDelivery[]> {
  const found: StoredDelivery[] = []
  let after: readonly [number, string] | undefined
  for (;;) {
    const page = await db
      .selectFrom('webhook_deliveries')
      .select(['id', 'created_at', 'booking_id'])
      .where('webhook_id', '=', webhookId)
      .where('created_at', '>=', since)
      .$if(after !== undefined, (query) =>
        query.where(compareKeys(['created_at', 'id'], '>', after as readonly [number, string])),
      )
      .orderBy('created_at')
      .orderBy('id')
      .limit(PAGE)
      .execute()
    const ids = page
      .filter((row) => row.booking_id !== null && bookingIds.has(row.booking_id))
      .map(({ id }) => id)
    found.push(...(await findStored(db, ids)))
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return found
    after = [last.created_at, last.id]
    await nextTurn()
  }
}

/** The deliveries with these ids, as far as there are any. */
export async function findStored(db: Db, ids: readonly string[]): Promise<StoredDelivery[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select(['id', 'booking_id', 'body'])
    .where('id', 'in', ids)
    .execute()
  return rows.map((row) => ({ id: row.id, bookingId: row.booking_id, body: row.body }))
}

/** Replaces the body of a delivery, and forgets what the receiver answered: it may have repeated what it got. */
export async function updateDeliveryBody(db: Db, id: string, body: string): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ body, response_body: '', response_headers: '{}' })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([eb('body', '<>', body), eb('response_body', '<>', ''), eb('response_headers', '<>', '{}')]),
    )
    .execute()
}

/** Makes what was deleted disappear from the database's files. False: someone still reads what was there before. */
export async function forgetDeleted(db: Db): Promise<boolean> {
  return engine(db).forgetDeleted()
}
