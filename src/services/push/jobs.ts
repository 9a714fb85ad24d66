import type { BookingChange, ChangeRecord } from '../../domain/bookings/change.ts'
import type { NewJob } from '../../domain/job.ts'
import { pushKindOf } from '../../domain/push/push.ts'
import type { Trx } from '../../store/engine/database.ts'
import { findSubscriptionsOf } from '../../store/push/subscriptions.ts'
import { recordOf } from '../mail/jobs.ts'

/** What a `push` job tells one browser. */
export interface PushJobData {
  readonly subscriptionId: string
  readonly change: ChangeRecord
}

/** A job for each browser that wants to hear of these changes. Hosts without any cost nothing. */
export async function pushJobsFor(
  trx: Trx,
  changes: readonly BookingChange[],
  now: number,
): Promise<NewJob<PushJobData>[]> {
  const told = changes.flatMap((change) => {
    const kind = pushKindOf(change)
    const hostIds = change.hosts.filter(({ hasPush }) => hasPush).map(({ id }) => id)
    return kind === undefined || hostIds.length === 0 ? [] : [{ change, kind, hostIds }]
  })
  if (told.length === 0) return []
  const subscriptions = await findSubscriptionsOf(trx, [...new Set(told.flatMap(({ hostIds }) => hostIds))])
  return told.flatMap(({ change, kind, hostIds }) =>
    subscriptions
      .filter(({ userId, kinds }) => hostIds.includes(userId) && kinds.includes(kind))
      .map(({ id }) => ({
        kind: 'push' as const,
        // What a browser hears of a booking arrives in order.
        lane: `push:${id}:${change.bookingId}`,
        // Without the reason, nothing here is the guest's.
        data: { subscriptionId: id, change: { ...recordOf(change), reason: '' } },
        dueAt: now,
      })),
  )
}
