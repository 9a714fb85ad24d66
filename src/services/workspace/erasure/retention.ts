import { setImmediate as nextTurn } from 'node:timers/promises'
import { DAY, MINUTE } from '../../../domain/interval.ts'
import { MAX_DURATION } from '../../../domain/slots/openings.ts'
import { abandonLease, finishLease, renewLease, takeLease } from '../../../store/leases.ts'
import {
  anonymizeBookings,
  anonymizeResponse,
  findEndedBookings,
  findOldResponses,
  findRetained,
  updateErasedUntil,
} from '../../../store/workspace/erasure.ts'
import { forgetDeleted } from '../../../store/workspace/traces.ts'
import type { Context } from '../../context.ts'
import { removeTraces } from './remove-traces.ts'

/** Bookings or responses per transaction: others wait for it. */
const BATCH = 50
const LEASE = 10 * MINUTE
/** Each instance looks at its start and every hour. */
const EVERY = 0

/** Erases guests whose time is over, on one instance at a time, and finishes erasures that were interrupted. */
export async function eraseExpired(context: Context): Promise<void> {
  const { db } = context
  if (!(await takeLease(db, 'erasure', EVERY, LEASE))) return
  try {
    await eraseOldBookings(context)
    await eraseOldResponses(context)
    await removeTraces(context)
    // The next checkpoint does it if a backup runs now.
    await forgetDeleted(db)
    await finishLease(db, 'erasure')
  } catch (error) {
    await abandonLease(db, 'erasure', 0)
    throw error
  }
}

/** Counted from a meeting's end, also if it was cancelled. */
async function eraseOldBookings(context: Context): Promise<void> {
  const { db } = context
  for (const retained of await findRetained(db, 'event_types')) {
    const endedBy = context.now() - retained.keepDays * DAY
    // A meeting that started before may have ended since.
    const since = retained.erasedUntil - MAX_DURATION
    for (;;) {
      const rows = await findEndedBookings(db, retained, { since, until: endedBy }, BATCH)
      // Also those that no worker has completed yet, as after a long stop.
      await db.transaction().execute((trx) => anonymizeBookings(trx, rows))
      await removeTraces(context)
      if (rows.length < BATCH) break
      await renewLease(db, 'erasure', LEASE)
      await nextTurn()
    }
    if (endedBy > retained.erasedUntil) await updateErasedUntil(db, 'event_types', retained.id, endedBy)
  }
}

async function eraseOldResponses(context: Context): Promise<void> {
  const { db } = context
  for (const retained of await findRetained(db, 'routing_forms')) {
    const until = context.now() - retained.keepDays * DAY
    for (;;) {
      const rows = await findOldResponses(db, retained, { since: retained.erasedUntil, until }, BATCH)
      await db.transaction().execute(async (trx) => {
        for (const row of rows) await anonymizeResponse(trx, row, {})
      })
      await removeTraces(context)
      if (rows.length < BATCH) break
      await renewLease(db, 'erasure', LEASE)
      await nextTurn()
    }
    if (until > retained.erasedUntil) await updateErasedUntil(db, 'routing_forms', retained.id, until)
  }
}
