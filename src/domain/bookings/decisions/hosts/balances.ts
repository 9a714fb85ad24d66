import { type Assignment, type BalanceChanges, changesToday } from '../../assignment.ts'
import type { BalanceChange } from '../../facts/turns.ts'
import type { Ledger } from '../../ledger.ts'
import type { ListedBooking } from '../../listed-booking.ts'

/** What a new assignment changes about the hosts' balances. */
export function balancesOf(
  eventTypeId: string,
  { hostId, changes }: Assignment,
  now: number,
): BalanceChange[] {
  const assigned = { eventTypeId, hostId, by: changes[hostId] ?? 0, assignedAt: now }
  const others = Object.entries(changes).filter(([id]) => id !== hostId)
  return [assigned, ...others.map(([id, by]) => ({ eventTypeId, hostId: id, by }))]
}

/** What reversing a booking's assignment changes, or applying it again, for the hosts of today. */
export function balancesToday(
  { turns }: Ledger,
  { booking: { eventTypeId }, assignment }: Pick<ListedBooking, 'booking' | 'assignment'>,
  times: 1 | -1,
): BalanceChanges {
  if (assignment === undefined) return {}
  const hostIds = turns.of(eventTypeId).map(({ hostId }) => hostId)
  return changesToday(assignment, hostIds, times)
}

export const toBalances = (eventTypeId: string, changes: BalanceChanges): BalanceChange[] =>
  Object.entries(changes).map(([hostId, by]) => ({ eventTypeId, hostId, by }))
