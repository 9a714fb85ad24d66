import { Problem } from '../../problem.ts'
import { type Sentence, sentence } from '../../sentence.ts'
import type { HostAvailability } from '../../slots/openings.ts'
import { partOf, reassignByTurn, reassignTo } from '../assignment.ts'
import { availabilityOf, type BookableEventType } from '../bookable.ts'
import { claimsIn, joinWrites, type Ledger, type Question } from '../ledger.ts'
import type { ListedBooking } from '../listed-booking.ts'
import { findObstacle, type Obstacle } from '../reassignment.ts'
import { isActive } from '../states.ts'
import { type Author, auditOf } from './author.ts'
import type { Moved } from './decide-reschedule.ts'
import { type Decision, done, type Given, needs, type Plan, refused } from './decision.ts'
import { balancesOf, balancesToday, toBalances } from './hosts/balances.ts'
import { needsCalendars, withAnswers } from './hosts/calendars.ts'
import { isCurrent, questionAbout } from './hosts/placing.ts'
import { findUnchanged, joinQuestions, type Members, meetingHosts, questionAboutBookings } from './present.ts'
import { meetingsOf, type PresentMeeting, replaceHost } from './present-meeting.ts'
import { stateConflict } from './refusals.ts'

/** Who is to host a meeting instead: this host, or without one the next whose turn it is. */
export interface NewHost {
  readonly hostId?: string | undefined
  /** A message about it. */
  readonly reason: string
}

/** Meetings that could get another host. */
export interface ReassignedMeetings {
  /** At the length of these meetings, with the hosts that may take over. */
  readonly bookable: BookableEventType
  /** One, or several of a series. */
  readonly all: Members
  /** Other guests of seated meetings, as far as they are known. */
  readonly companions: readonly ListedBooking[]
}

/** Gives meetings another host at the same time, all the same one or none. */
export const planReassignment = (meetings: ReassignedMeetings, to: NewHost, author: Author): Plan<Moved> => ({
  question: questionAboutHosts(meetings),
  decide: (ledger, given) => decideReassignment(ledger, meetings, { ...to, author }, given),
  spans: meetings.all.map(({ booking }) => spanOf(meetings.bookable, booking)),
})

/** Finds the hosts who could take these meetings over, and what keeps each of them from it. */
export const planSuccessors = (meetings: ReassignedMeetings): Plan<readonly Candidate[]> => ({
  question: questionAboutHosts(meetings),
  decide: (ledger, { now }) => {
    const { bookable, all } = meetings
    if (!isCurrent(bookable, ledger)) return needs({ what: 'settings' })
    const present = meetingsOf(ledger, all)
    return present instanceof Problem ? refused(present) : done(candidatesOf(ledger, bookable, present, now))
  },
})

/** All hosts of the event type, and these meetings. */
function questionAboutHosts({ bookable, all, companions }: ReassignedMeetings): Question {
  const starts = all.map(({ booking }) => booking.startsAt)
  const about = questionAbout(bookable, starts)
  return {
    ...joinQuestions(about, questionAboutBookings([...all, ...companions])),
    spans: [...(about.spans ?? []), ...all.map(({ booking }) => spanOf(bookable, booking))],
    turnsOf: bookable.eventType.id,
  }
}

/** The time that a meeting needs to be free, buffers included. */
const spanOf = ({ rules }: BookableEventType, { startsAt, endsAt }: ListedBooking['booking']) => ({
  start: startsAt - rules.bufferBefore,
  end: endsAt + rules.bufferAfter,
})

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
    claimsIn(ledger, hostId).filter(({ meetingId }) => !moved.includes(meetingId))
  const taken = bookable.hostIds.map((hostId) => ({ hostId, claims: claimsOf(hostId) }))
  const rotating = new Set(bookable.hosts.filter(({ fixed }) => !fixed).map(({ hostId }) => hostId))
  return availabilityOf(bookable, taken)
    .map((group) => group.at(-1) as HostAvailability)
    .filter(({ hostId }) => rotating.has(hostId) && !meetings[0]?.hostIds.includes(hostId))
    .map((host) => ({ host, obstacle: findObstacle(bookable.rules, host, meetings, now) }))
}

