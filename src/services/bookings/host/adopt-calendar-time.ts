import type { Author } from '../../../domain/bookings/decisions/author.ts'
import { findBadSpan, planCalendarTime } from '../../../domain/bookings/decisions/decide-calendar-time.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import type { Interval } from '../../../domain/interval.ts'
import { findMeetingHosts } from '../../../store/bookings/list.ts'
import { findActiveIds } from '../../../store/bookings/rosters.ts'
import type { Context } from '../../context.ts'
import { attempt } from '../attempt.ts'
import { noteChange } from '../change-state.ts'

/**
 * Moves a meeting with all its guests to a time that a host has chosen in their own calendar.
 *
 * Hours, grid, buffers and limits don't apply: the host has put it there by hand. Other meetings do.
 */
export async function adoptCalendarTime(
  context: Context,
  author: Author,
  seen: ListedBooking,
  { span, reason }: { readonly span: Interval; readonly reason: string },
): Promise<ListedBooking> {
  const refusal = findBadSpan(span, context.now())
  if (refusal !== undefined) throw refusal
  const [hostIds, bookingIds] = await Promise.all([
    findMeetingHosts(context.db, seen.booking.meetingId),
    findActiveIds(context.db, seen.booking.meetingId),
  ])
  const plan = planCalendarTime({ seen, span, author, reason, hostIds, bookingIds })
  const { moved, hostIds: affected } = await attempt(context, () => plan)
  noteChange(context, affected)
  return moved
}
