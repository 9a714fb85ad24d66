import { type Interval, MINUTE } from '../../interval.ts'
import { Problem } from '../../problem.ts'
import { sentence } from '../../sentence.ts'
import { isTaken } from '../../slots/conflicts.ts'
import { MAX_DURATION } from '../../slots/openings.ts'
import type { HostClaim } from '../facts/claims.ts'
import type { Ledger } from '../ledger.ts'
import type { ListedBooking } from '../listed-booking.ts'
import { isActive } from '../states.ts'
import { announcementOf, recordOf } from './announcement.ts'
import { type Author, auditOf } from './author.ts'
import type { Moved } from './decide-reschedule.ts'
import { type Decision, done, type Given, type Plan, refused } from './decision.ts'
import { everyoneIn, meetingHosts } from './present.ts'
import { changedMeanwhile, noSuchBooking, slotUnavailable, stateConflict } from './refusals.ts'

/** A meeting with all its guests, and the time that a host has chosen for it in their own calendar. */
interface WantedCalendarTime {
  readonly seen: ListedBooking
  readonly span: Interval
  readonly author: Author
  readonly reason: string
  /** As far as they are known. */
  readonly hostIds: readonly string[]
  readonly bookingIds: readonly string[]
}

/** Hours, grid, buffers and limits don't apply: the host has put it there by hand. Other meetings do. */
export function planCalendarTime(wanted: WantedCalendarTime): Plan<Moved> {
  const { seen, span, hostIds, bookingIds } = wanted
  return {
    question: {
      hostIds: [...new Set([seen.hostId, ...hostIds])],
      meetingIds: [seen.booking.meetingId],
      bookingIds: [...new Set([seen.booking.id, ...bookingIds])],
      spans: [{ start: span.start - MAX_DURATION, end: span.end }],
    },
    decide: (ledger, given) => decideCalendarTime(ledger, wanted, given),
  }
}

/** A refusal with the reason if no meeting can be at this time. */
export function findBadSpan({ start, end }: Interval, now: number): Problem | undefined {
  const length = end - start
  if (start <= now) return new Problem('invalid', sentence`The time in your calendar has passed.`)
  if (length > 0 && length <= MAX_DURATION && start % MINUTE === 0 && end % MINUTE === 0) return undefined
  return new Problem('invalid', sentence`Meetings last at most 24 hours, and start and end at whole minutes.`)
}

function decideCalendarTime(
  ledger: Ledger,
  { seen, span, author, reason }: WantedCalendarTime,
  given: Given,
): Decision<Moved> {
  const current = ledger.bookings.find(seen.booking.id)
  if (current === undefined) return refused(noSuchBooking())
  const { meetingId } = current.booking
  if (!isActive(current.booking)) return refused(stateConflict(current.booking))
  const guests = everyoneIn(ledger, meetingId)
  if (guests === undefined || current.booking.sequence !== seen.booking.sequence)
    return refused(changedMeanwhile())

  // They have chosen this time, and are paying for it.
  const paying = guests.find(({ booking }) => booking.status === 'PendingPayment')
  if (paying !== undefined) return refused(stateConflict(paying.booking))
  const times = { startsAt: span.start, endsAt: span.end }
  const hostIds = meetingHosts(ledger, current)
  const claims: HostClaim[] = []
  for (const hostId of hostIds) {
    const taken = ledger.claims.of(hostId)
    const others = taken.filter((claim) => claim.meetingId !== meetingId)
    if (isTaken(others, times)) return refused(slotUnavailable())
    const own = taken.find((claim) => claim.meetingId === meetingId)
    if (own !== undefined) claims.push({ hostId, claim: { ...own, ...times } })
  }
  const updates = guests.map((guest) => ({
    ...guest,
    booking: { ...guest.booking, ...times, sequence: guest.booking.sequence + 1 },
  }))
  const jobs = guests.map(({ booking }, i) => {
    const record = recordOf(updates[i]?.booking ?? booking, given.newId(), {
      type: 'rescheduled',
      by: author.by,
      reason,
      previousStatus: booking.status,
      previousStartsAt: booking.startsAt,
      hostIds,
      formerHostIds: [],
      at: given.now,
    })
    return announcementOf(record)
  })
  const moved = updates.find(({ booking }) => booking.id === seen.booking.id) ?? current
  const audit = auditOf(author, current, 'rescheduled', given)
  return done({ moved, hostIds }, { updates, freedMeetings: [meetingId], claims, jobs, audit })
}
