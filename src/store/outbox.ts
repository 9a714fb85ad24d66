import { type Insertable, sql } from 'kysely'
import type { NewJob } from '../domain/job.ts'
import { engineOf, type Trx } from './database.ts'
import { type Place, prepared } from './prepared.ts'
import type { Schema } from './schema.ts'

/** Writes jobs down, to be done once this transaction has ended well. */
export async function insertJobs(trx: Trx, jobs: readonly NewJob[], now: number): Promise<void> {
  for (const job of jobs) await insertJobRow(trx, jobRow(job, now))
}

export function jobRow({ kind, lane, data, dueAt }: NewJob, now: number): Insertable<Schema['outbox']> {
  return { kind, lane, data: JSON.stringify(data), due_at: dueAt, created_at: now }
}

const insertJobRow = prepared((db, value: Place<Insertable<Schema['outbox']>>) =>
  db.insertInto('outbox').values({
    kind: value('kind'),
    lane: value('lane'),
    data: value('data'),
    due_at: value('due_at'),
    created_at: value('created_at'),
  }),
)

/** The channel on which instances that share a PostgreSQL tell each other of jobs. */
export const CHANNEL = 'punctual_outbox'

/** Wakes the workers of other instances when this transaction has ended well. */
export async function notifyOthers(trx: Trx): Promise<void> {
  if (engineOf(trx) === 'postgres') await sql`select pg_notify(${CHANNEL}, '')`.execute(trx)
}
