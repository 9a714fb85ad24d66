import { planStates, type StateChange } from '../../domain/bookings/decisions/decide-states.ts'
import type { Members } from '../../domain/bookings/decisions/present.ts'
import type { ListedBooking } from '../../domain/bookings/listed-booking.ts'
import type { Context } from '../context.ts'
import { attempt } from './attempt.ts'

/**
 * Moves a booking from the state in which it was read to another one. If two requests try, one wins.
 *
 * Repeating a change does nothing. The hosts are locked as for booking: whether a meeting's time
 * is released depends on its other guests.
 */
export async function changeState(
  context: Context,
  seen: ListedBooking,
  change: StateChange,
): Promise<ListedBooking> {
  return changeStates(context, [seen], change)
}

/** The same for several bookings of a series, all or none. Returns the first. */
export async function changeStates(
  context: Context,
  all: Members,
  change: StateChange,
): Promise<ListedBooking> {
  const { changed, hostIds } = await attempt(context, () => planStates(all, change, context.now()))
  noteChange(context, hostIds)
  return changed
}

/** After the commit: refreshes the listings and wakes the worker. */
export function noteChange(context: Context, hostIds: readonly string[]): void {
  context.slots.bookingsChanged(hostIds)
  context.outbox.wake()
}
