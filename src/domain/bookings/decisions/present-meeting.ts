import type { Problem } from '../../problem.ts'
import type { Assignment } from '../assignment.ts'
import type { HostClaim } from '../facts/claims.ts'
import { claimsIn, type Ledger, type Writes } from '../ledger.ts'
import type { ListedBooking } from '../listed-booking.ts'
import { announcementOf, recordOf } from './announcement.ts'
import type { Author } from './author.ts'
import type { Given } from './decision.ts'
import { everyoneIn, meetingHosts } from './present.ts'
import { changedMeanwhile } from './refusals.ts'

/** A meeting with all bookings in it, as it is now. */
export interface PresentMeeting {
  readonly meetingId: string
  readonly eventTypeId: string
  readonly startsAt: number
  readonly endsAt: number
  /** The host who is replaced. */
  readonly hostId: string
  /** Everyone who hosts it, that one first. */
  readonly hostIds: readonly string[]
  /** The booking that was asked about first. */
  readonly bookings: readonly ListedBooking[]
}

/** The meetings of these bookings; a refusal if a guest has joined one of them since. */
export function meetingsOf(ledger: Ledger, all: readonly ListedBooking[]): PresentMeeting[] | Problem {
  const meetings: PresentMeeting[] = []
  for (const seen of all) {
    const current = ledger.bookings.find(seen.booking.id) ?? seen
    const { booking, hostId } = current
    const { id, meetingId, eventTypeId, startsAt, endsAt } = booking
    const everyone = everyoneIn(ledger, meetingId)
    if (everyone === undefined) return changedMeanwhile()
    const bookings = [current, ...everyone.filter((other) => other.booking.id !== id)]
    const hostIds = meetingHosts(ledger, current)
    meetings.push({ meetingId, eventTypeId, startsAt, endsAt, hostId, hostIds, bookings })
  }
  return meetings
}

/** How a meeting gets another host. */
interface Replacement {
  /** The host who takes over. */
  readonly to: string
  readonly author: Author
  readonly assignmentOf: (one: ListedBooking) => Assignment | undefined
  readonly reason: string
  /** The bookings that were asked about and leave their host, without other guests of seated meetings. */
  readonly together: readonly string[]
}

/** What changes about one meeting and all who are in it. */
export function replaceHost(
  ledger: Ledger,
  { meetingId, hostId: former, hostIds, bookings }: PresentMeeting,
  { to, author, assignmentOf, reason, together }: Replacement,
  { now, newId }: Given,
) {
  const next = (id: string) => (id === former ? to : id)
  const present = [...new Set(hostIds.map(next))]
  const claim = claimsIn(ledger, former).find((one) => one.meetingId === meetingId)
  const claims = claim === undefined ? [] : present.map((hostId): HostClaim => ({ hostId, claim }))
  const updates = bookings.map((one) => ({
    ...one,
    booking: { ...one.booking, sequence: one.booking.sequence + 1 },
    hostId: next(one.hostId),
    assignment: assignmentOf(one),
  }))
  // Nobody has heard of what is not paid yet.
  const known = updates.filter(({ booking }) => booking.status !== 'PendingPayment')
  const told = known.find(({ booking }) => booking.status === 'Confirmed') ?? known[0]
  const jobs = known.map((update) => {
    const { booking } = update
    const record = recordOf(booking, newId(), {
      type: 'reassigned',
      by: author.by,
      reason,
      previousStatus: booking.status,
      previousStartsAt: null,
      hostIds: present,
      formerHostIds: [former],
      newHostIds: present.filter((id) => !hostIds.includes(id)),
      ...(update !== told && { hostsTold: true as const }),
      ...(together.length > 1 &&
        together.includes(booking.id) && { together: booking.id === together[0] ? together : [] }),
      at: now,
    })
    return announcementOf(record)
  })
  return { updates, freedMeetings: [meetingId], claims, jobs } satisfies Writes
}
