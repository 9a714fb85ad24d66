import { passOn } from '../../domain/bookings/assignment.ts'
import type { Question } from '../../store/bookings/ledger.ts'
import type { ListedBooking } from '../../store/bookings/list.ts'
import { type Decide, decideWithin } from '../../store/bookings/write-path.ts'
import type { Trx } from '../../store/engine/database.ts'
import { type Author, auditOf, decideStates, questionAboutBookings } from './change-state.ts'
import { balancesToday, toBalances } from './placing.ts'
import { meetingsOf, moveTo } from './reassign.ts'
import type { Members } from './series-members.ts'

/** Who hosts the meetings of someone who leaves, and which of them are cancelled. */
export interface SucceededMeetings {
  readonly from: string
  readonly to: string
  /** All bookings in meetings that go over. */
  readonly moved: readonly ListedBooking[]
  readonly cancelled: readonly ListedBooking[]
  /** Event types where the successor gets the leaver's place in the round robin. */
  readonly seatsTaken: ReadonlySet<string>
}

/**
 * Gives meetings of a host who leaves to another host, and cancels others, within a transaction that has locked both.
 *
 * Guests hear of it as of any such change, once for each booking or series. Where both hosts take turns, a meeting that
 * goes over is no turn of the successor. Returns the hosts whose meetings have changed.
 */
export async function succeed(
  trx: Trx,
  author: Author,
  { from, to, moved, cancelled, seatsTaken }: SucceededMeetings,
  now: number,
): Promise<readonly string[]> {
  const all = [...moved, ...cancelled]
  if (all.length === 0) return []
  const eventTypeIds = [...new Set(all.map(({ booking }) => booking.eventTypeId))]
  const span = {
    start: Math.min(...all.map(({ booking }) => booking.startsAt)),
    end: Math.max(...all.map(({ booking }) => booking.endsAt)),
  }
  const questions: Question[] = [
    { ...questionAboutBookings(all), hostIds: [from, to], spans: [span] },
    ...eventTypeIds.map((turnsOf) => ({ hostIds: [], turnsOf })),
  ]
  const cancels = together(cancelled, ({ booking }) => booking.series?.id ?? booking.id).map(
    (group): Decide<readonly string[]> =>
      (ledger) => {
        const { writes, result } = decideStates(ledger, group, { to: 'Cancelled', author }, now)
        return { writes, result: result.hostIds }
      },
  )
  // One booking for each meeting: those of a seated meeting's other guests go along.
  const firsts = [...new Map(moved.toReversed().map((one) => [one.booking.meetingId, one])).values()]
  const moves = together(firsts.toReversed(), ({ booking }) => booking.series?.id ?? booking.meetingId).map(
    (group) => moveAll(author, group, { from, to, seatsTaken }, now),
  )
  // Cancelled first: a series may lose one meeting to a collision while the others go over.
  return [...new Set((await decideWithin(trx, questions, [...cancels, ...moves])).flat())]
}

function moveAll(
  author: Author,
  group: Members,
  { from, to, seatsTaken }: Pick<SucceededMeetings, 'from' | 'to' | 'seatsTaken'>,
  now: number,
): Decide<readonly string[]> {
  return (ledger) => {
    const current = group.map((one) => ledger.find(one.booking.id) ?? one)
    const meetings = meetingsOf(ledger, current).map((meeting) => ({ ...meeting, hostId: from }))
    const ids = current.map(({ booking }) => booking.id)
    const parts = meetings.map((meeting) => {
      const isPlaceTaken = seatsTaken.has(meeting.eventTypeId)
      const { updates, claims, jobs } = moveTo(ledger, author, meeting, {
        to,
        assignmentOf: ({ assignment }) => {
          if (assignment === undefined) return undefined
          const passed = passOn(assignment, from, to)
          return isPlaceTaken ? passed : { ...passed, changes: {} }
        },
        reason: '',
        together: ids,
        now,
      })
      const reversed = isPlaceTaken
        ? []
        : meeting.bookings.flatMap((one) => toBalances(meeting.eventTypeId, balancesToday(ledger, one, -1)))
      return { updates, claims, jobs, reversed }
    })
    return {
      writes: {
        updates: parts.flatMap((part) => part.updates),
        freedMeetings: meetings.map(({ meetingId }) => meetingId),
        claims: parts.flatMap((part) => part.claims),
        balances: parts.flatMap(({ reversed }) => reversed),
        jobs: parts.flatMap((part) => part.jobs),
        audit: current.flatMap((one) => auditOf(author, one, 'reassigned', now)),
      },
      result: [to, ...meetings.flatMap(({ hostIds }) => hostIds)],
    }
  }
}

/** What guests hear of at once. */
function together(bookings: readonly ListedBooking[], keyOf: (one: ListedBooking) => string): Members[] {
  const groups = new Map<string, Members>()
  for (const one of bookings) {
    const known = groups.get(keyOf(one))
    if (known === undefined) groups.set(keyOf(one), [one])
    else known.push(one)
  }
  return [...groups.values()]
}
