import { type Booking, type BookingStatus, isUid } from '../../domain/bookings/booking.ts'
import type { NewBooking } from '../../domain/bookings/listed-booking.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import type { PlannedBooking, PlannedMeeting } from '../../domain/imports/plan.ts'
import { type Interval, MINUTE, merge, without } from '../../domain/interval.ts'
import type { NewJob } from '../../domain/job.ts'
import { canonicalEmail } from '../../domain/people/contact.ts'
import type { User } from '../../domain/people/user.ts'
import type { Claim } from '../../domain/slots/openings.ts'
import { insertMeetingVersion } from '../../store/bookings/rosters.ts'
import { findCalendarPage, type StoredCalendar } from '../../store/calendars/calendars.ts'
import { insertWritten } from '../../store/calendars/entries.ts'
import type { Trx } from '../../store/engine/database.ts'
import { findEventTypeById } from '../../store/event-types/event-types.ts'
import { findBefore, insertChanges } from '../../store/imports/changes.ts'
import {
  deleteClaimsOf,
  findClaimKeys,
  findDuplicates,
  findMeetingRows,
  findTaken,
  type GuestTime,
  insertBookings,
  insertClaims,
  updateBooking,
} from '../../store/imports/meetings.ts'
import { insertUids } from '../../store/imports/names.ts'
import { findObjects, type ImportedObject, saveObjects } from '../../store/imports/objects.ts'
import { newId } from '../../store/new-id.ts'
import { insertJobs } from '../../store/outbox.ts'
import { lockHosts } from '../../store/people/schedulers.ts'
import { findUser } from '../../store/people/users.ts'
import { type ReminderChange, reminderJobsFor } from '../mail/jobs.ts'
import type { Unit } from './apply-settings.ts'
import { isCalled } from './connect-account.ts'
import { meetingHash, meetingRowHash } from './hash.ts'
import type { PreparedMeeting } from './plan.ts'

/** What came of a page of bookings. */
interface Applied {
  /** Whose time was taken. */
  readonly hostIds: readonly string[]
}

/** A meeting that is about to be made or changed, with our ids. */
interface Wanted {
  readonly meeting: PlannedMeeting
  readonly prepared: PreparedMeeting
  readonly meetingId: string
  readonly eventTypeId: string
  readonly hostId: string
  /** Our ids of its bookings, in their order. */
  readonly bookingIds: readonly string[]
}

/** Makes and changes the meetings of a page. Nobody is told of any of them. */
export async function applyMeetings(unit: Unit, page: readonly PreparedMeeting[]): Promise<Applied> {
  const { trx, given } = unit
  const wanted = (await Promise.all(page.map((prepared) => findWanted(unit, prepared)))).flat()
  if (wanted.length === 0) return { hostIds: [] }
  const hostIds = [...new Set(wanted.flatMap(({ meeting, hostId }) => [hostId, ...claimants(unit, meeting)]))]
  await lockHosts(trx, hostIds)
  for (const one of wanted) if (one.prepared.task === 'change') await rememberMeeting(unit, one)

  const claims = await claimsLeft(unit, wanted)
  const made: NewBooking[] = []
  for (const one of wanted) {
    const here = one.prepared.task === 'change' ? await knownBookings(trx, one.meetingId) : new Set<string>()
    for (const added of await bookingsOf(unit, one)) {
      if (here.has(added.booking.id)) await updateBooking(trx, added)
      else made.push(added)
    }
  }
  await insertBookings(trx, await withDuplicateKeys(unit, made))
  await insertClaims(trx, claims)
  await insertUids(trx, given.id, wanted.flatMap(uidsOf))
  for (const one of wanted) await keepEntries(unit, one)
  await saveObjects(
    trx,
    given.memory,
    wanted.flatMap((one) => objectsOf(unit, one)),
  )
  await remindLater(unit, wanted, new Map(made.map((added) => [added.booking.id, added])))
  return { hostIds }
}

const claimants = ({ preparation }: Unit, { content }: PlannedMeeting) =>
  content.claims.flatMap(({ user }) => preparation.objects.get(user)?.id ?? [])

