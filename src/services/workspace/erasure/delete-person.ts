import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import { type Conflict, findConflict } from '../../../domain/bookings/reassignment.ts'
import { ROUTED_FOR } from '../../../domain/forms/route.ts'
import { type Interval, merge } from '../../../domain/interval.ts'
import type { PaymentStatus } from '../../../domain/payments/payment.ts'
import type { Actor } from '../../../domain/people/audit.ts'
import { isGone, type User } from '../../../domain/people/user.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { findTakenTime } from '../../../store/bookings/bookings.ts'
import { findUpcomingHosted } from '../../../store/bookings/hosted.ts'
import { findBusyTimes } from '../../../store/calendars/busy-times.ts'
import type { Db, Trx } from '../../../store/engine/database.ts'
import { findAbsences } from '../../../store/event-types/absences.ts'
import {
  findEventTypeById,
  findEventTypes,
  findOwnersHostedBy,
} from '../../../store/event-types/event-types.ts'
import { findFormsOf } from '../../../store/forms/forms.ts'
import { findPaymentAccountOf } from '../../../store/payments/accounts.ts'
import { findRoles } from '../../../store/people/members.ts'
import { bumpRevisions, lockSchedulers } from '../../../store/people/schedulers.ts'
import { lockTurns } from '../../../store/people/team-hosts.ts'
import { findUser } from '../../../store/people/users.ts'
import { nameless } from '../../../store/workspace/account.ts'
import {
  deleteHoldsOn,
  findSeats,
  moveAddresses,
  moveFreshRoutes,
  moveMembership,
  moveOwned,
  moveSeats,
  type Succession,
} from '../../../store/workspace/successor.ts'
import { giveToSuccessor } from '../../bookings/host/give-to-successor.ts'
import { checkCalendars } from '../../calendars/live-check.ts'
import { recordAudit } from '../../change.ts'
import type { Context } from '../../context.ts'
import { getId, isId, notFound, requireInstanceAdmin } from '../../people/access.ts'
import type { Principal } from '../../people/sign-in/principal.ts'
import {
  closeAccount,
  deleteAccount,
  type MeetingsAhead,
  meetingCount,
  recordLeaving,
  refuseLastAdmin,
  timesOf,
} from './delete-account.ts'

/** How many meetings went to the successor, and how many are cancelled. */
interface Departure {
  readonly moved: number
  readonly cancelled: number
}

/** What deleting a person would do. */
export interface DeparturePreview {
  readonly meetings: number
  readonly eventTypes: number
  readonly forms: number
  readonly teams: number
  /** Meetings that the successor can't take, earliest first. */
  readonly collisions: readonly Collision[]
}

/** A booking in a meeting that the successor can't take, and what is in the way. */
interface Collision {
  readonly listed: ListedBooking
  readonly conflict: Conflict
}

/** Deletes the account of someone else, for admins of the instance. */
export async function deletePerson(
  context: Context,
  principal: Principal,
  id: string,
  how: { readonly handOverTo?: string; readonly meetings: MeetingsAhead },
): Promise<Departure> {
  requireInstanceAdmin(principal)
  const userId = getId(id)
  if (userId === principal.userId) {
    throw new Problem(
      'forbidden',
      sentence`To delete your own account, open your profile, or ask another admin.`,
    )
  }
  return endAccount(context, principal, userId, how)
}

/**
 * The same for the command line.
 *
 * With a successor, everything that the person offers and hosts goes over in one transaction, or nothing does.
 * `meetings` is what becomes of those that the successor can't take; without a successor, of all that are ahead.
 */
export async function endAccount(
  context: Context,
  actor: Actor,
  userId: string,
  { handOverTo, meetings }: { readonly handOverTo?: string; readonly meetings: MeetingsAhead },
): Promise<Departure> {
  if (handOverTo === undefined) {
    return { moved: 0, cancelled: await deleteAccount(context, actor, userId, { meetings, whose: 'other' }) }
  }
  const succession = { from: userId, to: handOverTo }
  await getPair(context.db, succession)
  await askCalendars(context, succession)
  for (;;) {
    const affected = await affectedBy(context.db, succession)
    try {
      const departure = await context.db
        .transaction()
        .execute((trx) =>
          handOverAll(trx, actor, { succession, onCollision: meetings, locked: affected }, context.now()),
        )
      context.slots.settingsChanged(affected)
      context.slots.bookingsChanged(departure.hostIds)
      context.outbox.wake()
      return { moved: departure.moved, cancelled: departure.cancelled }
    } catch (error) {
      if (!(error instanceof MoreAffected)) throw error
    }
  }
}