function decideReassignment(
  ledger: Ledger,
  { bookable, all }: ReassignedMeetings,
  { hostId, reason, author }: NewHost & { readonly author: Author },
  given: Given,
): Decision<Moved> {
  if (!isCurrent(bookable, ledger)) return needs({ what: 'settings' })
  const { now, found } = given
  const isThere = (current: ListedBooking) => isActive(current.booking) && current.hostId === hostId
  const current: ListedBooking[] = []
  for (const one of all) {
    const unchanged = findUnchanged(ledger, one, isThere)
    if (unchanged instanceof Problem) return refused(unchanged)
    current.push(unchanged)
  }
  const [first] = current as [ListedBooking]
  if (current.every(isThere)) return done({ moved: first, hostIds: meetingHosts(ledger, first) })
  for (const { booking } of current) {
    // Nobody has heard of it before it is paid, so nobody would hear of its host, either.
    if (!isActive(booking) || booking.status === 'PendingPayment') return refused(stateConflict(booking))
    if (booking.startsAt <= now) {
      return refused(new Problem('too_late', sentence`This meeting has started already.`))
    }
  }
  if (bookable.eventType.assignment !== 'round-robin') return refused(allAttend())
  const present = meetingsOf(ledger, current)
  if (present instanceof Problem) return refused(present)
  const meetings = present.filter((meeting) => meeting.hostId !== hostId)
  const candidates = candidatesOf(ledger, bookable, meetings, now)
  const free = candidates.filter(({ obstacle }) => obstacle === undefined)
  const chosen = hostId === undefined ? undefined : findChosen(candidates, meetings, hostId)
  if (chosen instanceof Problem) return refused(chosen)
  const open = chosen === undefined ? free : [chosen]
  const groups = open.map(({ host }) => [host])
  const answered = withAnswers(bookable, groups, found)
  if (answered instanceof Problem) return refused(answered)

  const reversed = reversedBy(ledger, meetings)
  const turnsAmong = (among: readonly Candidate[]) =>
    ledger.turns
      .of(bookable.eventType.id)
      .map((turn) => ({ ...turn, balance: turn.balance + (reversed[turn.hostId] ?? 0) }))
      .filter((turn) => among.some(({ host }) => host.hostId === turn.hostId))
  const assignment = chosen
    ? reassignTo(chosen.host.hostId, turnsAmong([...free.filter((one) => one !== chosen), chosen]))
    : reassignByTurn(turnsAmong(free.filter(({ host }) => answered.some(([one]) => one === host))))
  if (assignment === undefined) return refused(nobodyFree())
  const next = candidates.find(({ host }) => host.hostId === assignment.hostId) as Candidate
  const need = needsCalendars(bookable, [next.host], found)
  if (need !== undefined) return need

  const leaving = current.filter((one) => one.hostId !== hostId)
  const replacement = {
    to: assignment.hostId,
    author,
    // A series takes one turn, of which each meeting has its part.
    assignmentOf: ({ booking }: ListedBooking) => partOf(assignment, booking.series?.count ?? 1),
    reason,
    together: leaving.map(({ booking }) => booking.id),
  }
  const parts = meetings.map((meeting) => replaceHost(ledger, meeting, replacement, given))
  const updates = parts.flatMap((part) => part.updates)
  const eventTypeId = bookable.eventType.id
  return done(
    {
      moved: updates.find(({ booking }) => booking.id === first.booking.id) ?? first,
      hostIds: [...new Set([assignment.hostId, ...meetings.flatMap(({ hostIds }) => hostIds)])],
    },
    {
      ...joinWrites(parts),
      balances: [
        ...toBalances(eventTypeId, reversed),
        ...updates.flatMap((update) =>
          update.assignment === undefined ? [] : balancesOf(eventTypeId, update.assignment, now),
        ),
      ],
      audit: leaving.flatMap((one) => auditOf(author, one, 'reassigned', given)),
    },
  )
}

/** What all bookings of these meetings give back when they leave their host. */
function reversedBy(ledger: Ledger, meetings: readonly PresentMeeting[]): Record<string, number> {
  const reversed: Record<string, number> = {}
  for (const booking of meetings.flatMap((meeting) => meeting.bookings)) {
    for (const [id, by] of Object.entries(balancesToday(ledger, booking, -1))) {
      reversed[id] = (reversed[id] ?? 0) + by
    }
  }
  return reversed
}

/** The host whom a person has chosen; a refusal unless they can take over. */
function findChosen(
  candidates: readonly Candidate[],
  meetings: readonly PresentMeeting[],
  hostId: string,
): Candidate | Problem {
  if (meetings[0]?.hostIds.includes(hostId)) {
    return new Problem(
      'host_unavailable',
      sentence`This host attends the meeting already. Choose someone else.`,
    )
  }
  const chosen = candidates.find(({ host }) => host.hostId === hostId)
  if (chosen === undefined) {
    return new Problem('invalid', sentence`This person is not one of the hosts who take turns here.`, {
      field: 'hostId',
    })
  }
  const { obstacle } = chosen
  return obstacle !== undefined && obstacle !== 'hours' ? hostUnavailable(obstacle) : chosen
}

const OBSTACLE_SENTENCES: Readonly<Record<Exclude<Obstacle, 'hours'>, Sentence>> = {
  meeting: sentence`This host has another meeting at this time. Choose someone else.`,
  'time-off': sentence`This host has time off at this time. Choose someone else.`,
  calendar: sentence`This host is busy at this time. Choose someone else.`,
}

export const hostUnavailable = (obstacle: keyof typeof OBSTACLE_SENTENCES) =>
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
