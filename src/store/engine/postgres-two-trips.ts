import { setTimeout as sleep } from 'node:timers/promises'
import type { CompiledQuery, QueryResult } from 'kysely'
import type pg from 'pg'
import type { Decided, Evidence } from './engine.ts'

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
  const written = decided.writes.map(send)
  const committed = client.query('commit')
  try {
    await inOrder([...written, committed])
    client.release()
  } catch (error) {
    if (isRefused(error)) {
      // `commit` has rolled back instead.
      await committed.catch(() => {})
      client.release()
      throw error
    }
    client.release(true)
    if (transactionId === undefined) throw error
    if (!(await wasCommitted(pool, transactionId, decided.evidence, error))) throw error
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

/** The server answered, and its answer was no. Otherwise the connection was lost, or it took too long. */
const isRefused = (error: unknown) => (error as { severity?: string }).severity === 'ERROR'

const toQueryResult = ({ rows, rowCount }: pg.QueryResult): QueryResult<unknown> => ({
  rows,
  numAffectedRows: BigInt(rowCount ?? 0),
})

const TRANSACTION_ID = 'select pg_current_xact_id_if_assigned()::text as id'

/** The commit was sent and its answer was lost: only the server knows what became of it. */
export class OutcomeUnknown extends Error {}

const FIND_OUT_WITHIN = 10_000
const ASK_AGAIN_AFTER = 250

/** Asks the server what became of a transaction, over another connection, until it knows. */
async function wasCommitted(
  pool: pg.Pool,
  transactionId: string,
  evidence: Evidence | undefined,
  cause: unknown,
): Promise<boolean> {
  for (
    const until = performance.now() + FIND_OUT_WITHIN;
    performance.now() < until;
    await sleep(ASK_AGAIN_AFTER)
  ) {
    try {
      const { rows } = await pool.query(STATUS, [transactionId])
      const status = rows[0]?.status
      if (status === 'aborted') return false
      if (status === 'committed') {
        const found = evidence === undefined || (await findEvidence(pool, transactionId, evidence))
        if (found !== undefined) return found
        break
      }
    } catch (error) {
      // A standby that took over without ever having heard of it.
      if ((error as { code?: string }).code === '22023') return false
    }
  }
  throw new OutcomeUnknown('The database went away during a commit.', { cause })
}

/** Null on a standby: what it has not heard of yet may still arrive. */
const STATUS = `select case when not pg_is_in_recovery() then pg_xact_status($1::text::xid8) end as status`

/**
 * Whether the committed transaction with this id is ours; undefined if that can't be told.
 *
 * After a crash or a failover, the server gives ids again that it had not written down.
 */
async function findEvidence(
  pool: pg.Pool,
  transactionId: string,
  { bookingId, isNew }: Evidence,
): Promise<boolean | undefined> {
  const { rows } = await pool.query('select xmin = $2::text::xid8::xid as ours from bookings where id = $1', [
    bookingId,
    transactionId,
  ])
  if (isNew) return rows.length > 0
  // Someone else may have changed it since.
  return rows[0]?.ours || undefined
}
