import { createHash, randomUUIDv7 } from 'node:crypto'
import { chooseHost } from '../../domain/bookings/assignment.ts'
import type { Booking } from '../../domain/bookings/booking.ts'
import {
  type BookingRequest,
  type RequestedBooking,
  readBookingRequest,
} from '../../domain/bookings/request.ts'
import { isBlocked } from '../../domain/event-types/blocklist.ts'
import { MINUTE } from '../../domain/interval.ts'
import { canonicalEmail } from '../../domain/people/contact.ts'
import { Problem, type ProblemCode } from '../../domain/problem.ts'
import { type Claim, claimSpan, findOpenings, type HostAvailability } from '../../domain/slots/openings.ts'
import {
  countUpcoming,
  findTakenSeats,
  findTakenTime,
  hasDuplicate,
  insertBooking,
  insertBookingIfFree,
  insertClaim,
  type NewBooking,
  type TakenTime,
} from '../../store/bookings/bookings.ts'
import { findAnswer, insertAnswer } from '../../store/bookings/idempotency-keys.ts'
import { brokenConstraint, type Db, type Trx } from '../../store/engine/database.ts'
import { findTurns, updateLastAssigned } from '../../store/event-types/event-types.ts'
import { lockHosts } from '../../store/people/schedulers.ts'
import type { Context } from '../context.ts'
import { availabilityOf, type BookableEventType } from '../slots/bookable.ts'
import { checkCaptcha } from './check-captcha.ts'
import { announcementOf, recordOf } from './emit.ts'

/** What a booking request carries besides its body. */
export interface BookOptions {
  readonly clientAddress: string
  readonly idempotencyKey: string | undefined
}

const KEY_REMEMBERED = 24 * 3_600_000

/** Books a slot of this event type, or throws a `Problem` that says why not. */
export async function book(
  context: Context,
  bookable: BookableEventType,
  request: BookingRequest,
  { clientAddress, idempotencyKey }: BookOptions,
): Promise<Booking> {
  const requested = readBookingRequest(request, bookable.eventType, context.slots.zones)
  const retry =
    idempotencyKey === undefined
      ? undefined
      : { key: idempotencyKey, bodyHash: createHash('sha256').update(JSON.stringify(request)).digest('hex') }
  const attempt = async () => {
    await checkGuest(context, bookable, request, clientAddress)
    const booking = await take(context, bookable, requested, retry)
    context.slots.bookingsChanged(bookable.hostIds, booking.startsAt)
    context.outbox.wake(['announce'])
    return booking
  }
  if (retry === undefined) return attempt()
  // Concurrent repeats of one request wait for each other, so that only the first spends the CAPTCHA solution.
  return context.slots.inTurn([`${bookable.eventType.id} ${retry.key}`], () =>
    once(context, bookable, retry, attempt),
  )
}

/** Runs the attempt unless this key already has an answer, and stores the outcome as that answer. */
async function once(
  context: Context,
  bookable: BookableEventType,
  retry: Retry,
  attempt: () => Promise<Booking>,
): Promise<Booking> {
  const remembered = await recall(context.db, bookable, retry, context.now())
  if (remembered !== undefined) return remembered
  try {
    return await attempt()
  } catch (error) {
    if (brokenConstraint(error) === 'unique') {
      // Another instance answered first, and this attempt was rolled back.
      const answered = await recall(context.db, bookable, retry, context.now())
      if (answered !== undefined) return answered
    }
    if (!(error instanceof Problem) || !isFinal(error)) throw error
    return remember(context, bookable, retry, error)
  }
}

/** Honeypot, CAPTCHA and blocklist, in this order. */
async function checkGuest(
  context: Context,
  { eventType, blocklist }: BookableEventType,
  request: BookingRequest,
  clientAddress: string,
): Promise<void> {
  if (eventType.abuse.honeypot && (request.honeypotValue ?? '') !== '') {
    throw new Problem('honeypot_filled', 'This booking looks automated. Leave the hidden field empty.')
  }
  await checkCaptcha(context, eventType, request.captchaToken ?? '', clientAddress)
  if (isBlocked(request.inviteeEmail, blocklist)) {
    // The sentence must not reveal that a blocklist exists.
    throw new Problem('email_blocked', 'This booking could not be accepted.')
  }
}

