import { sql } from 'kysely'
import { type Db, isDataError } from './engine/database.ts'
import { engine, type IdList } from './engine/engine.ts'
import { preparedBatch } from './engine/prepared.ts'
import { type Delivery, toAttempt, updateAttempts } from './webhooks/deliveries.ts'

/** A job that is done, with the outcome of its delivery if it had one. */
export interface CompletedJob {
  readonly id: number
  readonly delivery?: Delivery | undefined
}

/** A job that stays in the outbox, because the database does not accept the outcome of its delivery. */
export interface RejectedJob {
  readonly id: number
  readonly error: Error
}

/**
 * Deletes jobs and records the outcomes of their deliveries: for each job both or neither.
 *
 * All jobs go into one write. If the database rejects the data of one, they are written one by one, and the
 * rejected ones are returned.
 */
export async function completeJobs(db: Db, jobs: readonly CompletedJob[]): Promise<RejectedJob[]> {
  try {
    const ids = engine(db).idList(jobs.map(({ id }) => id))
    const attempts = jobs.flatMap(({ delivery }) => (delivery === undefined ? [] : [toAttempt(delivery)]))
    if (attempts.length === 0) await deleteAll(db, { ids })
    else await writeAll(db, { ids, attempts: JSON.stringify(attempts) })
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
