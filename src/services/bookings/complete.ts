import { announcementOf, recordOf } from '../../domain/bookings/decisions/announcement.ts'
import { completeEnded } from '../../store/bookings/changes.ts'
import { newId } from '../../store/new-id.ts'
import { insertJobs } from '../../store/outbox.ts'
import { findWebhooksOf } from '../../store/webhooks/webhooks.ts'
import type { Context } from '../context.ts'

const BATCH = 500

/** Completes every confirmed meeting that has ended. */
export async function completeBookings(context: Context): Promise<void> {
  const until = context.now()
  while ((await completeBatch(context, until)) === BATCH);
}

async function completeBatch({ db, outbox }: Context, now: number): Promise<number> {
  const { count, jobs } = await db.transaction().execute(async (trx) => {
    const completed = await completeEnded(trx, now, BATCH)
    const owners = [...new Set(completed.map(({ schedulerId }) => schedulerId))]
    // Only webhooks are told, and most owners have none.
    const listening = new Set((await findWebhooksOf(trx, owners)).map(({ schedulerId }) => schedulerId))
    const jobs = completed
      .filter(({ schedulerId }) => listening.has(schedulerId))
      .map(({ booking }) =>
        announcementOf(
          recordOf(booking, newId(), {
            type: 'completed',
            by: 'service',
            reason: '',
            previousStatus: 'Confirmed',
            previousStartsAt: null,
            formerHostIds: [],
            at: now,
          }),
        ),
      )
    await insertJobs(trx, jobs, now)
    return { count: completed.length, jobs }
  })
  if (jobs.length > 0) outbox.wake(['announce'])
  return count
}