type Start = Pick<RequestedBooking, 'startsAt'>

interface Retry {
  readonly key: string
  readonly bodyHash: string
}

/** Checks that the slot is free and takes it. If the host's bookings change in between, nothing is taken. */
async function take(
  context: Context,
  bookable: BookableEventType,
  requested: RequestedBooking,
  retry: Retry | undefined,
): Promise<Booking> {
  // Starts are whole minutes, and the database cannot compare a fraction of a millisecond.
  if (requested.startsAt % MINUTE !== 0) throw slotUnavailable()
  const duplicateKey = duplicateKeyOf(bookable, requested)
  // Requests that must read before they decide run one after another for the same hosts.
  const inTurn = <T>(decide: () => Promise<T>) => context.slots.inTurn(bookable.hostIds, decide)
  try {
    const [owner] = bookable.hostIds
    // With one host who owns the event type, everything that could change the answer also changes that host's row.
    const alone = bookable.hostIds.length === 1 && owner === bookable.eventType.schedulerId
    if (alone && bookable.rules.seats === 1 && retry === undefined) {
      const attempt = () => takeIfFree(context, bookable, requested, duplicateKey)
      const booking = await (isLimited(bookable) ? inTurn(attempt) : attempt())
      if (booking !== undefined) return booking
      await refuseIfTaken(context, bookable, requested)
    }
    return await inTurn(() => takeUnderLock(context, bookable, requested, duplicateKey, retry))
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal?.code !== 'slot_unavailable') throw refusal ?? error
    // The guest may hold this very slot already: then "duplicate" is the better answer than "taken".
    const duplicate = await hasDuplicate(context.db, bookable.eventType.id, requested.startsAt, duplicateKey)
    throw duplicate ? duplicateBooking() : refusal
  }
}

/**
 * Books without waiting for a lock, or returns undefined if that cannot be decided here.
 *
 * Limits count the other meetings of a period, so those must not have changed since they were read.
 */
async function takeIfFree(
  context: Context,
  bookable: BookableEventType,
  requested: RequestedBooking,
  duplicateKey: string,
): Promise<Booking | undefined> {
  const limited = isLimited(bookable)
  const now = context.now()
  const [host] = bookable.hosts
  const [seen] = limited ? await readTaken(context.db, bookable, requested) : []
  if (host === undefined || (limited && seen?.revision !== host.revision)) return undefined
  if (freeGroups(bookable, seen === undefined ? [] : [seen], requested, now).length === 0) return undefined
  const booking = newBooking(bookable, requested, undefined, now)
  const added = newRow(bookable, booking, [host.hostId], { seat: 1, duplicateKey })
  const unchanged = { revision: host.revision, bookingRevision: seen?.bookingRevision ?? null }
  const done = await insertBookingIfFree(context.db, unchanged, added, bookable.rules)
  return done ? booking : undefined
}

function isLimited({ rules }: BookableEventType): boolean {
  const { day, week, month } = rules.limits
  return day !== null || week !== null || month !== null
}

/** Throws if the time is taken and the settings are still current: then there is no need to wait for a lock. */
async function refuseIfTaken(
  context: Context,
  bookable: BookableEventType,
  requested: RequestedBooking,
): Promise<void> {
  const [seen] = await readTaken(context.db, bookable, requested)
  if (seen === undefined || seen.revision !== bookable.hosts[0]?.revision) return
  if (freeGroups(bookable, [seen], requested, context.now()).length === 0) throw slotUnavailable()
}

