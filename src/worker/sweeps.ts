import { completeBookings } from '../services/bookings/complete.ts'
import { declineUnanswered } from '../services/bookings/decline-unanswered.ts'
import { refreshDueCalendars } from '../services/calendars/refresh.ts'
import type { Context } from '../services/context.ts'
import { forgetExpired, type Housekeeping } from '../services/housekeeping.ts'

/** Something that time alone brings about, and that nobody asks for. */
export interface Sweep {
  readonly name: string
  readonly every: number
  readonly run: (context: Context) => Promise<void>
}

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]

export const SWEEPS: readonly Sweep[] = [
  // A request made a minute before its time still gets its answer before it.
  { name: 'decline unanswered requests', every: 10 * SECOND, run: declineUnanswered },
  { name: 'complete bookings', every: MINUTE, run: completeBookings },
  // Nobody waits for it: a server that hangs must not put off the next round.
  {
    name: 'refresh calendars',
    every: 10 * SECOND,
    run: async (context) => context.inBackground(() => refreshDueCalendars(context)),
  },
]

/** Deletes what is no longer kept. */
export function housekeepingSweep(keep: Housekeeping): Sweep {
  return { name: 'housekeeping', every: HOUR, run: (context) => forgetExpired(context, keep) }
}