/** What deleting this person would do, with someone who takes over or without. */
export async function previewDeparture(
  context: Context,
  principal: Principal,
  id: string,
  handOverTo: string | undefined,
): Promise<DeparturePreview> {
  requireInstanceAdmin(principal)
  const { db } = context
  const now = context.now()
  const from = getId(id)
  if (handOverTo !== undefined) await getPair(db, { from, to: handOverTo })
  else await getOpen(db, from)
  const upcoming = await findUpcomingHosted(db, from, now)
  return {
    meetings: meetingCount(upcoming),
    eventTypes: (await findEventTypes(db, from)).length,
    forms: (await findFormsOf(db, from)).length,
    teams: (await findRoles(db, from)).size,
    collisions: handOverTo === undefined ? [] : await findCollisions(db, handOverTo, upcoming, now),
  }
}

/** Someone joined a team, or became a host, before everyone concerned was locked. */
class MoreAffected extends Error {}

/** Everyone whose settings change. Locking them keeps all others from booking or changing what goes over. */
async function affectedBy(db: Db, { from, to }: Succession): Promise<string[]> {
  const teams = (await findRoles(db, from)).keys()
  return [...new Set([from, to, ...teams, ...(await findOwnersHostedBy(db, from))])]
}

interface LockedSuccession {
  readonly succession: Succession
  readonly onCollision: MeetingsAhead
  readonly locked: readonly string[]
}

async function handOverAll(
  trx: Trx,
  actor: Actor,
  { succession, onCollision, locked }: LockedSuccession,
  now: number,
): Promise<Departure & { readonly hostIds: readonly string[] }> {
  const { from, to } = succession
  // Of two admins who delete each other at once, the second must see the first.
  if ((await findUser(trx, from))?.admin === true) await lockSchedulers(trx)
  await bumpRevisions(trx, locked)
  if ((await affectedBy(trx, succession)).some((id) => !locked.includes(id))) throw new MoreAffected()
  const { leaver, successor } = await getPair(trx, succession)
  await refuseLastAdmin(trx, leaver, 'other')

  const upcoming = await findUpcomingHosted(trx, from, now)
  const collisions = await findCollisions(trx, to, upcoming, now)
  const colliding = collisions.map(({ listed }) => listed)
  if (onCollision === 'refuse' && colliding.length > 0) throw collide(successor, colliding)
  const moved = upcoming.filter((one) => !colliding.includes(one))
  await refusePaid(trx, leaver, moved)

  const seats = await findSeats(trx, succession)
  const eventTypeIds = [
    ...seats.taken,
    ...seats.shared,
    ...upcoming.map(({ booking }) => booking.eventTypeId),
  ]
  if (eventTypeIds.length > 0) await lockTurns(trx, [...new Set(eventTypeIds)])
  await deleteHoldsOn(trx, from)
  const author = { by: 'host', actor } as const
  const seatsTaken = new Set(seats.taken)
  const hostIds = await giveToSuccessor(
    trx,
    author,
    { from, to, moved, cancelled: colliding, seatsTaken },
    now,
  )
  await moveSeats(trx, succession, seats)
  await moveFreshRoutes(trx, succession, now - ROUTED_FOR)
  const teams = await findRoles(trx, from)
  for (const [teamId, role] of teams) {
    await moveMembership(trx, succession, { teamId, role }, now)
    await recordLeaving(trx, actor, { teamId, userId: from }, now)
  }
  await moveOwned(trx, succession)
  await moveAddresses(trx, succession, leaver.slug, nameless(from).slug)
  await closeAccount(trx, actor, { user: leaver, teamIds: [...teams.keys(), to] }, now)
  const audit = { schedulerId: to, objectType: 'user', objectId: to, action: 'took over' }
  await recordAudit(trx, actor, now, { ...audit, changes: ['eventTypes', 'bookings', 'forms'] })
  return { moved: meetingCount(moved), cancelled: meetingCount(colliding), hostIds: [from, to, ...hostIds] }
}

