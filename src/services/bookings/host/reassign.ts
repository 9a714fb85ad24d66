import { ofLengthOf, withHostsOf } from '../../../domain/bookings/bookable.ts'
import type { Author } from '../../../domain/bookings/decisions/author.ts'
import {
  hostUnavailable,
  type NewHost,
  planReassignment,
  planSuccessors,
  type ReassignedMeetings,
} from '../../../domain/bookings/decisions/decide-reassignment.ts'
import type { Plan } from '../../../domain/bookings/decisions/decision.ts'
import type { GuestAccess } from '../../../domain/bookings/guest-access.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import type { Obstacle } from '../../../domain/bookings/reassignment.ts'
import type { ScopeOfChange } from '../../../domain/bookings/series.ts'
import { findBooking } from '../../../store/bookings/list.ts'
import { findActiveIds } from '../../../store/bookings/rosters.ts'
import { findNames } from '../../../store/people/schedulers.ts'
import type { Context } from '../../context.ts'
import { findAccessToReassign } from '../access-of-booking.ts'
import { attempt } from '../attempt.ts'
import { noteChange } from '../change-state.ts'
import { KnownEventType } from '../guest/known-event-type.ts'
import { inScope, type Members } from '../series-members.ts'

/**
 * Hands a meeting over to another host of its event type, at the same time.
 *
 * All guests of a seated meeting go along. By hand, only other meetings, time off and busy calendars are in the way; the
 * round robin also keeps to hours, buffers and limits. With the scope `following`, the later meetings of the series go
 * to the same host: all or none.
 */
export async function reassign(
  context: Context,
  author: Author,
  seen: ListedBooking,
  { scope, ...to }: NewHost & { readonly scope?: ScopeOfChange | undefined },
): Promise<ListedBooking> {
  return reassignAll(context, author, await inScope(context, seen, scope), to)
}

/** The same for several meetings of a series. Returns the first. */
export async function reassignAll(
  context: Context,
  author: Author,
  all: Members,
  to: NewHost,
): Promise<ListedBooking> {
  const access = to.hostId === undefined ? await findAccessToReassign(context.db, all[0]) : {}
  const plan = (meetings: ReassignedMeetings) => planReassignment(meetings, to, author)
  const { moved, hostIds } = await attemptAbout(context, all, access, plan)
  noteChange(context, hostIds)
  return moved
}

/** A host of the event type who could take over. */
interface Successor {
  readonly hostId: string
  readonly name: string
  readonly obstacle: Obstacle | undefined
}

/** The other hosts to whom a meeting could be handed over, those who are free first. */
export async function findSuccessors(
  context: Context,
  seen: ListedBooking,
  scope?: ScopeOfChange,
): Promise<Successor[]> {
  const found = await attemptAbout(context, await inScope(context, seen, scope), {}, planSuccessors)
  const names = await findNames(
    context.db,
    found.map(({ host }) => host.hostId),
  )
  return found
    .map(({ host: { hostId }, obstacle }) => ({ hostId, name: names.get(hostId) ?? '', obstacle }))
    .toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
}

const rank = ({ obstacle }: Successor) => (obstacle === undefined ? 0 : obstacle === 'hours' ? 1 : 2)

/** Decides about these meetings with all hosts of their event type locked, or those that `access` leaves. */
async function attemptAbout<T>(
  context: Context,
  all: Members,
  access: GuestAccess,
  plan: (meetings: ReassignedMeetings) => Plan<T>,
): Promise<T> {
  const [{ schedulerId, booking }] = all
  const known = await context.slots.getBookableOf(schedulerId, booking.eventTypeId)
  const companions = await findCompanions(context, all)
  return attempt(
    context,
    new KnownEventType(context, known).planning((current) =>
      plan({ bookable: withHostsOf(ofLengthOf(current, booking), access), all, companions }),
    ),
    (refusal) => (refusal.code === 'slot_unavailable' ? hostUnavailable('meeting') : refusal),
  )
}

/** The other guests of seated meetings. */
async function findCompanions({ db }: Context, all: readonly ListedBooking[]): Promise<ListedBooking[]> {
  const seated = all.filter(({ seats, booking }) => seats > 1 || booking.meetingId !== booking.id)
  const ids = await Promise.all(seated.map(({ booking }) => findActiveIds(db, booking.meetingId)))
  const others = ids.flat().filter((id) => all.every(({ booking }) => booking.id !== id))
  const found = await Promise.all(others.map((id) => findBooking(db, id)))
  return found.filter((one) => one !== undefined)
}
