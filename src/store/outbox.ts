import { type Insertable, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { Page } from '../domain/cursor.ts'
import { JOB_KINDS, type Job, type JobKind, type NewJob } from '../domain/job.ts'
import type { Sentence } from '../domain/sentence.ts'
import type { Db, Trx } from './engine/database.ts'
import { engine } from './engine/engine.ts'
import { pageById } from './engine/paging.ts'
import { type Placeholder, prepared, preparedInsertAll } from './engine/prepared.ts'
import type { Schema } from './engine/schema.ts'
import { isFree } from './leases.ts'
import { pairOf, sentenceFrom } from './sentences.ts'

/** Queues jobs, which workers see once this transaction commits. */
export async function insertJobs(trx: Trx, jobs: readonly NewJob[], now: number): Promise<void> {
  if (jobs.length === 0) return
  await insertJobRows(trx, { rows: JSON.stringify(jobs.map((job) => jobRow(job, now))) })
}

export function jobRow({ kind, lane, data, dueAt }: NewJob, now: number): Insertable<Schema['outbox']> {
  return { kind, lane, data: JSON.stringify(data), due_at: dueAt, created_at: now }
}

export const insertJobRows = preparedInsertAll('outbox', ['kind', 'lane', 'data', 'due_at', 'created_at'])

/** Deletes reminders of these bookings that are due at these times, unless a worker has them. */
export async function deleteReminders(
  trx: Trx,
  reminders: readonly { readonly bookingId: string; readonly dueAt: number }[],
): Promise<void> {
  for (const due of Map.groupBy(reminders, ({ dueAt }) => dueAt).values()) {
    await trx
      .deleteFrom('outbox')
      .where('kind', '=', 'reminder')
      .where('failed_at', 'is', null)
      .where('due_at', '=', due[0]?.dueAt as number)
      .where((eb) =>
        // The whole field: the ids of others of its series are in there, too.
        eb.or(due.map(({ bookingId }) => eb('data', 'like', `%"bookingId":"${bookingId}"%`))),
      )
      .where(isFree(trx, 'leased_until'))
      .execute()
  }
}

/** Which of these lanes have jobs that wait. */
export async function findLanes(db: Db, lanes: readonly string[]): Promise<Set<string>> {
  if (lanes.length === 0) return new Set()
  const rows = await db
    .selectFrom('outbox')
    .select('lane')
    .where('lane', 'in', lanes)
    .where('failed_at', 'is', null)
    .execute()
  return new Set(rows.map(({ lane }) => lane ?? ''))
}

/** The jobs that wait in this lane, or in one whose name continues after a colon. */
export async function findJobsInLanes(db: Db, lane: string): Promise<Omit<TakenJob, 'leasedUntil'>[]> {
  const rows = await db
    .selectFrom('outbox')
    .select(JOB_COLUMNS)
    .where('lane', '>=', lane)
    // ';' follows ':'.
    .where('lane', '<', `${lane};`)
    .where('failed_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(fromRow)
}

/** The channel on which instances that share a database notify each other of new jobs. */
const CHANNEL = 'punctual_outbox'

/** Wakes the workers of other instances once this transaction commits. */
export async function notifyInstances(trx: Trx): Promise<void> {
  await engine(trx).notify(trx, CHANNEL)
}

/** Calls `onJobs` when another instance has written jobs, until the returned function is called. */
export function listenForJobs(
  db: Db,
  onJobs: () => void,
  onError: (error: Error) => void,
): () => Promise<void> {
  return engine(db).listen(CHANNEL, onJobs, onError)
}

/** A job that a worker has leased. */
export interface TakenJob extends Job {
  readonly lane: string | null
  /** Until when, by the database's clock. Only who knows it may put the job off or give it up. */
  readonly leasedUntil: number
}

export interface TakeOptions {
  readonly kind: JobKind
  readonly limit: number
  /** Takes jobs that are due then. */
  readonly now: number
  /** Milliseconds by the database's clock, which all instances share: theirs may differ. */
  readonly lease: number
  /** Skip jobs in lanes that begin with one of these. */
  readonly without: readonly string[]
}

/**
 * Leases jobs that are due and not leased, the longest due first.
 *
 * A job waits for earlier jobs in its lane, so a lane stays in order. Dead jobs do not count.
 */
export async function takeJobs(
  db: Db,
  { kind, limit, now, lease, without }: TakeOptions,
): Promise<TakenJob[]> {
  const { rows } =
    without.length === 0
      ? await take(db, { kind, now, limit, lease })
      : await taking(db, { kind, now, limit, lease, without }).execute(db)
  return rows.map((row) => ({ ...fromRow(row), leasedUntil: row.leased_until })).sort((a, b) => a.id - b.id)
}

const take = prepared((db, value: Placeholder<Omit<TakeOptions, 'without'>>) =>
  taking(db, {
    kind: value('kind'),
    now: value('now'),
    limit: value('limit'),
    lease: value('lease'),
    without: [],
  }),
)

function taking(db: Db, { kind, now, limit, lease, without }: TakeOptions): RawBuilder<TakenRow> {
  const others = without.map((start) => sql`and (o.lane is null or o.lane not like ${`${start}%`})`)
  return sql`
    with due as materialized (
      select o.id from outbox as o
      where o.kind = ${kind} and o.failed_at is null and o.due_at <= ${now}
        and ${isFree(db, 'o.leased_until')}
        and (o.lane is null or not exists (
          select 1 from outbox as e where e.lane = o.lane and e.failed_at is null and e.id < o.id
        ))
        ${sql.join(others, sql` `)}
      order by o.due_at, o.id limit ${limit}
      ${engine(db).skipLocked}
    )
    update outbox set leased_until = ${engine(db).now} + ${lease} where id in (select id from due)
    returning leased_until, ${sql.join(JOB_COLUMNS.map((column) => sql.ref(column)))}`
}

const JOB_COLUMNS = ['id', 'kind', 'lane', 'data', 'attempts', 'created_at'] as const

type JobRow = Pick<Selectable<Schema['outbox']>, (typeof JOB_COLUMNS)[number]>

type TakenRow = JobRow & { readonly leased_until: number }

function fromRow(row: JobRow): Omit<TakenJob, 'leasedUntil'> {
  return {
    id: row.id,
    kind: row.kind,
    lane: row.lane,
    data: JSON.parse(row.data),
    attempts: row.attempts,
    createdAt: row.created_at,
  }
}

function jobsWithIds(db: Db, ids: readonly number[]) {
  return engine(db).isAmong('id', engine(db).idList(ids), 'bigint')
}

/** Returns the ids of those that were there. */
export async function deleteJobs(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    delete from outbox where ${jobsWithIds(db, ids)} returning id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Schedules the retry of a failed job, unless its lease was lost to another worker. The jobs behind it in its lane move
 * with it: they have to wait anyway.
 */
export async function scheduleRetry(db: Db, job: TakenJob, dueAt: number, error: Sentence): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ attempts: job.attempts + 1, leased_until: null, due_at: dueAt, ...errorRow(error) })
    .where('id', '=', job.id)
    .where('leased_until', '=', job.leasedUntil)
    .executeTakeFirstOrThrow()
  if (job.lane === null || numUpdatedRows === 0n) return
  await db
    .updateTable('outbox')
    .set({ due_at: dueAt })
    .where('lane', '=', job.lane)
    .where('failed_at', 'is', null)
    .where('id', '>', job.id)
    .where('due_at', '<', dueAt)
    .execute()
}

