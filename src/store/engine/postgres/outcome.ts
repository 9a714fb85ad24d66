import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { OUTCOME_UNKNOWN, Problem } from '../../../domain/problem.ts'
import type { Evidence } from '../engine.ts'

/** Whether the server answered with an error. Otherwise the connection was lost, or it took too long. */
export const isRefused = (error: unknown) => (error as { severity?: string }).severity === 'ERROR'

/** Whether a connection was already lost when a statement was to be sent. */
export const wasNeverSent = (error: unknown) => /not queryable/.test((error as Error).message)

/** `commit` was sent and its answer was lost: only the server knows what became of it. */
export const outcomeUnknown = (cause: unknown) => new Problem('outcome_unknown', OUTCOME_UNKNOWN, { cause })

const ASK_AGAIN_AFTER = 250
/** If statements have no time-out of their own. */
const ASK_FOR = 10_000

/**
 * Asks the server what became of a transaction, over another connection, until it knows.
 *
 * It knows soon: a transaction whose `commit` never arrives ends before our own time-out.
 */
export async function wasCommitted(
  pool: pg.Pool,
  transactionId: string | undefined,
  evidence: Evidence | undefined,
  cause: unknown,
): Promise<boolean> {
  if (transactionId === undefined) throw outcomeUnknown(cause)
  const until = performance.now() + (pool.options.query_timeout || ASK_FOR)
  for (; performance.now() < until; await sleep(ASK_AGAIN_AFTER)) {
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
  throw outcomeUnknown(cause)
}

/** Null on a standby: what it has not heard of yet may still arrive. */
const STATUS = `select case when not pg_is_in_recovery() then pg_xact_status($1::text::xid8) end as status`

/**
 * Whether the committed transaction with this id is ours; undefined if that is unknown.
 *
 * After a crash or a failover, the server reuses ids that were not durable.
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
