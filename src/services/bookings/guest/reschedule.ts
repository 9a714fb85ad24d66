import { type BookableEventType, ofLengthOf, withHostsOf } from '../../../domain/bookings/bookable.ts'
import type { Booking } from '../../../domain/bookings/booking.ts'
import type { Author } from '../../../domain/bookings/decisions/author.ts'
import { findTooLate, planReschedule } from '../../../domain/bookings/decisions/decide-reschedule.ts'
import { seriesZone } from '../../../domain/bookings/decisions/hosts/choose-hosts.ts'
import { slotUnavailable, stateConflict } from '../../../domain/bookings/decisions/refusals.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import { type ScopeOfChange, seriesStarts } from '../../../domain/bookings/series.ts'
import { isActive } from '../../../domain/bookings/states.ts'
import { MINUTE } from '../../../domain/interval.ts'
import type { Context } from '../../context.ts'
import { findAccessOf } from '../access-of-booking.ts'
import { attempt } from '../attempt.ts'
import { noteChange } from '../change-state.ts'
import { inScope, type Members } from '../series-members.ts'
import { KnownEventType } from './known-event-type.ts'

/** The new start, a message about it, and which meetings of a series move. */
interface Move {
  readonly startsAt: number
  readonly reason: string
  readonly scope?: ScopeOfChange | undefined
}

/**
 * Moves a booking to another start of its event type, by the rules for booking.
 *
 * The id stays; the old time is released and the new one taken in one transaction. A host is not bound by the
 * notice and the booking window. A guest is bound by the cutoff as well, and needs approval again where the
 * event type requires it. With the scope `following`, the later meetings of its series move, too: all or none.
 */
export async function reschedule(
  context: Context,
  author: Author,
  seen: ListedBooking,
  { startsAt, reason, scope }: Move,
): Promise<ListedBooking> {
  // Starts are whole minutes.
  if (startsAt % MINUTE !== 0) throw slotUnavailable()
  const known = await context.slots.getBookableOf(seen.schedulerId, seen.booking.eventTypeId)
  const [first, ...others] = await inScope(context, seen, scope)
  const later = followingStarts(context, [first, ...others], startsAt)
  const access = await findAccessOf(context.db, seen)
  const plan = new KnownEventType(context, known).planning((current) => {
    const bookable = withHostsOf(ofLengthOf(current, seen.booking), access)
    const moves = [
      { seen: first, startsAt },
      ...others.map((other, i) => ({ seen: other, startsAt: later[i] as number })),
    ] as const
    const zone = seriesZone(bookable, context.slots.zones)
    return planReschedule({ bookable, moves, author, reason, zone }, context.now())
  })
  const { moved, hostIds } = await attempt(context, plan)
  noteChange(context, hostIds)
  return moved
}

/** Where the others move when the first does: they keep their distance on the wall clock. */
function followingStarts({ slots }: Context, all: Members, startsAt: number): number[] {
  const [first, ...others] = all.map(({ booking }) => booking.series)
  const last = others.at(-1)
  if (first === undefined || last === undefined) return []
  const repeat = { every: first.every, count: last.index - first.index + 1 }
  const starts = seriesStarts(startsAt, repeat, slots.zones.get(first.timeZone))
  return others.map((place) => starts[(place?.index ?? 0) - first.index] as number)
}

/** Throws unless the guest may still move this booking. */
export function checkMovable(booking: Booking, bookable: BookableEventType, now: number): void {
  const isMovable = isActive(booking) && booking.status !== 'PendingPayment'
  const refusal = isMovable ? findTooLate(booking, bookable, now) : stateConflict(booking)
  if (refusal !== undefined) throw refusal
}