/** Locks the hosts, reads everything again, and decides. */
async function takeUnderLock(
  context: Context,
  cached: BookableEventType,
  requested: RequestedBooking,
  duplicateKey: string,
  retry: Retry | undefined,
): Promise<Booking> {
  const now = context.now()
  return context.db.transaction().execute(async (trx) => {
    await lockHosts(trx, cached.hostIds)
    const remembered = retry && (await recall(trx, cached, retry, now))
    if (remembered !== undefined) return remembered
    const { scheduler, eventType } = cached
    const bookable = await context.slots.readBookableAt(trx, scheduler.slug, eventType.slug)
    // A host has just joined or left the event type; the guest may try again.
    if (bookable.hostIds.join() !== cached.hostIds.join()) throw slotUnavailable()

    const taken = await readTaken(trx, bookable, requested)
    const groups = freeGroups(bookable, taken, requested, now)
    const group = await chooseGroup(trx, bookable, groups, now)
    if (group === undefined) throw slotUnavailable()

    const meeting = joinedMeeting(bookable, group, requested.startsAt)
    const booking = newBooking(bookable, requested, meeting?.meetingId, now)
    for (const { hostId } of meeting === undefined ? group : []) {
      await insertClaim(trx, hostId, claimOf(bookable, booking))
    }
    const seat = lowestFree(meeting && (await findTakenSeats(trx, meeting.meetingId)))
    // The chosen host is the last of the group, and the first to be notified.
    const hostIds = group.map(({ hostId }) => hostId).toReversed()
    await insertBooking(trx, newRow(bookable, booking, hostIds, { seat, duplicateKey }))
    if (retry !== undefined) await insertAnswer(trx, answerOf(bookable, retry, { booking }, now), now)
    return booking
  })
}

export function readTaken(db: Db, bookable: BookableEventType, { startsAt }: Start): Promise<TakenTime[]> {
  const span = claimSpan(bookable.rules, { start: startsAt, end: startsAt + 1 })
  return findTakenTime(db, bookable.hostIds, span, bookable.rules.seats > 1)
}

/** The groups of hosts that are free at this start, by the same rules as the listing. */
export function freeGroups(
  bookable: BookableEventType,
  taken: readonly TakenTime[],
  { startsAt }: Start,
  now: number,
): HostAvailability[][] {
  const span = { start: startsAt, end: startsAt + 1 }
  return availabilityOf(bookable, taken).filter((group) => {
    return findOpenings(bookable.rules, [group], now, span).firsts[0] === startsAt
  })
}

/** Picks the group of the host whose turn it is. */
export async function chooseGroup(
  trx: Trx,
  bookable: BookableEventType,
  groups: readonly HostAvailability[][],
  now: number,
): Promise<HostAvailability[] | undefined> {
  if (bookable.groups.length <= 1 || groups.length === 0) return groups[0]
  // The last host of a group is the one who isn't fixed.
  const hostIds = groups.map((group) => (group.at(-1) as HostAvailability).hostId)
  const upcoming = await countUpcoming(trx, hostIds, now)
  const turns = await findTurns(trx, bookable.eventType.id)
  const turn = chooseHost(
    hostIds.map((hostId) => ({
      hostId,
      upcoming: upcoming.get(hostId) ?? 0,
      ...(turns.get(hostId) ?? { lastAssignedAt: null }),
    })),
  )
  if (turn === undefined) return undefined
  await updateLastAssigned(trx, bookable.eventType.id, turn.hostId, now)
  return groups[hostIds.indexOf(turn.hostId)]
}

/** The meeting with seats left that a guest at this start would join. */
export function joinedMeeting(
  bookable: BookableEventType,
  group: readonly HostAvailability[],
  startsAt: number,
): Claim | undefined {
  if (bookable.rules.seats === 1) return undefined
  return group[0]?.claims.find(
    (claim) => claim.startsAt === startsAt && claim.eventTypeId === bookable.eventType.id,
  )
}

export function lowestFree(taken: ReadonlySet<number> = new Set()): number {
  let seat = 1
  while (taken.has(seat)) seat++
  return seat
}

function newBooking(
  { eventType }: BookableEventType,
  requested: RequestedBooking,
  meetingId: string | undefined,
  now: number,
): Booking {
  const id = randomUUIDv7()
  return {
    ...requested,
    id,
    eventTypeId: eventType.id,
    meetingId: meetingId ?? id,
    status: eventType.requiresApproval ? 'PendingApproval' : 'Confirmed',
    location: eventType.location,
    createdAt: now,
    sequence: 0,
    reason: '',
  }
}

