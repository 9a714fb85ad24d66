import type { CompiledQuery, QueryResult } from 'kysely'
import type pg from 'pg'
import type { Decided } from './engine.ts'
import { isRefused, outcomeUnknown, wasCommitted } from './postgres-outcome.ts'

/**
 * Sends `begin` and the reads without waiting in between, decides, then sends the writes and `commit` the same way.
 *
 * The pool's clients must be pipelined. A refusal does not wait for its rollback.
 *
 * Locks are held until `commit` is done, but not until it is on the disk: with several instances, each booking of a
 * host would wait for the disk in turn. So `commit` does not wait, and a second, empty transaction does: it comes
 * later in the log, so when it is on the disk, and on the standby, the first one is, too.
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
      ...reads.map(send),
      client.query(COMMIT_WITHOUT_WAITING),
    ])
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
  const written = decided.writes.map(send)
  const transaction = [...written, client.query('commit')]
  try {
    await inOrder([...transaction, client.query(MAKE_DURABLE)])
    client.release()
  } catch (error) {
    if (isRefused(error) && (await hasFailed(transaction))) {
      // `commit` has rolled back instead.
      client.release()
      throw error
    }
    client.release(true)
    if (!(await wasCommitted(pool, transactionId, decided.evidence, error))) throw error
    await pool.query(MAKE_DURABLE).catch(() => {
      throw outcomeUnknown(error)
    })
  }
  return decided.result
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

async function hasFailed(queries: readonly Promise<pg.QueryResult>[]): Promise<boolean> {
  return (await Promise.allSettled(queries)).some(({ status }) => status === 'rejected')
}

const toQueryResult = ({ rows, rowCount }: pg.QueryResult): QueryResult<unknown> => ({
  rows,
  numAffectedRows: BigInt(rowCount ?? 0),
})

/** Tells the transaction's id, too. */
const COMMIT_WITHOUT_WAITING = `select pg_current_xact_id_if_assigned()::text as id,
  set_config('synchronous_commit', 'off', true)`

/** The smallest transaction that writes to the log. It waits as the server is configured to, for standbys too. */
const MAKE_DURABLE = `select pg_logical_emit_message(true, 'punctual', '')`