function errorRow(error: Sentence) {
  const { text, parts } = pairOf(error)
  return { error: text, error_parts: parts }
}

/** Marks a failed job as dead, unless its lease was lost: it is kept, but only retried on request. */
export async function markJobDead(db: Db, job: TakenJob, failedAt: number, error: Sentence): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ attempts: job.attempts + 1, leased_until: null, failed_at: failedAt, ...errorRow(error) })
    .where('id', '=', job.id)
    .where('leased_until', '=', job.leasedUntil)
    .execute()
}

/**
 * Renews leases, and returns until when they last now.
 *
 * Jobs that are being completed right now are skipped: they need no lease, and waiting for them could deadlock.
 */
export async function extendLeases(
  db: Db,
  ids: readonly number[],
  lease: number,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; leased_until: number }>`
    with held as materialized (select id from outbox where ${jobsWithIds(db, ids)} ${engine(db).skipLocked})
    update outbox set leased_until = ${engine(db).now} + ${lease} where id in (select id from held)
    returning id, leased_until`.execute(db)
  return new Map(rows.map((row) => [row.id, row.leased_until]))
}

/** Releases jobs that were leased but not started. */
export async function releaseJobs(db: Db, ids: readonly number[]): Promise<void> {
  await sql`update outbox set leased_until = null where ${jobsWithIds(db, ids)}`.execute(db)
}

