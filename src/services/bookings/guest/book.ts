import { type BookableEventType, ofLength, openedBy } from '../../../domain/bookings/bookable.ts'
import type { Booking } from '../../../domain/bookings/booking.ts'
import { type Booked, planBooking } from '../../../domain/bookings/decisions/decide-booking.ts'
import { seriesZone, startsOf } from '../../../domain/bookings/decisions/hosts/choose-hosts.ts'
import { duplicateBooking, slotUnavailable } from '../../../domain/bookings/decisions/refusals.ts'
import type { Proof, WantedBooking } from '../../../domain/bookings/decisions/wanted-booking.ts'
import type { GuestAccess } from '../../../domain/bookings/guest-access.ts'
import { readGuests } from '../../../domain/bookings/guests.ts'
import type { Retry } from '../../../domain/bookings/idempotency.ts'
import {
  type BookingRequest,
  type RequestedBooking,
  readBookingRequest,
} from '../../../domain/bookings/request.ts'
import { SeriesBooked, SeriesUnavailable } from '../../../domain/bookings/series.ts'
import { isBlocked } from '../../../domain/event-types/blocklist.ts'
import type { EventType } from '../../../domain/event-types/event-type.ts'
import { MINUTE } from '../../../domain/interval.ts'
import { canonicalEmail } from '../../../domain/people/contact.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { hasDuplicate } from '../../../store/bookings/bookings.ts'
import { deleteAnswer } from '../../../store/bookings/idempotency-keys.ts'
import { newId } from '../../../store/new-id.ts'
import { checkCaptcha } from '../../check-captcha.ts'
import type { Context } from '../../context.ts'
import { addressHash, mailboxHash } from '../../mailbox-hash.ts'
import { attempt, type Prepare } from '../attempt.ts'
import { type BookedToPay, openPayment, payeeOf } from '../payments/open.ts'
import { answerOnce, retryOf } from './idempotency.ts'
import { KnownEventType } from './known-event-type.ts'
import { clientTags } from './mail-cap.ts'
import { codeHash } from './verify-email.ts'

/** What comes with a request to book, beside its body. */
interface BookOptions {
  readonly clientAddress: string
  readonly access?: GuestAccess
  readonly idempotencyKey: string | undefined
  /** The event type's own people have sent it, so it needs no CAPTCHA. */
  readonly isTrusted?: boolean
  /** What a program keeps with the booking. */
  readonly metadata?: Booking['metadata']
}

/**
 * Books a slot of this event type, or throws a `Problem` that says why not.
 *
 * `known` may be a minute old: its revisions are compared under the lock.
 */
export async function book(
  context: Context,
  known: BookableEventType,
  request: BookingRequest,
  { clientAddress, access = {}, idempotencyKey, isTrusted = false, metadata }: BookOptions,
): Promise<BookedToPay> {
  const event = new KnownEventType(context, known, (bookable) => openedBy(bookable, access))
  const understand = understanding(context, request)
  // What cannot be understood is refused before anything is remembered about it.
  await event.read(understand)
  const checkGuest = guestCheck(context, request, clientAddress, isTrusted)
  const once = (retry: Retry | undefined) => {
    const prepare = async (bookable: BookableEventType) => {
      await checkGuest(bookable)
      const requested = understand(bookable)
      const guests = readGuests(request.guests, bookable.eventType, request.inviteeEmail)
      const { confirmEmail } = bookable.eventType
      return {
        ...wantedAt(context, bookable, { ...requested, guests, ...(metadata && { metadata }) }),
        author: { by: 'guest', clientOf: clientTags(context, clientAddress) } as const,
        access,
        holdId: request.holdId,
        ...(bookable.eventType.price && { payTo: await payeeOf(context, bookable.eventType) }),
        ...(confirmEmail && { proof: proofOf(context, bookable, requested, request.emailCode ?? '') }),
        retry,
      }
    }
    return take(context, event, prepare)
  }
  if (idempotencyKey === undefined) return openPayment(context, await once(undefined))
  const retry = retryOf(known.eventType.id, idempotencyKey, request)
  // Concurrent repeats of one request wait for each other, so that only the first spends the CAPTCHA solution.
  return context.slots.inTurn([`${retry.eventTypeId} ${retry.key}`], async () => {
    const { captcha } = known.eventType.abuse
    const booked = await answerOnce(context, retry, captcha !== '', () => once(retry))
    return booked.payment === undefined ? booked : openOnce(context, retry, booked)
  })
}

/** Opens the payment of a booking. If that can't be, the key has no answer: a repeat books again. */
async function openOnce(context: Context, retry: Retry, booked: Booked): Promise<BookedToPay> {
  try {
    return await openPayment(context, booked)
  } catch (error) {
    if (booked.checkout !== undefined) await deleteAnswer(context.db, retry.eventTypeId, retry.key)
    throw error
  }
}