async function findWanted(unit: Unit, prepared: PreparedMeeting): Promise<Wanted[]> {
  const { meeting, task, memory } = prepared
  const { objects } = unit.preparation
  if (meeting === null || task === 'keep') return []
  const eventTypeId = objects.get(meeting.content.eventType)?.id
  const hostId = objects.get(meeting.content.host)?.id
  if (eventTypeId === undefined || hostId === undefined) return []
  const { bookings, seats } = meeting.content
  const parts = bookings.map(({ key }) => key).filter((key) => key !== meeting.key)
  const known = task === 'change' ? await findObjects(unit.trx, unit.given.memory, parts) : new Map()
  const meetingId = memory?.id ?? newId()
  // Where guests can't share it, a meeting has the id of its booking.
  const idOf = ({ key }: PlannedBooking, index: number): string =>
    seats === 1 && index === 0 ? meetingId : (known.get(key)?.id ?? newId())
  return [{ meeting, prepared, meetingId, eventTypeId, hostId, bookingIds: bookings.map(idOf) }]
}

/** Remembers what a meeting was, and frees its time. */
async function rememberMeeting({ trx, given }: Unit, { meeting, meetingId }: Wanted): Promise<void> {
  const rows = (await findMeetingRows(trx, [meetingId])).get(meetingId) ?? []
  const claims = await findClaimKeys(trx, meetingId)
  const before = [
    await findBefore(trx, 'import_objects', { source: given.memory, source_key: meeting.key }),
    ...(await Promise.all(rows.map(({ id }) => findBefore(trx, 'bookings', { id })))),
    ...(await Promise.all(claims.map((key) => findBefore(trx, 'claims', { ...key })))),
  ]
  await insertChanges(trx, given.id, before)
  await deleteClaimsOf(trx, meetingId)
}

async function knownBookings(trx: Trx, meetingId: string): Promise<ReadonlySet<string>> {
  const rows = (await findMeetingRows(trx, [meetingId])).get(meetingId) ?? []
  return new Set(rows.map(({ id }) => id))
}

/** What is left of the planned claims: something that was made here since may have taken a part of them. */
async function claimsLeft(
  { trx, given, preparation }: Unit,
  wanted: readonly Wanted[],
): Promise<{ readonly hostId: string; readonly claim: Claim }[]> {
  const planned = wanted.flatMap(({ meeting, meetingId, eventTypeId, prepared }) =>
    meeting.content.claims.flatMap((claim) => {
      const hostId = preparation.objects.get(claim.user)?.id
      return hostId === undefined ? [] : [{ ...claim, hostId, meetingId, eventTypeId, prepared }]
    }),
  )
  const taken = await findTaken(trx, planned)
  const left: { readonly hostId: string; readonly claim: Claim }[] = []
  const journal: Parameters<typeof insertChanges>[2][number][] = []
  for (const { hostId, meetingId, eventTypeId, start, end, bufferBefore, bufferAfter, prepared } of planned) {
    const others = taken.get(hostId) ?? []
    for (const piece of without([{ start, end }], merge(others.toSorted(byStart)))) {
      if (piece.end - piece.start < MINUTE) continue
      others.push(piece)
      const times = { startsAt: piece.start, endsAt: piece.end, bufferBefore, bufferAfter }
      left.push({ hostId, claim: { meetingId, eventTypeId, ...times, seatsTaken: 1 } })
      if (prepared.task === 'change')
        journal.push({ table: 'claims', key: { host_id: hostId, starts_at: piece.start }, row: null })
    }
    taken.set(hostId, others)
  }
  await insertChanges(trx, given.id, journal)
  return left
}

const byStart = (a: Interval, b: Interval) => a.start - b.start

const ACTIVE: ReadonlySet<BookingStatus> = new Set<BookingStatus>(['PendingApproval', 'Confirmed'])

