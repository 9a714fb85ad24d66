import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE } from '../domain/interval.ts'
import { abandonLease, finishLease, takeLease } from '../store/leases.ts'
import { indexBookings, indexPending } from '../store/search.ts'
import type { Context } from './context.ts'

/** Entries per transaction: on SQLite, others wait for it. */
const BATCH = 100

/**
 * How long one run may take. After an upgrade there may be a million bookings to index: that takes many runs, and the
 * search does without the index until then.
 */
const RUN = 4000
const LEASE = MINUTE

/**
 * Bookings are indexed in the order of their ids, which grow with time. Younger ones wait: one with a smaller id may
 * not be committed yet.
 */
const SETTLED_AFTER = MINUTE

/** Indexes what guests and people are found by, on one instance at a time. */
export async function keepSearchIndex({ db, now }: Context): Promise<void> {
  if (!(await takeLease(db, 'search', 0, LEASE))) return
  const upTo = firstIdOf(now() - SETTLED_AFTER)
  const runUntil = performance.now() + RUN
  try {
    await inBatches(() => db.transaction().execute((trx) => indexPending(trx, BATCH)))
    await inBatches(() => db.transaction().execute((trx) => indexBookings(trx, upTo, BATCH)))
    await finishLease(db, 'search')
  } catch (error) {
    await abandonLease(db, 'search', 0)
    throw error
  }

  async function inBatches(indexNext: () => Promise<number>): Promise<void> {
    let began = performance.now()
    while ((await indexNext()) === BATCH && performance.now() < runUntil) {
      // Requests come first.
      await sleep(performance.now() - began)
      began = performance.now()
    }
  }
}

/** The smallest id that is made at this instant (UUIDv7). */
function firstIdOf(instant: number): string {
  const time = instant.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}
