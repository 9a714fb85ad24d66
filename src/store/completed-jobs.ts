import { sql } from 'kysely'
import { type HistoryEntry, historyRow, insertHistoryRows } from './bookings/history.ts'
import { type Db, isDataError } from './engine/database.ts'
import { engine, type IdList } from './engine/engine.ts'
import { preparedBatch } from './engine/prepared.ts'
import { type Delivery, toAttempt, updateAttempts } from './webhooks/deliveries.ts'

/** A job that is done, with the outcome of its delivery if it had one, and what to remember of it. */
export interface CompletedJob {
  readonly id: number
  readonly delivery?: Delivery | undefined
  readonly history?: readonly HistoryEntry[] | undefined
}

/** A job that stays in the outbox, because the database does not accept the outcome of its delivery. */
export interface RejectedJob {
  readonly id: number
  readonly error: Error
}

/**
 * Deletes jobs and records the outcomes of their deliveries and what was done: for each job all or nothing.
 *
 * All jobs go into one write. If the database rejects the data of one, they are written one by one, and the
 * rejected ones are returned.
 */
export async function completeJobs(db: Db, jobs: readonly CompletedJob[]): Promise<RejectedJob[]> {
  try {
    const ids = engine(db).idList(jobs.map(({ id }) => id))
    const attempts = jobs.flatMap(({ delivery }) => (delivery === undefined ? [] : [toAttempt(delivery)]))
    const history = jobs.flatMap((job) => (job.history ?? []).map(historyRow))
    if (history.length > 0) {
      await writeHistory(db, { ids, attempts: JSON.stringify(attempts), history: JSON.stringify(history) })
    } else if (attempts.length > 0) await writeAll(db, { ids, attempts: JSON.stringify(attempts) })
    else await deleteAll(db, { ids })
    return []
  } catch (error) {
    if (!isDataError(error)) throw error
    const [first] = jobs
    if (jobs.length === 1 && first !== undefined) return [{ id: first.id, error: error as Error }]
    const rejected: RejectedJob[] = []
    for (const job of jobs) rejected.push(...(await completeJobs(db, [job])))
    return rejected
  }
}

const deletion = (db: Db, ids: IdList) =>
  sql`delete from outbox where ${engine(db).isAmong('id', ids, 'bigint')}`

const deleteAll = preparedBatch<{ ids: IdList }>((db, value) => [deletion(db, value('ids'))])

const writeAll = preparedBatch<{ ids: IdList; attempts: string }>((db, value) => [
  updateAttempts(db, value('attempts')),
  deletion(db, value('ids')),
])

const writeHistory = preparedBatch<{ ids: IdList; attempts: string; history: string }>((db, value) => [
  updateAttempts(db, value('attempts')),
  insertHistoryRows(db, value('history')),
  deletion(db, value('ids')),
])