/** When the next job becomes due, for each kind after its own moment; undefined if there is none. */
export async function findNextDue(db: Db, after: ReadonlyMap<JobKind, number>): Promise<number | undefined> {
  if (after.size === 0) return undefined
  const kinds = [...after.keys()].join()
  const query = nextDueQueries.get(kinds) ?? nextDueQuery([...after.keys()])
  nextDueQueries.set(kinds, query)
  const { rows } = await query(db, Object.fromEntries(after))
  const moments = Object.values(rows[0] ?? {}).filter((moment) => moment !== null)
  return moments.length > 0 ? Math.min(...moments) : undefined
}

/** By the kinds that they look for: a worker asks for the same ones again and again. */
const nextDueQueries = new Map<string, ReturnType<typeof nextDueQuery>>()

const nextDueQuery = (kinds: readonly JobKind[]) =>
  prepared<Partial<Record<JobKind, number>>, Partial<Record<JobKind, number | null>>>((db, value) =>
    // A subquery per kind: `or` would read the index from its start.
    db.selectNoFrom((eb) =>
      kinds.map((kind) =>
        eb
          .selectFrom('outbox')
          .select('due_at')
          .where('kind', '=', kind)
          .where('failed_at', 'is', null)
          .where('due_at', '>', value(kind) as number)
          .orderBy('due_at')
          .limit(1)
          .as(kind),
      ),
    ),
  )

/** A job that failed for good. */
export interface DeadJob extends Job {
  readonly lane: string | null
  readonly failedAt: number
  readonly error: string
}

/** Dead jobs, oldest first, after the one with id `after`. */
export async function findDeadJobs(db: Db, page: Page<number>): Promise<DeadJob[]> {
  const rows = await db
    .selectFrom('outbox')
    .selectAll()
    .where('failed_at', 'is not', null)
    .$call(pageById(page))
    .execute()
  return rows.map((row) => ({ ...fromRow(row), failedAt: row.failed_at as number, error: row.error }))
}

/** Which of the failed jobs: one, those of a kind, or all. */
export interface FailedJobs {
  readonly id?: number | undefined
  readonly kind?: JobKind | undefined
}

/** Makes dead jobs due now with no failed attempts. Returns how many. */
export async function requeueDeadJobs(db: Db, { id, kind }: FailedJobs, now: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ failed_at: null, attempts: 0, due_at: now, error: '' })
    .where('failed_at', 'is not', null)
    .$if(id !== undefined, (query) => query.where('id', '=', id as number))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind as JobKind))
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Spelled as in the index of jobs that have failed and are retried by themselves: only then it is used. */
const IS_FAILING = sql<SqlBool>`job.attempts > 0 and job.failed_at is null`

