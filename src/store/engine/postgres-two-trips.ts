import type { CompiledQuery, QueryResult } from 'kysely'
import type pg from 'pg'
import type { Decided, DecidedEarly, Evidence } from './engine.ts'
import { isRefused, outcomeUnknown, wasCommitted } from './postgres-outcome.ts'

/**
 * Sends `begin` and the reads without waiting in between, decides, then sends the writes and `commit` the same way.
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
    const answers = await inOrder([client.query('begin'), ...reads.map(send), client.query(TRANSACTION_ID)])
    transactionId = answers.at(-1)?.rows[0]?.id
    decided = decide(answers.slice(1, -1).map(toQueryResult))
  } catch (error) {
    rollBack(client)
    throw error
  }
  if (decided.writes.length === 0) {
    rollBack(client)
    return decided.result
  }
  await commit(pool, client, decided.writes.map(send), decided.evidence, () => transactionId)
  return decided.result
}

/**
 * Reads without a lock and decides; then locks, checks that what was read still holds, writes and commits in one trip.
 *
 * Rows are locked while the server works and not while an answer is on its way. Undefined if the check failed.
 */
export async function lookThenLock<T>(
  pool: pg.Pool,
  reads: readonly CompiledQuery[],
  decide: (answers: readonly QueryResult<unknown>[]) => DecidedEarly<T>,
): Promise<{ result: T } | undefined> {
  const client = await pool.connect()
  const send = ({ sql, parameters }: CompiledQuery) => client.query(sql, parameters as unknown[])
  let decided: DecidedEarly<T>
  try {
    decided = decide((await inOrder(reads.map(send))).map(toQueryResult))
  } catch (error) {
    client.release(!isRefused(error))
    throw error
  }
  const { lock, check, writes, evidence, result } = decided
  if (writes.length === 0) {
    client.release()
    return { result }
  }
  let transactionId: string | undefined
  const begun = [client.query('begin'), send(lock)]
  const identified = client.query(TRANSACTION_ID).then((answer) => {
    transactionId = answer.rows[0]?.id
    return answer
  })
  const queries = [...begun, identified, send(check), ...writes.map(send)]
  try {
    await commit(pool, client, queries, evidence, () => transactionId)
  } catch (error) {
    if ((error as { code?: string }).code === CHECK_FAILED) return undefined
    throw error
  }
  return { result }
}

/** A check divides by zero to fail: plain SQL has no other way to end a transaction. */
const CHECK_FAILED = '22012'

/** Commits after these queries, which have been sent. If the answer is lost, asks the server what became of it. */
async function commit(
  pool: pg.Pool,
  client: pg.PoolClient,
  queries: readonly Promise<pg.QueryResult>[],
  evidence: Evidence | undefined,
  transactionId: () => string | undefined,
): Promise<void> {
  const committed = client.query('commit')
  try {
    await inOrder([...queries, committed])
    client.release()
  } catch (error) {
    if (isRefused(error)) {
      // `commit` has rolled back instead.
      await committed.catch(() => {})
      client.release()
      throw error
    }
    client.release(true)
    if (!(await wasCommitted(pool, transactionId(), evidence, error))) throw error
    // Committed here, but perhaps not on the standby that a commit waits for.
    await pool.query(MAKE_DURABLE).catch(() => {
      throw outcomeUnknown(error)
    })
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

const TRANSACTION_ID = 'select pg_current_xact_id_if_assigned()::text as id'

/** The smallest transaction that writes to the log: when it is on the disk and the standby, all before it are. */
const MAKE_DURABLE = `select pg_logical_emit_message(true, 'punctual', '')`