async function bookingsOf(unit: Unit, wanted: Wanted): Promise<NewBooking[]> {
  const { meeting, meetingId, eventTypeId, hostId, bookingIds } = wanted
  const { content } = meeting
  const eventType = await eventTypeOf(unit, eventTypeId)
  const added: NewBooking[] = []
  for (const [index, planned] of content.bookings.entries()) {
    const booking: Booking = {
      id: bookingIds[index] as string,
      eventTypeId,
      meetingId,
      status: planned.status,
      startsAt: content.start,
      endsAt: content.end,
      invitee: planned.invitee,
      guests: planned.guests,
      location: content.location,
      notes: planned.notes,
      customFields: planned.customFields,
      source: 'API',
      utm: planned.utm,
      createdAt: content.createdAt,
      sequence: content.sequence,
      reason: planned.reason,
      ...(content.uid !== '' && isUid(content.uid) && { uid: content.uid }),
      ...(planned.series && {
        series: { ...planned.series, id: seriesId(unit, planned.series.id, meetingId) },
      }),
    }
    added.push({
      booking,
      schedulerId: eventType.schedulerId,
      hostId,
      seat: planned.seat,
      seats: content.seats,
      duplicateKey: newId(),
      ...(content.hostNotes !== '' && index === 0 && { hostNotes: content.hostNotes }),
    })
  }
  return added
}

/** What many meetings have in common, by id. */
class Known {
  readonly eventTypes = new Map<string, Promise<EventType | undefined>>()
  readonly users = new Map<string, Promise<User | undefined>>()
  readonly calendars = new Map<string, Promise<readonly StoredCalendar[]>>()
  /** Ids of series, by their keys. */
  readonly series = new Map<string, string>()
}

const known = new WeakMap<Unit['preparation'], Known>()

function knownTo({ preparation }: Unit): Known {
  const found = known.get(preparation) ?? new Known()
  known.set(preparation, found)
  return found
}

function findOnce<T>(found: Map<string, Promise<T>>, id: string, find: () => Promise<T>): Promise<T> {
  const asked = found.get(id) ?? find()
  found.set(id, asked)
  return asked
}

async function eventTypeOf(unit: Unit, id: string): Promise<EventType> {
  const found = await findOnce(knownTo(unit).eventTypes, id, () => findEventTypeById(unit.trx, id))
  if (found === undefined) throw new Error(`The event type ${id} is gone.`)
  return found
}

const userOf = (unit: Unit, id: string) => findOnce(knownTo(unit).users, id, () => findUser(unit.trx, id))

/** Lets nobody book again what they have booked. Duplicates that were allowed there are allowed here. */
async function withDuplicateKeys(unit: Unit, made: readonly NewBooking[]): Promise<NewBooking[]> {
  const wanted = new Map<NewBooking, GuestTime>()
  for (const added of made) {
    const { eventTypeId, startsAt, status, invitee } = added.booking
    if (!ACTIVE.has(status) || startsAt <= unit.at) continue
    if (!(await eventTypeOf(unit, eventTypeId)).abuse.detectDuplicates) continue
    const key = canonicalEmail(invitee.email)
    wanted.set(added, { event_type_id: eventTypeId, starts_at: startsAt, duplicate_key: key })
  }
  const taken = new Set((await findDuplicates(unit.trx, [...wanted.values()])).map(nameOf))
  return made.map((added) => {
    const guest = wanted.get(added)
    if (guest === undefined || taken.has(nameOf(guest))) return added
    taken.add(nameOf(guest))
    return { ...added, duplicateKey: guest.duplicate_key }
  })
}

const nameOf = ({ event_type_id, starts_at, duplicate_key }: GuestTime) =>
  `${event_type_id} ${starts_at} ${duplicate_key}`

/** A series has the id of its first meeting that comes over. */
function seriesId(unit: Unit, key: string, meetingId: string): string {
  const { series } = knownTo(unit)
  const id = series.get(key) ?? meetingId
  series.set(key, id)
  return id
}

/** More than anyone connects. */
const MOST_CALENDARS = 100

const calendarsOf = (unit: Unit, userId: string) =>
  findOnce(knownTo(unit).calendars, userId, () =>
    findCalendarPage(unit.trx, userId, { limit: MOST_CALENDARS }),
  )