/** A booking as the store keeps it, with the job that announces it. */
function newRow(
  { scheduler, rules }: BookableEventType,
  booking: Booking,
  hostIds: readonly string[],
  { seat, duplicateKey }: Pick<NewBooking, 'seat' | 'duplicateKey'>,
): NewBooking {
  const change = {
    type: 'created' as const,
    by: 'guest' as const,
    reason: '',
    previousStartsAt: null,
    hostIds,
    formerHostIds: [],
    at: booking.createdAt,
  }
  return {
    booking,
    schedulerId: scheduler.id,
    hostId: hostIds[0] as string,
    seat,
    seats: rules.seats,
    duplicateKey,
    announcement: announcementOf(recordOf(booking, change)),
  }
}

export function claimOf({ rules }: BookableEventType, booking: Booking): Claim {
  return {
    meetingId: booking.meetingId,
    eventTypeId: booking.eventTypeId,
    startsAt: booking.startsAt,
    endsAt: booking.endsAt,
    bufferBefore: rules.bufferBefore,
    bufferAfter: rules.bufferAfter,
    seatsTaken: 1,
  }
}

function duplicateKeyOf({ eventType }: BookableEventType, { invitee }: RequestedBooking): string {
  return eventType.abuse.detectDuplicates ? canonicalEmail(invitee.email) : randomUUIDv7()
}

export const slotUnavailable = () =>
  new Problem('slot_unavailable', 'This time is no longer available. Please choose another slot.')

const duplicateBooking = () =>
  new Problem('duplicate_booking', 'This e-mail address has already booked this time.')

/** The problem behind an error: one we threw, or a constraint that the database enforced. */
export function refusalOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  const constraint = brokenConstraint(error)
  if (constraint === 'duplicate_booking') return duplicateBooking()
  if (constraint === 'host_overlap' || constraint === 'seat_taken') return slotUnavailable()
  return undefined
}

// A retry may fix these, so they are not stored as the key's answer.
const TRANSIENT: ReadonlySet<ProblemCode> = new Set([
  // A repeat at another instance may have spent the solution, and will store the answer.
  'captcha_failed',
  'captcha_unreachable',
  'unavailable',
  'idempotency_mismatch',
])

const isFinal = (problem: Problem) => !TRANSIENT.has(problem.code)

type Answer = { booking: Booking } | { problem: { code: ProblemCode; message: string } }

/** Returns or throws the stored answer to this key; undefined if there is none. */
async function recall(
  db: Db,
  { eventType }: BookableEventType,
  retry: Retry,
  now: number,
): Promise<Booking | undefined> {
  const found = await findAnswer(db, eventType.id, retry.key, now)
  if (found === undefined) return undefined
  if (found.bodyHash !== retry.bodyHash) {
    throw new Problem('idempotency_mismatch', 'This Idempotency-Key was used before, with another body.')
  }
  const answer = JSON.parse(found.answer) as Answer
  if ('problem' in answer) throw new Problem(answer.problem.code, answer.problem.message)
  return answer.booking
}

/** Stores a refusal and throws it, unless the same key got an answer in the meantime. */
async function remember(
  context: Context,
  bookable: BookableEventType,
  retry: Retry,
  problem: Problem,
): Promise<Booking> {
  const now = context.now()
  const { code, message } = problem
  try {
    await insertAnswer(context.db, answerOf(bookable, retry, { problem: { code, message } }, now), now)
  } catch (error) {
    if (brokenConstraint(error) !== 'unique') throw error
    const answered = await recall(context.db, bookable, retry, now)
    if (answered !== undefined) return answered
  }
  throw problem
}

function answerOf({ eventType }: BookableEventType, { key, bodyHash }: Retry, answer: Answer, now: number) {
  const expiresAt = now + KEY_REMEMBERED
  return { eventTypeId: eventType.id, key, bodyHash, answer: JSON.stringify(answer), expiresAt }
}