/** Both people; throws unless the account can be closed, and the successor can take over. */
async function getPair(
  db: Db,
  { from, to }: Succession,
): Promise<{ readonly leaver: User; readonly successor: User }> {
  const leaver = await getOpen(db, from)
  const successor = isId(to) ? await findUser(db, to) : undefined
  if (successor === undefined || successor.email === '' || successor.disabledAt !== null || from === to) {
    throw new Problem(
      'invalid',
      sentence`Choose someone else to take over, who has an account and can sign in.`,
      {
        field: 'handOverTo',
      },
    )
  }
  return { leaver, successor }
}

/** A user whose account isn't being deleted already. */
async function getOpen(db: Db, userId: string): Promise<User> {
  const user = await findUser(db, userId)
  if (user === undefined || isGone(user)) throw notFound()
  return user
}

/**
 * The bookings in meetings at whose time the successor has another meeting, time off, or a busy calendar.
 *
 * A meeting that both host stays with the successor.
 */
async function findCollisions(
  db: Db,
  successor: string,
  upcoming: readonly ListedBooking[],
  now: number,
): Promise<Collision[]> {
  const span = spanOf(upcoming)
  if (span === undefined) return []
  const [taken] = await findTakenTime(db, [successor], span, false)
  const claims = taken?.claims ?? []
  const both = new Set(claims.map(({ meetingId }) => meetingId))
  const absences = (await findAbsences(db, [successor], { start: now, end: span.end })).get(successor) ?? []
  const host = { claims, absences, busyTimes: merge(await findBusyTimes(db, successor)) }
  return upcoming.flatMap((listed) => {
    if (both.has(listed.booking.meetingId)) return []
    const conflict = findConflict(host, [listed.booking])
    return conflict === undefined ? [] : [{ listed, conflict }]
  })
}

/** From the first start to the last end. */
function spanOf(bookings: readonly ListedBooking[]): Interval | undefined {
  if (bookings.length === 0) return undefined
  return {
    start: Math.min(...bookings.map(({ booking }) => booking.startsAt)),
    end: Math.max(...bookings.map(({ booking }) => booking.endsAt)),
  }
}

/** All calendars of the successor together have this long to answer. */
const LIMIT = 5000

/** Asks the successor's calendars, as for any meeting that is handed over; what they say is stored. */
async function askCalendars(context: Context, { from, to }: Succession): Promise<void> {
  const upcoming = await findUpcomingHosted(context.db, from, context.now())
  const span = spanOf(upcoming)
  if (span === undefined) return
  const { unknown } = await checkCalendars(context, [to], [span], AbortSignal.timeout(LIMIT))
  if (unknown.length === 0) return
  for (const id of new Set(upcoming.map(({ booking }) => booking.eventTypeId))) {
    if ((await findEventTypeById(context.db, id))?.liveCheck !== 'refuse') continue
    throw new Problem(
      'unavailable',
      sentence`The calendar could not be checked. Please try again in a moment.`,
    )
  }
}

/** Guests get their money back through the account that took it, which goes with its owner. */
async function refusePaid(trx: Trx, { id, name, timeZone }: User, moved: readonly ListedBooking[]) {
  const paid = moved.filter(({ booking: { payment }, schedulerId }) => {
    return schedulerId === id && payment !== undefined && HAS_MONEY.has(payment.status)
  })
  if (paid.length === 0 || (await findPaymentAccountOf(trx, id)) === undefined) return
  const times = timesOf(paid, timeZone)
  throw new Problem(
    'in_use',
    sentence`Guests have paid for meetings ahead through ${name}’s own account, which can’t be handed over: ${times} (times in ${{ zone: timeZone }}). Cancel these meetings first: that gives the money back.`,
  )
}

const HAS_MONEY: ReadonlySet<PaymentStatus> = new Set(['pending', 'authorised', 'paid'])

function collide({ name, timeZone }: User, colliding: readonly ListedBooking[]): Problem {
  const count = meetingCount(colliding)
  const times = timesOf(colliding, timeZone)
  return new Problem(
    'host_unavailable',
    count === 1
      ? sentence`${name} is not free for one of these meetings: ${times} (times in ${{ zone: timeZone }}). Choose someone else, or have it cancelled.`
      : sentence`${name} is not free for ${count} of these meetings: ${times} (times in ${{ zone: timeZone }}). Choose someone else, or have them cancelled.`,
  )
}
