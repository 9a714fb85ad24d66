import { Problem } from '../../problem.ts'
import { passOn } from '../assignment.ts'
import { joinWrites, type Ledger, type Question } from '../ledger.ts'
import type { ListedBooking } from '../listed-booking.ts'
import { type Author, auditOf } from './author.ts'
import { decideStates } from './decide-states.ts'
import { type Decide, type Decision, done, type Given, refused } from './decision.ts'
import { balancesToday, toBalances } from './hosts/balances.ts'
import { type Members, questionAboutBookings } from './present.ts'
import { meetingsOf, replaceHost } from './present-meeting.ts'

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

/** What to ask, and the decisions to make, in their order. Each results in the hosts whose meetings have changed. */
export function planSuccession(
  meetings: SucceededMeetings,
  author: Author,
): { readonly questions: readonly Question[]; readonly decisions: readonly Decide<readonly string[]>[] } {
  const { from, to, moved, cancelled } = meetings
  const all = [...moved, ...cancelled]
  const eventTypeIds = [...new Set(all.map(({ booking }) => booking.eventTypeId))]
  const span = {
    start: Math.min(...all.map(({ booking }) => booking.startsAt)),
    end: Math.max(...all.map(({ booking }) => booking.endsAt)),
  }
  const questions = [
    { ...questionAboutBookings(all), hostIds: [from, to], spans: [span] },
    ...eventTypeIds.map((turnsOf) => ({ hostIds: [], turnsOf })),
  ]
  const cancels = together(cancelled, ({ booking }) => booking.series?.id ?? booking.id).map(
    (group): Decide<readonly string[]> =>
      (ledger, given) => {
        const decision = decideStates(ledger, group, { to: 'Cancelled', author }, given)
        return decision.kind === 'done' ? done(decision.result.hostIds, decision.writes) : decision
      },
  )
  // One booking for each meeting: those of a seated meeting's other guests go along.
  const firsts = [...new Map(moved.toReversed().map((one) => [one.booking.meetingId, one])).values()]
  const moves = together(firsts.toReversed(), ({ booking }) => booking.series?.id ?? booking.meetingId).map(
    (group): Decide<readonly string[]> =>
      (ledger, given) =>
        decideSuccession(ledger, { ...meetings, author }, group, given),
  )
  // Cancelled first: a series may lose one meeting to a collision while the others go over.
  return { questions, decisions: [...cancels, ...moves] }
}

/** Gives meetings to the successor. Where both hosts take turns, one that goes over is no turn of the successor. */
function decideSuccession(
  ledger: Ledger,
  { from, to, seatsTaken, author }: SucceededMeetings & { readonly author: Author },
  group: Members,
  given: Given,
): Decision<readonly string[]> {
  const current = group.map((one) => ledger.bookings.find(one.booking.id) ?? one)
  const meetings = meetingsOf(ledger, current)
  if (meetings instanceof Problem) return refused(meetings)
  const ids = current.map(({ booking }) => booking.id)
  const parts = meetings.map((meeting) => {
    const isPlaceTaken = seatsTaken.has(meeting.eventTypeId)
    const replacement = {
      to,
      author,
      assignmentOf: ({ assignment }: ListedBooking) => {
        if (assignment === undefined) return undefined
        const passed = passOn(assignment, from, to)
        return isPlaceTaken ? passed : { ...passed, changes: {} }
      },
      reason: '',
      together: ids,
    }
    const reversed = isPlaceTaken ? [] : meeting.bookings
    return {
      ...replaceHost(ledger, { ...meeting, hostId: from }, replacement, given),
      balances: reversed.flatMap((one) => toBalances(meeting.eventTypeId, balancesToday(ledger, one, -1))),
    }
  })
  const audit = current.flatMap((one) => auditOf(author, one, 'reassigned', given))
  return done([to, ...meetings.flatMap(({ hostIds }) => hostIds)], joinWrites([...parts, { audit }]))
}

/** What guests hear of at once. */
function together(bookings: readonly ListedBooking[], keyOf: (one: ListedBooking) => string): Members[] {
  const groups = new Map<string, [ListedBooking, ...ListedBooking[]]>()
  for (const one of bookings) {
    const known = groups.get(keyOf(one))
    if (known === undefined) groups.set(keyOf(one), [one])
    else known.push(one)
  }
  return [...groups.values()]
}
