import { type Assignment, handOverByTurn, handOverTo, partOf } from '../../domain/bookings/assignment.ts'
import type { GuestAccess } from '../../domain/bookings/guest-access.ts'
import { findObstacle, type Obstacle } from '../../domain/bookings/reassignment.ts'
import type { ScopeOfChange } from '../../domain/bookings/series.ts'
import { isActive } from '../../domain/bookings/states.ts'
import { Problem } from '../../domain/problem.ts'
import { type Sentence, sentence } from '../../domain/sentence.ts'
import type { HostAvailability } from '../../domain/slots/openings.ts'
import type { HostClaim, Ledger, Question } from '../../store/bookings/ledger.ts'
import { findBooking, type ListedBooking } from '../../store/bookings/list.ts'
import { findActiveIds } from '../../store/bookings/rosters.ts'
import { type Decision, decideUnderLock } from '../../store/bookings/write-path.ts'
import { findNames } from '../../store/people/schedulers.ts'
import type { Context } from '../context.ts'
import { availabilityOf, type BookableEventType, ofLengthOf, withHostsOf } from '../slots/bookable.ts'
import { findAccessToHandOver } from './access-of-booking.ts'
import { CalendarAnswers, spanOf } from './ask-calendars.ts'
import {
  type Author,
  announce,
  auditOf,
  changedMeanwhile,
  getUnchanged,
  meetingHosts,
  questionAboutBookings,
  stateConflict,
} from './change-state.ts'
import { announcementOf, recordOf } from './emit.ts'
import {
  balancesOf,
  balancesToday,
  questionAbout,
  refusalOf,
  requireCurrent,
  toBalances,
  withCurrentSettings,
} from './placing.ts'
import { inScope, type Members } from './series-members.ts'

/** Who is to host a meeting instead: this host, or without one the next whose turn it is. */
export interface HandOver {
  readonly hostId?: string | undefined
  /** A message about it. */
  readonly reason: string
}

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
  to: HandOver,
  scope?: ScopeOfChange,
): Promise<ListedBooking> {
  return reassignAll(context, author, await inScope(context, seen, scope), to)
}

/** The same for several meetings of a series. Returns the first. */
export async function reassignAll(
  context: Context,
  author: Author,
  all: Members,
  to: HandOver,
): Promise<ListedBooking> {
  const [seen] = all
  const calendars = new CalendarAnswers()
  const { moved, hostIds } = await decideAbout(context, all, {
    access: to.hostId === undefined ? await findAccessToHandOver(context.db, seen) : {},
    calendars,
    decide: (ledger, bookable) => decideHandOver(ledger, author, all, bookable, to, calendars, context.now()),
  })
  announce(context, hostIds)
  return moved
}

/** A host of the event type who could take over. */
export interface Successor {
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
  const all = await inScope(context, seen, scope)
  const found = await decideAbout(context, all, {
    decide: (ledger, bookable) => {
      const meetings = meetingsOf(ledger, all)
      const result = candidatesOf(ledger, bookable, meetings, context.now())
      return { writes: {}, result }
    },
  })
  const names = await findNames(
    context.db,
    found.map(({ host }) => host.hostId),
  )
  return found
    .map(({ host: { hostId }, obstacle }) => ({ hostId, name: names.get(hostId) ?? '', obstacle }))
    .toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
}

const rank = ({ obstacle }: Successor) => (obstacle === undefined ? 0 : obstacle === 'hours' ? 1 : 2)

interface Attempt<T> {
  /** What limits the round robin to some of the hosts. */
  readonly access?: GuestAccess
  readonly calendars?: CalendarAnswers
  readonly decide: (ledger: Ledger, bookable: BookableEventType) => Decision<T>
}

/** Decides about these meetings with all hosts of their event type locked. */
async function decideAbout<T>(
  context: Context,
  all: Members,
  { access = {}, calendars, decide }: Attempt<T>,
): Promise<T> {
  const [seen] = all
  const known = await context.slots.getBookableOf(seen.schedulerId, seen.booking.eventTypeId)
  const own = questionAboutBookings([...all, ...(await findCompanions(context, all))])
  try {
    return await withCurrentSettings(
      known,
      () => context.slots.reloadBookable(known),
      (current) => {
        const bookable = withHostsOf(ofLengthOf(current, seen.booking), access)
        const spans = all.map(({ booking }) => spanOf(bookable, booking))
        const about = questionAbout(
          bookable,
          all.map(({ booking }) => booking.startsAt),
        )
        const question: Question = {
          ...about,
          ...own,
          hostIds: [...new Set([...about.hostIds, ...own.hostIds])],
          spans: [...(about.spans ?? []), ...spans],
          turnsOf: seen.booking.eventTypeId,
        }
        const attempt = () =>
          decideUnderLock(context.db, question, (ledger) => {
            requireCurrent(bookable, ledger)
            return decide(ledger, bookable)
          })
        return calendars === undefined ? attempt() : calendars.asking(context, spans, attempt)
      },
    )
  } catch (error) {
    const refusal = refusalOf(error)
    throw refusal?.code === 'slot_unavailable' ? hostUnavailable('meeting') : (refusal ?? error)
  }
}