/** Ids of jobs that have failed and are retried by themselves: the one with this id, or those of a kind after `after`. */
export async function findFailingJobs(
  db: Db,
  which: { readonly id: number } | { readonly kind: JobKind; readonly after: number },
  limit: number,
): Promise<number[]> {
  const condition =
    'id' in which ? sql`job.id = ${which.id}` : sql`job.kind = ${which.kind} and job.id > ${which.after}`
  const { rows } = await sql<{ id: number }>`
    select id from outbox as job where ${IS_FAILING} and ${condition} order by id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Makes jobs due now that wait for a retry; they keep their attempts.
 *
 * Jobs behind them in their lanes were put off with them, to the same moment, so they come along.
 */
export async function expediteJobs(trx: Trx, ids: readonly number[], now: number): Promise<void> {
  const given = engine(trx).isAmong('job.id', engine(trx).idList(ids), 'bigint')
  await sql`update outbox set due_at = ${now} where id in (
    select behind.id from outbox as job
    join outbox as behind on behind.lane = job.lane and behind.due_at = job.due_at and behind.id > job.id
    where ${given} and job.due_at > ${now} and behind.failed_at is null and behind.lane is not null)`.execute(
    trx,
  )
  await sql`update outbox as job set due_at = ${now}
    where ${given} and job.due_at > ${now} and job.failed_at is null`.execute(trx)
}

/** A job that has failed at least once. */
interface FailedJob {
  readonly id: number
  readonly kind: JobKind
  readonly attempts: number
  readonly createdAt: number
  /** When it is retried; null: it was given up. */
  readonly nextAttemptAt: number | null
  readonly error: Sentence
}

/** Jobs that have failed, given up or not, the newest of each kind first. */
export async function findFailedJobs(db: Db, limit: number): Promise<FailedJob[]> {
  const columns = sql`id, kind, attempts, due_at, failed_at, error, error_parts, created_at`
  // One by one: the index has the newest of a kind, and not of all.
  const failing = JOB_KINDS.map(
    (kind) => sql`
      select * from (select ${columns} from outbox as job where ${IS_FAILING} and kind = ${kind}
        order by id desc limit ${limit}) as failing`,
  )
  const { rows } = await sql<Omit<Selectable<Schema['outbox']>, 'lane' | 'data' | 'leased_until'>>`
    ${sql.join(failing, sql` union all `)}
    union all
    select * from (select ${columns} from outbox as job where failed_at is not null
      order by failed_at desc, id desc limit ${limit}) as dead`.execute(db)
  return rows.map(failedFromRow)
}

const failedFromRow = (
  row: Omit<Selectable<Schema['outbox']>, 'lane' | 'data' | 'leased_until'>,
): FailedJob => ({
  id: row.id,
  kind: row.kind,
  attempts: row.attempts,
  createdAt: row.created_at,
  nextAttemptAt: row.failed_at === null ? row.due_at : null,
  error: sentenceFrom(row.error, row.error_parts),
})

/** An email about a booking that could not be sent. */
interface FailedMail extends FailedJob {
  readonly data: unknown
}

const MAIL_KINDS: readonly JobKind[] = ['mail', 'reminder']

/** Emails about bookings that have failed, given up or not, the newest first. */
export async function findFailedMails(db: Db, limit: number): Promise<FailedMail[]> {
  const columns = sql`id, kind, data, attempts, due_at, failed_at, error, error_parts, created_at`
  const failing = MAIL_KINDS.map(
    (kind) => sql`
      select * from (select ${columns} from outbox as job where ${IS_FAILING} and kind = ${kind}
        order by id desc limit ${limit}) as failing`,
  )
  const { rows } = await sql<Omit<Selectable<Schema['outbox']>, 'lane' | 'leased_until'>>`
    ${sql.join(failing, sql` union all `)}
    union all
    select * from (select ${columns} from outbox as job
      where failed_at is not null and kind in (${sql.join(MAIL_KINDS)})
      order by failed_at desc, id desc limit ${limit}) as dead`.execute(db)
  return rows
    .map((row) => ({ ...failedFromRow(row), data: JSON.parse(row.data) }))
    .sort((a, b) => b.id - a.id)
    .slice(0, limit)
}

/** Makes these jobs this transaction's own until it ends. Returns the ids of those that are there. */
export async function lockJobs(trx: Trx, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    update outbox set attempts = attempts where ${jobsWithIds(trx, ids)} returning id`.execute(trx)
  return new Set(rows.map(({ id }) => id))
}

/** Why an announcement waits. Also what tells it from one that a host can still take back. */
const AWAITS_LINK = 'Waits for the meeting link.'

/** Lets a job that is running wait until then, or until `expediteAnnouncements`. */
export async function postponeForLink(trx: Trx, id: number, until: number): Promise<void> {
  await trx
    .updateTable('outbox')
    .set({ due_at: until, leased_until: null, error: AWAITS_LINK })
    .where('id', '=', id)
    .execute()
}

/**
 * Makes announcements in these lanes due that wait for a meeting link. Returns the lanes that have announcements.
 *
 * It waits for those that are being made in this moment, so that each either sees the link, or is gone here.
 */
export async function expediteAnnouncements(
  trx: Trx,
  lanes: readonly string[],
  now: number,
): Promise<Set<string>> {
  if (lanes.length === 0) return new Set()
  const rows = await trx
    .updateTable('outbox')
    .set((eb) => ({
      due_at: eb.case().when('error', '=', AWAITS_LINK).then(now).else(eb.ref('due_at')).end(),
    }))
    .where('lane', 'in', lanes)
    .where('kind', '=', 'announce')
    .where('failed_at', 'is', null)
    .returning('lane')
    .execute()
  return new Set(rows.map(({ lane }) => lane ?? ''))
}
