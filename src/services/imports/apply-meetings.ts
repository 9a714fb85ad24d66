import { randomUUIDv7 } from 'node:crypto'
import type { Booking, BookingStatus } from '../../domain/bookings/booking.ts'
import type { ChangeRecord } from '../../domain/bookings/change.ts'
import type { NewBooking } from '../../domain/bookings/listed-booking.ts'
import type { PlannedBooking, PlannedMeeting } from '../../domain/imports/plan.ts'
import { type Interval, MINUTE, merge, without } from '../../domain/interval.ts'
import type { NewJob } from '../../domain/job.ts'
import { canonicalEmail } from '../../domain/people/contact.ts'
import type { Claim } from '../../domain/slots/openings.ts'
import { hasDuplicate } from '../../store/bookings/bookings.ts'
import type { Trx } from '../../store/engine/database.ts'
import { findEventTypeById } from '../../store/event-types/event-types.ts'
import { findBefore, insertChanges } from '../../store/imports/changes.ts'
import {
  deleteClaimsOf,
  findClaimKeys,
  findMeetingRows,
  findTaken,
  insertBookings,
  insertClaims,
  updateBooking,
} from '../../store/imports/meetings.ts'
import { insertUids } from '../../store/imports/names.ts'
import { findObjects, type ImportedObject, saveObjects } from '../../store/imports/objects.ts'
import { lockHosts } from '../../store/people/schedulers.ts'
import { insertJobs } from '../../store/outbox.ts'
import { getBookingChange } from '../bookings/load-change.ts'
import { mailJobsFor } from '../mail/jobs.ts'
import type { Unit } from './apply-settings.ts'
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
    const known = one.prepared.task === 'change' ? await knownBookings(trx, one.meetingId) : new Set<string>()
    for (const added of await bookingsOf(unit, one)) {
      if (known.has(added.booking.id)) await updateBooking(trx, added)
      else made.push(added)
    }
  }
  await insertBookings(trx, made)
  await insertClaims(trx, claims)
  await insertUids(trx, given.id, wanted.flatMap(uidsOf))
  await saveObjects(trx, given.source, wanted.flatMap((one) => objectsOf(unit, one)))
  await remindLater(unit, wanted)
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
  const known = task === 'change' ? await findObjects(unit.trx, unit.given.source, parts) : new Map()
  const meetingId = memory?.id ?? randomUUIDv7()
  // Where guests can't share it, a meeting has the id of its booking.
  const idOf = ({ key }: PlannedBooking, index: number): string =>
    seats === 1 && index === 0 ? meetingId : (known.get(key)?.id ?? randomUUIDv7())
  return [{ meeting, prepared, meetingId, eventTypeId, hostId, bookingIds: bookings.map(idOf) }]
}

/** Remembers what a meeting was, and frees its time. */
async function rememberMeeting({ trx, given }: Unit, { meeting, meetingId }: Wanted): Promise<void> {
  const rows = (await findMeetingRows(trx, [meetingId])).get(meetingId) ?? []
  const claims = await findClaimKeys(trx, meetingId)
  const before = [
    await findBefore(trx, 'import_objects', { source: given.source, source_key: meeting.key }),
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
      ...(planned.series && { series: { ...planned.series, id: seriesId(unit, planned.series.id, meetingId) } }),
    }
    added.push({
      booking,
      schedulerId: eventType.schedulerId,
      hostId,
      seat: planned.seat,
      seats: content.seats,
      duplicateKey: await duplicateKey(unit, booking, eventType.detectsDuplicates),
      ...(content.hostNotes !== '' && index === 0 && { hostNotes: content.hostNotes }),
    })
  }
  return added
}

/** Event types of meetings that were made before, by id: many meetings have the same. */
const eventTypes = new WeakMap<
  Unit['preparation'],
  Map<string, { readonly schedulerId: string; readonly detectsDuplicates: boolean }>
>()

async function eventTypeOf({ trx, preparation }: Unit, id: string) {
  const known = eventTypes.get(preparation) ?? new Map()
  eventTypes.set(preparation, known)
  const found = known.get(id)
  if (found !== undefined) return found
  const eventType = await findEventTypeById(trx, id)
  const facts = {
    schedulerId: eventType?.schedulerId ?? '',
    detectsDuplicates: eventType?.abuse.detectDuplicates ?? false,
  }
  known.set(id, facts)
  return facts
}

/** Duplicates that were allowed there are allowed here. */
async function duplicateKey({ trx, at }: Unit, booking: Booking, detects: boolean): Promise<string> {
  const { eventTypeId, startsAt, status, invitee } = booking
  const guest = canonicalEmail(invitee.email)
  const matters = detects && ACTIVE.has(status) && startsAt > at
  if (!matters || (await hasDuplicate(trx, eventTypeId, startsAt, guest))) return randomUUIDv7()
  return guest
}

const series = new WeakMap<Unit['preparation'], Map<string, string>>()

/** A series has the id of its first meeting that comes over. */
function seriesId({ preparation }: Unit, key: string, meetingId: string): string {
  const known = series.get(preparation) ?? new Map<string, string>()
  series.set(preparation, known)
  const id = known.get(key) ?? meetingId
  known.set(key, id)
  return id
}

/** What the meeting and its bookings were called in addresses. */
function uidsOf({ meeting, meetingId, bookingIds }: Wanted) {
  const { content } = meeting
  const shared = content.seats > 1
  const own = content.oldUid
  return [
    ...(own === '' ? [] : [{ uid: own, booking_id: shared ? null : (bookingIds[0] ?? null), meeting_id: meetingId }]),
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
    key === meeting.key ? [] : [{ ...common, key, kind: 'booking' as const, id: bookingIds[index] as string, rowHash: '' }],
  )
  return [
    { ...common, key: meeting.key, kind: 'meeting', id: meetingId, rowHash: meetingRowHash(rows) },
    ...parts.filter(({ key }, index) => parts.findIndex((part) => part.key === key) === index),
  ]
}

/** Plans reminders of meetings ahead, of which none was due before the import was applied. */
async function remindLater(unit: Unit, wanted: readonly Wanted[]): Promise<void> {
  const { trx, at } = unit
  const now = Math.max(at, unit.context.now())
  const ahead = wanted.filter(({ meeting, prepared }) => meeting.content.start > now && prepared.task === 'make')
  const jobs: NewJob[] = []
  for (const { meeting, bookingIds } of ahead) {
    for (const [index, { status }] of meeting.content.bookings.entries()) {
      if (status !== 'Confirmed') continue
      const record: ChangeRecord = {
        id: randomUUIDv7(),
        type: 'created',
        bookingId: bookingIds[index] as string,
        by: 'guest',
        reason: '',
        status,
        startsAt: meeting.content.start,
        endsAt: meeting.content.end,
        previousStatus: null,
        previousStartsAt: null,
        sequence: meeting.content.sequence,
        at: now,
      }
      const change = await getBookingChange(trx, record)
      jobs.push(...mailJobsFor(change, now).filter(({ kind }) => kind === 'reminder'))
    }
  }
  await insertJobs(trx, jobs, now)
}
