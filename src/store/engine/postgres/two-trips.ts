import type { CompiledQuery, QueryResult } from 'kysely'
import type pg from 'pg'
import { type Decided, Outdated } from '../engine.ts'
import { isRefused, outcomeUnknown, wasCommitted } from './outcome.ts'

/**
 * Sends `begin` and the reads without waiting in between, decides, then sends the writes and `commit` the same way, and
 * waits until they are durable.
 *
 * The pool's clients must be pipelined. A refusal does not wait for its rollback.
 */
export async function inTwoTrips<T>(
  pool: pg.Pool,
  reads: readonly CompiledQuery[],
  decide: (answers: readonly QueryResult<unknown>[]) => Decided<T>,
): Promise<T> {
  const client = await pool.connect()
  const send = ({ sql, parameters }: CompiledQuery) => client.query(sql, parameters as unknown[])
  let transactionId: string | undefined
  let decided: Decided<T>
  try {
    const answers = await inOrder([
      client.query('begin'),
      client.query(COMMIT_WITHOUT_WAITING),
      ...reads.map(send),
      client.query(TRANSACTION_ID, []),
    ])
    transactionId = answers.at(-1)?.rows[0]?.id
    decided = decide(answers.slice(2, -1).map(toQueryResult))
  } catch (error) {
    rollBack(client)
    throw error
  }
  if (decided.writes.length === 0) {
    rollBack(client)
    return decided.result
  }
  const { guards = [], writes, evidence } = decided
  const written = [...guards, ...writes].map(send)
  const committed = client.query('commit')
  const durable = client.query(MAKE_DURABLE)
  durable.catch(() => {})
  let isCommitted = false
  try {
    await inOrder([...written, committed])
    isCommitted = true
    await durable
    client.release()
  } catch (error) {
    if (!isCommitted && isRefused(error)) {
      // `commit` has rolled back instead.
      await Promise.allSettled([committed, durable])
      client.release()
      throw (error as { code?: string }).code === GUARD_FAILED
        ? new Outdated('What was read has changed.', { cause: error })
        : error
    }
    client.release(true)
    // Even if it was committed: a standby that took over may not have heard of it.
    if (!(await wasCommitted(pool, transactionId, evidence, error))) throw error
    await makeDurable(pool, error)
  }
  return decided.result
}

/** Returns when all that was committed until now survives a crash. */
export async function makeDurable(pool: pg.Pool, cause?: unknown): Promise<void> {
  try {
    await pool.query(MAKE_DURABLE)
  } catch (error) {
    throw outcomeUnknown(cause ?? error)
  }
}

/** Sends queries over one connection without waiting in between. */
export async function readTogether(
  pool: pg.Pool,
  queries: readonly CompiledQuery[],
): Promise<QueryResult<unknown>[]> {
  const client = await pool.connect()
  try {
    const answers = await inOrder(
      queries.map(({ sql, parameters }) => client.query(sql, parameters as unknown[])),
    )
    client.release()
    return answers.map(toQueryResult)
  } catch (error) {
    client.release(!isRefused(error))
    throw error
  }
}

/** Every statement so far may have failed with the connection. Then there is nothing left to undo. */
function rollBack(client: pg.PoolClient): void {
  client.query('rollback').then(
    () => client.release(),
    () => client.release(true),
  )
}

/** All answers; if one failed, the first failure, once nothing is in flight. */
async function inOrder(queries: readonly Promise<pg.QueryResult>[]): Promise<pg.QueryResult[]> {
  const outcomes = await Promise.allSettled(queries)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<pg.QueryResult>).value)
}

const toQueryResult = ({ rows, rowCount }: pg.QueryResult): QueryResult<unknown> => ({
  rows,
  numAffectedRows: BigInt(rowCount ?? 0),
})

const TRANSACTION_ID = 'select pg_current_xact_id()::text as id'

/**
 * So that the rows of hosts are locked until the commit, and not until the disk and the standby have it: with slow disks,
 * three instances that book one host would wait for each other most of the time. What makes it durable follows.
 */
const COMMIT_WITHOUT_WAITING = 'set local synchronous_commit = off'

/** Division by zero: plain SQL has no other way to end a transaction. */
const GUARD_FAILED = '22012'

/** The smallest transaction that writes to the log: when it is on the disk and the standby, all before it are. */
const MAKE_DURABLE = `select pg_logical_emit_message(true, 'punctual', '')`