/** The other guests of seated meetings. */
async function findCompanions({ db }: Context, all: readonly ListedBooking[]): Promise<ListedBooking[]> {
  const seated = all.filter(({ seats, booking }) => seats > 1 || booking.meetingId !== booking.id)
  const ids = await Promise.all(seated.map(({ booking }) => findActiveIds(db, booking.meetingId)))
  const others = ids.flat().filter((id) => all.every(({ booking }) => booking.id !== id))
  const found = await Promise.all(others.map((id) => findBooking(db, id)))
  return found.filter((one) => one !== undefined)
}

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

export function meetingsOf(ledger: Ledger, all: readonly ListedBooking[]): PresentMeeting[] {
  return all.map((seen) => {
    const current = ledger.find(seen.booking.id) ?? seen
    const { booking, hostId } = current
    const { id, meetingId, eventTypeId, startsAt, endsAt } = booking
    const others = ledger
      .activeIn(meetingId)
      .filter((other) => other !== id)
      .map((other) => ledger.find(other))
    // A guest has joined since.
    if (!others.every((other) => other !== undefined)) throw changedMeanwhile()
    const hostIds = meetingHosts(ledger, current)
    return { meetingId, eventTypeId, startsAt, endsAt, hostId, hostIds, bookings: [current, ...others] }
  })
}

interface Candidate {
  readonly host: HostAvailability
  readonly obstacle: Obstacle | undefined
}

/** The hosts who take turns and don't host the first of these meetings yet. */
function candidatesOf(
  ledger: Ledger,
  bookable: BookableEventType,
  meetings: readonly PresentMeeting[],
  now: number,
): Candidate[] {
  if (bookable.eventType.assignment !== 'round-robin') return []
  const moved = meetings.map(({ meetingId }) => meetingId)
  const claimsOf = (hostId: string) =>
    ledger.claimsOf(hostId).filter(({ meetingId }) => !moved.includes(meetingId))
  const taken = bookable.hostIds.map((hostId) => ({ hostId, claims: claimsOf(hostId) }))
  return availabilityOf(bookable, taken)
    .map((group) => group.at(-1) as HostAvailability)
    .filter(({ hostId }) => takesTurns(bookable, hostId) && !meetings[0]?.hostIds.includes(hostId))
    .map((host) => ({ host, obstacle: findObstacle(bookable.rules, host, meetings, now) }))
}

const takesTurns = ({ hosts }: BookableEventType, hostId: string) =>
  hosts.some((host) => host.hostId === hostId && !host.fixed)

interface HandedOver {
  readonly moved: ListedBooking
  /** Everyone whose calendar has changed. */
  readonly hostIds: readonly string[]
}

function decideHandOver(
  ledger: Ledger,
  author: Author,
  all: readonly ListedBooking[],
  bookable: BookableEventType,
  { hostId, reason }: HandOver,
  calendars: CalendarAnswers,
  now: number,
): Decision<HandedOver> {
  const isThere = (current: ListedBooking) => isActive(current.booking) && current.hostId === hostId
  const current = all.map((one) => getUnchanged(ledger, one, isThere))
  const [first] = current as [ListedBooking]
  if (current.every(isThere)) {
    return { writes: {}, result: { moved: first, hostIds: meetingHosts(ledger, first) } }
  }
  for (const { booking } of current) {
    if (!isActive(booking)) throw stateConflict(booking)
    if (booking.startsAt <= now) throw new Problem('too_late', sentence`This meeting has started already.`)
  }
  if (bookable.eventType.assignment !== 'round-robin') throw allAttend()
  const meetings = meetingsOf(ledger, current).filter((meeting) => meeting.hostId !== hostId)
  const bookings = meetings.flatMap((meeting) => meeting.bookings)
  const reversed = new Map<string, number>()
  for (const booking of bookings) {
    for (const [id, by] of Object.entries(balancesToday(ledger, booking, -1))) {
      reversed.set(id, (reversed.get(id) ?? 0) + by)
    }
  }
  const candidates = candidatesOf(ledger, bookable, meetings, now)
  const turns = ledger
    .turnsOf(bookable.eventType.id)
    .map((turn) => ({ ...turn, balance: turn.balance + (reversed.get(turn.hostId) ?? 0) }))
  const turnsAmong = (hosts: readonly Candidate[]) =>
    turns.filter((turn) => hosts.some(({ host }) => host.hostId === turn.hostId))
  const free = candidates.filter(({ obstacle }) => obstacle === undefined)

  const chosen = hostId === undefined ? undefined : getChosen(candidates, meetings, hostId)
  const open = chosen === undefined ? free : [chosen]
  const answered = calendars.bookable(
    bookable,
    open.map(({ host }) => [host]),
  )
  const counted = candidates.filter(
    ({ host, obstacle }) => obstacle === undefined || host.hostId === chosen?.host.hostId,
  )
  const assignment = chosen
    ? handOverTo(chosen.host.hostId, turnsAmong(counted))
    : handOverByTurn(turnsAmong(free.filter(({ host }) => answered.some(([one]) => one === host))))
  if (assignment === undefined) throw nobodyFree()
  const next = candidates.find(({ host }) => host.hostId === assignment.hostId) as Candidate
  calendars.require(bookable, [next.host])

  const leaving = current.filter((one) => one.hostId !== hostId)
  const together = leaving.map(({ booking }) => booking.id)
  const parts = meetings.map((meeting) =>
    moveTo(ledger, author, meeting, {
      to: assignment.hostId,
      // A series takes one turn, of which each meeting has its part.
      assignmentOf: ({ booking }) => partOf(assignment, booking.series?.count ?? 1),
      reason,
      together,
      now,
    }),
  )
  const updates = parts.flatMap((part) => part.updates)
  return {
    writes: {
      updates,
      freedMeetings: meetings.map(({ meetingId }) => meetingId),
      claims: parts.flatMap(({ claims }) => claims),
      balances: [
        ...toBalances(bookable.eventType.id, Object.fromEntries(reversed)),
        ...updates.flatMap((update) =>
          update.assignment === undefined ? [] : balancesOf(bookable.eventType.id, update.assignment, now),
        ),
      ],
      jobs: parts.flatMap(({ jobs }) => jobs),
      audit: leaving.flatMap((one) => auditOf(author, one, 'reassigned', now)),
    },
    result: {
      moved: updates.find(({ booking }) => booking.id === first.booking.id) ?? first,
      hostIds: [...new Set([assignment.hostId, ...meetings.flatMap(({ hostIds }) => hostIds)])],
    },
  }
}