/** Reads the request by an event type's settings, once for each version of them. */
function understanding({ slots }: Context, request: BookingRequest) {
  let last: { readonly by: EventType; readonly requested: RequestedBooking } | undefined
  return ({ eventType }: BookableEventType): RequestedBooking => {
    if (last?.by !== eventType) {
      last = { by: eventType, requested: readBookingRequest(request, eventType, slots.zones) }
    }
    return last.requested
  }
}

/** Checks that a guest is welcome. A CAPTCHA solution is good for one check, so that is made once. */
function guestCheck(context: Context, request: BookingRequest, clientAddress: string, isTrusted: boolean) {
  let solved = isTrusted
  return async ({ eventType, blocklist }: BookableEventType): Promise<void> => {
    if (eventType.abuse.honeypot && (request.honeypotValue ?? '') !== '') throw automated()
    if (!solved) {
      await checkCaptcha(context, eventType, 'book', { token: request.captchaToken ?? '', clientAddress })
      solved = eventType.abuse.captcha !== ''
    }
    const emails = [request.inviteeEmail, ...(request.guests ?? [])]
    if (emails.some((email) => isBlocked(email, blocklist))) throw notAccepted()
  }
}

const automated = () =>
  new Problem('honeypot_filled', sentence`This booking looks automated. Leave the hidden field empty.`)

// The sentence must not reveal that a blocklist exists.
const notAccepted = () => new Problem('email_blocked', sentence`This booking could not be accepted.`)

/** What is wanted of an event type at the requested times; throws `slot_unavailable` if no meeting can start then. */
export function wantedAt(
  { slots }: Context,
  current: BookableEventType,
  requested: WantedBooking['requested'],
): Pick<WantedBooking, 'bookable' | 'requested' | 'starts' | 'zone' | 'duplicateKey'> {
  const { startsAt, endsAt, invitee } = requested
  // Starts are whole minutes, and the database cannot compare a fraction of a millisecond.
  if (startsAt % MINUTE !== 0) throw slotUnavailable()
  const bookable = ofLength(current, (endsAt - startsAt) / MINUTE)
  const zone = seriesZone(bookable, slots.zones)
  const { detectDuplicates } = bookable.eventType.abuse
  const duplicateKey = detectDuplicates ? canonicalEmail(invitee.email) : newId()
  return { bookable, requested, starts: startsOf(requested, zone), zone, duplicateKey }
}

/** Takes the slot if it is free. */
export async function take(
  context: Context,
  event: KnownEventType,
  prepare: (bookable: BookableEventType) => WantedBooking | Promise<WantedBooking>,
): Promise<Booked> {
  let wanted: WantedBooking | undefined
  const plan: Prepare<Booked> = event.planning(async (bookable) => {
    wanted = await prepare(bookable)
    return planBooking(wanted, context.now())
  })
  const booking = await attempt(context, plan, (refusal) => sayIfTheirs(context, wanted, refusal))
  const hostIds = wanted?.bookable.hostIds ?? []
  context.slots.bookingsChanged(hostIds, booking.following ? undefined : booking.startsAt)
  context.outbox.wake(['announce'])
  return booking
}

/** Tells a host, and a guest who has proven the address, that it has this slot already. Others must not learn who booked when. */
async function sayIfTheirs(
  { db }: Context,
  wanted: WantedBooking | undefined,
  refusal: Problem,
): Promise<Problem> {
  if (refusal.code !== 'slot_unavailable' && refusal.code !== 'duplicate_booking') return refusal
  if (wanted === undefined) return refusal
  const { bookable, starts, duplicateKey, zone, requested, author, proof } = wanted
  const mayKnow = author.by !== 'guest' || proof !== undefined
  if (!mayKnow && refusal.code === 'slot_unavailable') return refusal
  const theirs = await Promise.all(
    starts.map((start) => hasDuplicate(db, bookable.eventType.id, start, duplicateKey)),
  )
  const booked = starts.filter((_, index) => theirs[index])
  if (!mayKnow) {
    return requested.repeat === undefined ? slotUnavailable() : new SeriesUnavailable(booked, zone)
  }
  if (booked.length === 0) return refusal
  return requested.repeat === undefined ? duplicateBooking() : new SeriesBooked(booked, zone)
}

function proofOf(
  context: Context,
  { eventType }: BookableEventType,
  { invitee }: RequestedBooking,
  typed: string,
): Proof {
  const address = addressHash(invitee.email)
  const code = typed.replaceAll(/\s/g, '')
  const mailbox = mailboxHash(invitee.email)
  return {
    address,
    mailbox,
    codeHash: code === '' ? undefined : codeHash(context, eventType.id, address, code),
  }
}
