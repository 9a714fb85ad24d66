import { completeEnded } from '../../store/bookings/changes.ts'
import type { Context } from '../context.ts'

const BATCH = 500

/** Completes every confirmed meeting that has ended. */
export async function completeBookings({ db, now }: Context): Promise<void> {
  const until = now()
  while ((await completeEnded(db, until, BATCH)) === BATCH);
}