/** The host whom a person has chosen; throws unless they can take over. */
function getChosen(
  candidates: readonly Candidate[],
  meetings: readonly PresentMeeting[],
  hostId: string,
): Candidate {
  if (meetings[0]?.hostIds.includes(hostId)) {
    throw new Problem(
      'host_unavailable',
      sentence`This host attends the meeting already. Choose someone else.`,
    )
  }
  const chosen = candidates.find(({ host }) => host.hostId === hostId)
  if (chosen === undefined) {
    throw new Problem('invalid', sentence`This person is not one of the hosts who take turns here.`, {
      field: 'hostId',
    })
  }
  const { obstacle } = chosen
  if (obstacle !== undefined && obstacle !== 'hours') throw hostUnavailable(obstacle)
  return chosen
}

/** What changes about one meeting and all who are in it. */
export function moveTo(
  ledger: Ledger,
  author: Author,
  { meetingId, hostId: former, hostIds, bookings }: PresentMeeting,
  given: {
    /** The host who takes over. */
    readonly to: string
    readonly assignmentOf: (one: ListedBooking) => Assignment | undefined
    readonly reason: string
    /** The bookings that were asked about and leave their host, without other guests of seated meetings. */
    readonly together: readonly string[]
    readonly now: number
  },
) {
  const { to, assignmentOf, reason, together, now } = given
  const next = (id: string) => (id === former ? to : id)
  const present = [...new Set(hostIds.map(next))]
  const claim = ledger.claimsOf(former).find((one) => one.meetingId === meetingId)
  const claims = claim === undefined ? [] : present.map((hostId): HostClaim => ({ hostId, claim }))
  const updates = bookings.map((one) => ({
    ...one,
    booking: { ...one.booking, sequence: one.booking.sequence + 1 },
    hostId: next(one.hostId),
    assignment: assignmentOf(one),
  }))
  const told = updates.find(({ booking }) => booking.status === 'Confirmed') ?? updates[0]
  const jobs = updates.map((update) => {
    const { booking } = update
    const record = recordOf(booking, {
      type: 'reassigned',
      by: author.by,
      reason,
      previousStatus: booking.status,
      previousStartsAt: null,
      hostIds: present,
      formerHostIds: [former],
      ...(update !== told && { hostsTold: true as const }),
      ...(together.length > 1 &&
        together.includes(booking.id) && { together: booking.id === together[0] ? together : [] }),
      at: now,
    })
    return announcementOf(record)
  })
  return { updates, claims, jobs }
}

const OBSTACLE_SENTENCES: Readonly<Record<Exclude<Obstacle, 'hours'>, Sentence>> = {
  meeting: sentence`This host has another meeting at this time. Choose someone else.`,
  'time-off': sentence`This host has time off at this time. Choose someone else.`,
  calendar: sentence`This host is busy at this time. Choose someone else.`,
}

const hostUnavailable = (obstacle: keyof typeof OBSTACLE_SENTENCES) =>
  new Problem('host_unavailable', OBSTACLE_SENTENCES[obstacle])

/** Said about meetings whose hosts all attend. */
export const allAttend = () =>
  new Problem(
    'host_unavailable',
    sentence`All hosts of this event type attend together. Change its hosts, or reschedule the meeting.`,
  )

const nobodyFree = () =>
  new Problem(
    'host_unavailable',
    sentence`No other host is free at this time. Choose someone yourself, or reschedule the meeting.`,
  )
