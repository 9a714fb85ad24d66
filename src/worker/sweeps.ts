import { completeBookings } from '../services/bookings/complete.ts'
import { declineUnanswered } from '../services/bookings/host/decline-unanswered.ts'
import { keepChannels } from '../services/calendars/channels.ts'
import { refreshDueCalendars } from '../services/calendars/refresh.ts'
import type { Context } from '../services/context.ts'
import { saveFormCounts } from '../services/forms/count-visitors.ts'
import { forgetExpired, type Housekeeping } from '../services/housekeeping.ts'
import { comparePaymentsDaily } from '../services/payments/compare.ts'
import { keepSearchIndex } from '../services/search-index.ts'
import { eraseExpired } from '../services/workspace/erasure/retention.ts'

/** A task that runs at regular intervals. */
export interface Sweep {
  readonly name: string
  readonly every: number
  readonly run: (context: Context) => Promise<void>
}

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]

export const SWEEPS: readonly Sweep[] = [
  // Frequent, so that a request made a minute before its start is still declined in time.
  { name: 'decline unanswered requests', every: 10 * SECOND, run: declineUnanswered },
  { name: 'save form counts', every: MINUTE, run: saveFormCounts },
  { name: 'complete bookings', every: MINUTE, run: completeBookings },
  { name: 'erase guests', every: HOUR, run: eraseExpired },
  { name: 'index for the search', every: 10 * SECOND, run: keepSearchIndex },
  // Not awaited: a calendar server that hangs must not delay the next round.
  {
    name: 'refresh calendars',
    every: 5 * SECOND,
    run: async (context) => context.inBackground(() => refreshDueCalendars(context)),
  },
  {
    name: 'compare payments',
    every: HOUR,
    run: async (context) => context.inBackground(() => comparePaymentsDaily(context)),
  },
  {
    name: 'renew channels',
    every: 10 * MINUTE,
    run: async (context) => context.inBackground(() => keepChannels(context)),
  },
]

/** Deletes expired data. */
export function housekeepingSweep(keep: Housekeeping): Sweep {
  return { name: 'delete expired data', every: HOUR, run: (context) => forgetExpired(context, keep) }
}