/** What hosts have in their calendars of a meeting ahead, so that it is changed there and not written again. */
async function keepEntries(unit: Unit, { meeting, meetingId, prepared }: Wanted): Promise<void> {
  const { trx, preparation, at } = unit
  const { start, end, seats, sequence, uid, events, hosts } = meeting.content
  if (prepared.task === 'change') return
  if (seats > 1) await insertMeetingVersion(trx, { meetingId, sequence, ...(isUid(uid) && { uid }) })
  if (end <= at || events.length === 0) return
  for (const host of hosts) {
    const userId = preparation.objects.get(host)?.id
    const own = userId === undefined ? [] : await calendarsOf(unit, userId)
    for (const { provider, eventId, calendar } of events) {
      const found = own.find((one) => one.kind === provider && isCalled(one, calendar))
      if (found === undefined) continue
      const href = found.connectionId === null ? addressOfEvent(found.url, eventId) : eventId
      await insertWritten(trx, { calendarId: found.id, meetingId }, href, { start, end })
    }
  }
}

/** On a server, the service before names each event by its UID. */
const addressOfEvent = (calendar: string, uid: string) =>
  `${calendar.replace(/\/?$/, '/')}${encodeURIComponent(uid)}.ics`

/** What the meeting and its bookings were called in addresses. */
function uidsOf({ meeting, meetingId, bookingIds }: Wanted) {
  const { content } = meeting
  const shared = content.seats > 1
  const own = content.oldUid
  return [
    ...(own === ''
      ? []
      : [{ uid: own, booking_id: shared ? null : (bookingIds[0] ?? null), meeting_id: meetingId }]),
    ...content.bookings.flatMap(({ oldUid }, index) =>
      oldUid === '' || oldUid === own
        ? []
        : [{ uid: oldUid, booking_id: bookingIds[index] ?? null, meeting_id: meetingId }],
    ),
  ]
}

function objectsOf({ given }: Unit, { meeting, meetingId, bookingIds, prepared }: Wanted): ImportedObject[] {
  const { start, end, sequence, bookings } = meeting.content
  const rows = bookings.map(({ status }, index) => ({
    id: bookingIds[index] as string,
    status,
    startsAt: start,
    endsAt: end,
    sequence,
  }))
  const common = {
    made: true,
    contentHash: meetingHash(meeting),
    importId: prepared.memory?.importId ?? given.id,
    lastImportId: given.id,
  }
  const parts = bookings.flatMap(({ key }, index) =>
    key === meeting.key
      ? []
      : [{ ...common, key, kind: 'booking' as const, id: bookingIds[index] as string, rowHash: '' }],
  )
  return [
    { ...common, key: meeting.key, kind: 'meeting', id: meetingId, rowHash: meetingRowHash(rows) },
    ...parts.filter(({ key }, index) => parts.findIndex((part) => part.key === key) === index),
  ]
}

/** Plans reminders of meetings ahead, of which none was due before the import was applied. */
async function remindLater(
  unit: Unit,
  wanted: readonly Wanted[],
  made: ReadonlyMap<string, NewBooking>,
): Promise<void> {
  const { trx, at, preparation } = unit
  const now = Math.max(at, unit.context.now())
  const jobs: NewJob[] = []
  for (const { meeting, bookingIds, prepared, eventTypeId, hostId } of wanted) {
    const { start, hosts, sequence } = meeting.content
    if (start <= now || prepared.task !== 'make') continue
    const attending = hosts.flatMap((key) => preparation.objects.get(key)?.id ?? [])
    const users = await Promise.all([...new Set([hostId, ...attending])].map((id) => userOf(unit, id)))
    const eventType = await eventTypeOf(unit, eventTypeId)
    for (const id of bookingIds) {
      const booking = made.get(id)?.booking
      if (booking?.status !== 'Confirmed') continue
      const { status, startsAt, endsAt } = booking
      const change: ReminderChange = {
        id: newId(),
        type: 'created',
        bookingId: id,
        by: 'guest',
        reason: '',
        status,
        startsAt,
        endsAt,
        previousStatus: null,
        previousStartsAt: null,
        sequence,
        at: now,
        booking,
        eventType,
        hosts: users.filter((user) => user !== undefined),
      }
      jobs.push(...reminderJobsFor(change, now))
    }
  }
  await insertJobs(trx, jobs, now)
}
