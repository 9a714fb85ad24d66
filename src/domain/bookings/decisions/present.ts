import type { Problem } from '../../problem.ts'
import type { Ledger, Question } from '../ledger.ts'
import type { ListedBooking } from '../listed-booking.ts'
import { isActive } from '../states.ts'
import { changedMeanwhile, noSuchBooking, stateConflict } from './refusals.ts'

/** The bookings of one change, the first of which was asked about. */
export type Members = readonly [ListedBooking, ...ListedBooking[]]

/** The question for changing these bookings: it locks the hosts that they have by then. */
export function questionAboutBookings(all: readonly ListedBooking[]): Question {
  return {
    hostIds: [...new Set(all.map(({ hostId }) => hostId))],
    meetingIds: [...new Set(all.map(({ booking }) => booking.meetingId))],
    bookingIds: all.map(({ booking }) => booking.id),
  }
}

/** The balances that change when these bookings leave their hosts. */
export function turnsFor(all: readonly ListedBooking[]): Pick<Question, 'turnsOf'> {
  const assigned = all.find(({ assignment }) => assignment !== undefined)
  return assigned === undefined ? {} : { turnsOf: assigned.booking.eventTypeId }
}

/** Both questions as one, which locks the hosts of both. */
export const joinQuestions = (one: Question, other: Question): Question => ({
  ...one,
  ...other,
  hostIds: [...new Set([...one.hostIds, ...other.hostIds])],
})

/** The booking as it is now; a refusal if it has changed, unless to what is wanted. */
export function findUnchanged(
  { bookings }: Ledger,
  { booking: seen }: ListedBooking,
  isWanted: (current: ListedBooking) => boolean = () => false,
): ListedBooking | Problem {
  const current = bookings.find(seen.id)
  if (current === undefined) return noSuchBooking()
  if (current.booking.sequence === seen.sequence || isWanted(current)) return current
  return isActive(current.booking) ? changedMeanwhile() : stateConflict(current.booking)
}

/** All hosts of a booking, the main host first. */
export const meetingHosts = ({ claims }: Ledger, { booking, hostId }: ListedBooking): string[] => [
  ...new Set([hostId, ...claims.hostsOf(booking.meetingId)]),
]

/** Everyone in a meeting; undefined if a guest has joined since the question was asked. */
export function everyoneIn({ bookings }: Ledger, meetingId: string): ListedBooking[] | undefined {
  const all = bookings.activeIn(meetingId).map((id) => bookings.find(id))
  return all.every((one) => one !== undefined) ? all : undefined
}
