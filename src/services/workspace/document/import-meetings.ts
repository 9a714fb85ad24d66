import type { Assignment } from '../../../domain/bookings/assignment.ts'
import type { Booking } from '../../../domain/bookings/booking.ts'
import type { SeriesPlace } from '../../../domain/bookings/series.ts'
import type { EventType } from '../../../domain/event-types/event-type.ts'
import { MINUTE } from '../../../domain/interval.ts'
import { canonicalEmail } from '../../../domain/people/contact.ts'
import { Problem } from '../../../domain/problem.ts'
import { english } from '../../../domain/sentence.ts'
import { insertBooking, insertClaim } from '../../../store/bookings/bookings.ts'
import { brokenConstraint, isUnavailable, type Trx } from '../../../store/engine/database.ts'
import { newId } from '../../../store/new-id.ts'
import { readTime, type Workspace, type WorkspaceBooking, type WorkspaceClaim } from './document.ts'

/** Adds the bookings of a workspace, with the claims on their hosts' time. `checkMeetings` has read them. */
export async function importMeetings(
  trx: Trx,
  { bookings, claims }: Pick<Workspace, 'bookings' | 'claims'>,
  eventTypes: ReadonlyMap<string, EventType>,
  getHost: (email: string) => Promise<string>,
): Promise<void> {
  const hosts = new Map<string, string>()
  const assigned = bookings.flatMap(({ assignment }) =>
    assignment ? [assignment, ...assignment.changes] : [],
  )
  for (const { host } of [...bookings, ...claims, ...assigned]) {
    if (!hosts.has(host)) hosts.set(host, await getHost(host))
  }
  const meetings = new Map<string, string>()
  const refer = ({ eventType, host, meeting, startTime, endTime }: WorkspaceBooking | WorkspaceClaim) => {
    const found = eventTypes.get(eventType)
    if (found === undefined)
      throw new Problem('invalid', english`There is no event type "${eventType}" in the file.`)
    const meetingId = meetings.get(meeting) ?? newId()
    meetings.set(meeting, meetingId)
    const [startsAt, endsAt] = [readTime(startTime), readTime(endTime)]
    return { eventType: found, hostId: hosts.get(host) as string, meetingId, startsAt, endsAt }
  }
  for (const claim of claims) {
    const { eventType, hostId, meetingId, startsAt, endsAt } = refer(claim)
    const buffers = {
      bufferBefore: claim.bufferBeforeMinutes * MINUTE,
      bufferAfter: claim.bufferAfterMinutes * MINUTE,
    }
    const times = { meetingId, eventTypeId: eventType.id, startsAt, endsAt, ...buffers, seatsTaken: 1 }
    await explaining(claim, () => insertClaim(trx, hostId, times))
  }
  const slots = new Set<string>()
  const shared = new Set<string>()
  for (const given of bookings) {
    const { eventType, hostId, meetingId, startsAt, endsAt } = refer(given)
    const { status, invitee, location, notes, customFields, source, seat, seats } = given
    const { sequence = 0, reason: said = '', utm = {}, guests = [] } = given
    const isFirst = !shared.has(meetingId)
    shared.add(meetingId)
    const booking: Booking = {
      // A meeting of one guest shares its UID with the booking, which is found by its id.
      id: given.uid !== undefined && seats === 1 && isFirst ? meetingId : newId(),
      eventTypeId: eventType.id,
      meetingId,
      status,
      startsAt,
      endsAt,
      invitee,
      guests,
      location,
      notes,
      customFields,
      source,
      utm,
      createdAt: readTime(given.createdTime),
      sequence,
      reason: said,
      ...(given.metadata && { metadata: given.metadata }),
      ...(given.uid !== undefined && { uid: given.uid }),
      ...(given.series && { series: readSeries(given.series, meetings) }),
    }
    // Duplicates that were allowed there are allowed here.
    const guest = canonicalEmail(invitee.email)
    const slot = `${eventType.id} ${startsAt} ${guest}`
    const duplicateKey = eventType.abuse.detectDuplicates && !slots.has(slot) ? guest : newId()
    slots.add(slot)
    const { schedulerId } = eventType
    const assignment = given.assignment && readAssignment(given.assignment, hosts)
    await explaining(given, () =>
      insertBooking(trx, {
        booking,
        schedulerId,
        hostId,
        seat,
        seats,
        assignment,
        duplicateKey,
        ...(given.hostNotes && { hostNotes: given.hostNotes }),
      }),
    )
  }
}

function readAssignment(
  { host, reason, detail, changes }: NonNullable<WorkspaceBooking['assignment']>,
  hosts: ReadonlyMap<string, string>,
): Assignment {
  const idOf = (email: string) => hosts.get(email) as string
  const byHost = Object.fromEntries(changes.map((change) => [idOf(change.host), change.by]))
  return { hostId: idOf(host), reason, detail, changes: byHost }
}

/** A series has the id of its first meeting, which calendars know. */
function readSeries(
  { id, firstTime, ...place }: NonNullable<WorkspaceBooking['series']>,
  ids: Map<string, string>,
): SeriesPlace {
  const known = ids.get(id) ?? newId()
  ids.set(id, known)
  return { ...place, id: known, firstAt: readTime(firstTime) }
}

async function explaining(
  { eventType, host, startTime }: WorkspaceBooking | WorkspaceClaim,
  insert: () => Promise<void>,
): Promise<void> {
  try {
    await insert()
  } catch (error) {
    if (isUnavailable(error)) throw error
    const which = `The booking of ${eventType} at ${startTime}`
    const reason =
      brokenConstraint(error) === 'host_overlap'
        ? `overlaps with what ${host} has here already`
        : `does not fit (${(error as Error).message})`
    throw new Problem('invalid', english`${which} ${reason}.`, { cause: error })
  }
}
