import { type BookingChange, type EntryVersion, isOutcome } from '../../domain/bookings/change.ts'
import { countMeetingChanges } from '../../store/bookings/rosters.ts'
import type { Trx } from '../../store/engine/database.ts'

/**
 * Gives each change to a seated meeting the next number of the meeting that it is in, and of the one that it left.
 *
 * Hosts have one calendar entry for all guests, so the numbers of the bookings can't be its versions.
 */
export async function numberEntries(
  trx: Trx,
  changes: readonly BookingChange[],
): Promise<readonly BookingChange[]> {
  const counts = new Map<string, { count: number; used: number }>()
  for (const change of changes) {
    for (const id of meetingsOf(change)) {
      const { count, used } = counts.get(id) ?? { count: 0, used: 0 }
      counts.set(id, { count: count + 1, used: Math.max(used, change.sequence) })
    }
  }
  if (counts.size === 0) return changes
  const wanted = [...counts].map(([meetingId, counted]) => ({ meetingId, ...counted }))
  const last = await countMeetingChanges(trx, wanted)
  const next = new Map(
    wanted.map(({ meetingId, count }) => [meetingId, (last.get(meetingId)?.sequence ?? 0) - count]),
  )
  return changes.map((change) => {
    const entries = meetingsOf(change).map((meetingId): EntryVersion => {
      const sequence = (next.get(meetingId) ?? 0) + 1
      next.set(meetingId, sequence)
      return { ...last.get(meetingId), meetingId, sequence }
    })
    return entries.length === 0 ? change : { ...change, entries }
  })
}

/** The seated meetings that a change is about, the present one first. */
function meetingsOf(change: BookingChange): string[] {
  if (isOutcome(change)) return []
  const { isSeated = false, booking, formerMeeting } = change
  const left = formerMeeting === undefined ? [] : [formerMeeting.id]
  return isSeated ? [...new Set([booking.meetingId, ...left])] : left
}
