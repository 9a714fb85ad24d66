import { randomUUIDv7 } from 'node:crypto'
import { partOf } from '../../domain/bookings/assignment.ts'
import type { Booking } from '../../domain/bookings/booking.ts'
import type { GuestAccess } from '../../domain/bookings/guest-access.ts'
import { partyOf, readGuests } from '../../domain/bookings/guests.ts'
import {
  type BookingRequest,
  type RequestedBooking,
  readBookingRequest,
} from '../../domain/bookings/request.ts'
import { SeriesBooked } from '../../domain/bookings/series.ts'
import { isBlocked } from '../../domain/event-types/blocklist.ts'
import { MINUTE } from '../../domain/interval.ts'
import { canonicalEmail } from '../../domain/people/contact.ts'
import { guestKey } from '../../domain/people/guest-key.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import type { Claim, HostAvailability } from '../../domain/slots/openings.ts'
import type { Zone } from '../../domain/zone.ts'
import { hasDuplicate } from '../../store/bookings/bookings.ts'
import type { Ledger, MailedCode } from '../../store/bookings/ledger.ts'
import { type Decision, decideUnderLock } from '../../store/bookings/write-path.ts'
import { findUserByEmail } from '../../store/people/users.ts'
import { checkCaptcha } from '../check-captcha.ts'
import type { Context } from '../context.ts'
import { type BookableEventType, ofLength, openedBy } from '../slots/bookable.ts'
import { CalendarAnswers, spanOf } from './ask-calendars.ts'
import { type Author, auditOf } from './change-state.ts'
import { announcementOf, recordOf } from './emit.ts'
import { answerOf, answerOnce, type Retry, readAnswer, retryOf } from './idempotency.ts'
import { addressHash, checkMails, mailedSince, mayGetMore, TooManyMails } from './mail-cap.ts'
import { checkOpen, TooManyOpen } from './open-cap.ts'
import { requireUnspent, requireUsable } from './open-event-type.ts'
import {
  type ChosenForAll,
  chooseGroupForAll,
  type SeriesOptions,
  seriesZone,
  startsOf,
} from './place-series.ts'
import {
  balancesOf,
  chooseGroup,
  claimsFor,
  duplicateBooking,
  findFreeGroups,
  findJoinedMeeting,
  hostIdsOf,
  lowestFreeSeat,
  questionAbout,
  refusalOf,
  requireCurrent,
  requireSeats,
  slotUnavailable,
  withCurrentSettings,
} from './placing.ts'
import { codeHash } from './verify-email.ts'

/** What comes with a request to book, beside its body. */
export interface BookOptions {
  readonly clientAddress: string
  readonly access?: GuestAccess
  readonly idempotencyKey: string | undefined
}

/** A new booking; of a series, the first one and those that follow it. */
export type Booked = Booking & { readonly following?: readonly Booking[] }

/**
 * Books a slot of this event type, or throws a `Problem` that says why not.
 *
 * `known` may be a minute old: its revisions are compared under the lock.
 */
export async function book(
  context: Context,
  known: BookableEventType,
  request: BookingRequest,
  { clientAddress, access = {}, idempotencyKey }: BookOptions,
): Promise<Booked> {
  // A CAPTCHA solution is good for one check; settings that change meanwhile must not ask for another.
  let solved = false
  const checkGuest = async (bookable: BookableEventType) => {
    checkHoneypot(bookable, request)
    if (!solved) {
      await checkCaptcha(context, bookable.eventType, 'book', request.captchaToken ?? '', clientAddress)
      solved = bookable.eventType.abuse.captcha !== ''
    }
    checkBlocklist(bookable, request)
  }
  // What cannot be understood is refused before anything is remembered about it.
  const understood = await refusingByFreshSettings(context, known, access, async ({ eventType }) => {
    readBookingRequest(request, eventType, context.slots.zones)
  })
  const reload = async () => openedBy(await context.slots.reloadBookable(known), access)
  const calendars = new CalendarAnswers()
  const attempt = (retry: Retry | undefined) =>
    withCurrentSettings(understood, reload, async (current) => {
      const bookable = await refusingByFreshSettings(context, current, access, checkGuest)
      const requested = {
        ...readBookingRequest(request, bookable.eventType, context.slots.zones),
        guests: readGuests(request.guests, bookable.eventType, request.inviteeEmail),
      }
      const length = requested.endsAt - requested.startsAt
      const spans = startsOf(bookable, requested, context.slots.zones).map((startsAt) =>
        spanOf(bookable, { startsAt, endsAt: startsAt + length }),
      )
      const booking = await calendars.asking(context, spans, () =>
        takeWithinCaps(context, ofLength(bookable, length / MINUTE), requested, retry, {
          calendars,
          access,
          holdId: request.holdId,
          ...(bookable.eventType.confirmEmail && {
            proof: proofOf(context, bookable, requested, request.emailCode ?? ''),
          }),
        }),
      )
      context.slots.bookingsChanged(bookable.hostIds, booking.following ? undefined : booking.startsAt)
      context.outbox.wake(['announce'])
      return booking
    })
  if (idempotencyKey === undefined) return attempt(undefined)
  const retry = retryOf(known.eventType.id, idempotencyKey, request)
  // Concurrent repeats of one request wait for each other, so that only the first spends the CAPTCHA solution.
  return context.slots.inTurn([`${retry.eventTypeId} ${retry.key}`], () =>
    answerOnce(context, retry, known.eventType.abuse.captcha !== '', () => attempt(retry)),
  )
}

/** Runs a check; a refusal by settings that may be outdated is checked again with fresh ones, which are returned. */
async function refusingByFreshSettings(
  context: Context,
  known: BookableEventType,
  access: GuestAccess,
  check: (bookable: BookableEventType) => Promise<void>,
): Promise<BookableEventType> {
  try {
    await check(known)
    return known
  } catch (error) {
    if (!(error instanceof Problem) || context.now() < known.freshUntil) throw error
    const { scheduler, eventType } = known
    const fresh = openedBy(await context.slots.getBookable(scheduler.slug, eventType.slug), access)
    await check(fresh)
    return fresh
  }
}

function checkHoneypot({ eventType }: BookableEventType, { honeypotValue = '' }: BookingRequest): void {
  if (eventType.abuse.honeypot && honeypotValue !== '') {
    throw new Problem(
      'honeypot_filled',
      sentence`This booking looks automated. Leave the hidden field empty.`,
    )
  }
}

function checkBlocklist(
  { blocklist }: BookableEventType,
  { inviteeEmail, guests = [] }: BookingRequest,
): void {
  // The sentence must not reveal that a blocklist exists.
  if ([inviteeEmail, ...guests].some((email) => isBlocked(email, blocklist))) {
    throw new Problem('email_blocked', sentence`This booking could not be accepted.`)
  }
}

/** Which limits of a guest apply. */
interface Caps {
  /** Whose mails are not counted, as `guestKey` writes them; false: nobody's are. */
  readonly mails: { readonly lifted: ReadonlySet<string> } | false
  readonly open: boolean
}

/** What is asked for, with those who come. */
export type RequestedMeeting = RequestedBooking & Pick<Booking, 'guests'>

/** Takes the slot, unless a stranger would get too many mails about bookings, or a guest has too many ahead. */
async function takeWithinCaps(
  context: Context,
  bookable: BookableEventType,
  requested: RequestedMeeting,
  retry: Retry | undefined,
  how: Omit<TakeOptions, 'author'>,
  caps: Caps = { mails: { lifted: new Set() }, open: true },
): Promise<Booked> {
  try {
    return await take(context, bookable, requested, retry, caps, how)
  } catch (error) {
    const lifted = await liftedCaps(context, requested.invitee.email, caps, error)
    if (lifted === undefined) throw error
    return takeWithinCaps(context, bookable, requested, retry, how, lifted)
  }
}

/** The caps without the one that refused this guest, if they are excepted. Asked late: hardly anyone gets this far. */
async function liftedCaps(
  context: Context,
  email: string,
  caps: Caps,
  error: unknown,
): Promise<Caps | undefined> {
  if (error instanceof TooManyMails) {
    if (caps.mails === false || !(await mayGetMore(context, error.email))) return undefined
    return { ...caps, mails: { lifted: new Set([...caps.mails.lifted, guestKey(error.email)]) } }
  }
  if (!(error instanceof TooManyOpen)) return undefined
  return (await findUserByEmail(context.db, email)) === undefined ? undefined : { ...caps, open: false }
}

interface TakeOptions {
  /** A guest unless said. */
  readonly author?: Author
  /** Undefined for a host, who knows their own calendar. */
  readonly calendars?: CalendarAnswers
  readonly access?: GuestAccess
  /** The hold that keeps this time for the guest. It is not in their way. */
  readonly holdId?: string | undefined
  /** The code that the guest typed, where addresses are confirmed. */
  readonly proof?: Proof
}

interface Proof {
  readonly address: string
  /** A hash of what was typed; undefined: nothing was. */
  readonly codeHash: string | undefined
}

function proofOf(
  context: Context,
  { eventType }: BookableEventType,
  { invitee }: RequestedBooking,
  typed: string,
): Proof {
  const address = addressHash(invitee.email)
  const code = typed.replaceAll(/\s/g, '')
  return { address, codeHash: code === '' ? undefined : codeHash(context, eventType.id, address, code) }
}

/** Takes the slot if it is free. What a host books is confirmed at once. */
export async function take(
  context: Context,
  bookable: BookableEventType,
  requested: RequestedMeeting,
  retry: Retry | undefined,
  caps: Caps,
  how: TakeOptions = {},
): Promise<Booked> {
  const { startsAt } = requested
  // Starts are whole minutes, and the database cannot compare a fraction of a millisecond.
  if (startsAt % MINUTE !== 0) throw slotUnavailable()
  const { zones } = context.slots
  const starts = startsOf(bookable, requested, zones)
  const zone = seriesZone(bookable, zones)
  const duplicateKey = duplicateKeyOf(bookable, requested)
  const emails = [requested.invitee.email, ...requested.guests]
  const guests = { keys: emails.map(guestKey), from: mailedSince(context.now()) }
  const question = {
    ...questionAbout(bookable, starts),
    ...(retry && { retry }),
    ...((caps.mails || caps.open) && { guests }),
    ...(how.access?.link && { linkId: how.access.link.id }),
    ...(how.access?.routed && { responseId: how.access.routed.id }),
    ...(how.proof && {
      emailCode: { eventTypeId: bookable.eventType.id, address: how.proof.address },
    }),
  }
  try {
    const made = await decideUnderLock(context.db, question, (ledger) => {
      return decideBooking(
        ledger,
        bookable,
        requested,
        { ...how, caps, emails, duplicateKey, starts, zone },
        retry,
        context.now(),
      )
    })
    if (made instanceof Problem) throw made
    return made
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal?.code !== 'slot_unavailable' && refusal?.code !== 'duplicate_booking') throw refusal ?? error
    // Tell a guest that they already have this slot.
    const isTheirs = (start: number) => hasDuplicate(context.db, bookable.eventType.id, start, duplicateKey)
    if (requested.repeat === undefined) throw (await isTheirs(startsAt)) ? duplicateBooking() : refusal
    const theirs = await Promise.all(starts.map(isTheirs))
    const booked = starts.filter((_, index) => theirs[index])
    throw booked.length > 0 ? new SeriesBooked(booked, zone) : refusal
  }
}

function decideBooking(
  ledger: Ledger,
  bookable: BookableEventType,
  requested: RequestedMeeting,
  {
    caps,
    emails,
    duplicateKey,
    author = { by: 'guest' },
    calendars,
    access: { link, routed } = {},
    holdId,
    proof,
    starts,
    zone,
  }: TakeOptions & {
    readonly caps: Caps
    /** Of the guest and those whom they bring. */
    readonly emails: readonly string[]
    readonly duplicateKey: string
    readonly starts: readonly number[]
    readonly zone: Zone
  },
  retry: Retry | undefined,
  now: number,
): Decision<Booked | Problem> {
  const remembered = retry && readAnswer(ledger.answerTo(retry.eventTypeId, retry.key), retry, now)
  if (remembered !== undefined) return { writes: {}, result: remembered }
  requireCurrent(bookable, ledger)
  if (link !== undefined) requireUsable(ledger.findLink(link.id), now)
  if (routed !== undefined) requireUnspent(ledger.findResponse(routed.id), now)
  const code = proof && ledger.findCode(bookable.eventType.id, proof.address)
  // A wrong code is counted, so this refusal writes something.
  if (proof && !isProven(proof, code, now)) return refuseCode(proof, code)
  if (caps.mails) {
    // Who has just used a code has answered us.
    const { lifted } = caps.mails
    const proven = proof ? new Set([...lifted, guestKey(requested.invitee.email)]) : lifted
    checkMails(ledger, emails, proven, now)
  }
  if (caps.open) checkOpen(ledger, bookable.eventType.id, guestKey(requested.invitee.email), now)

  const isOwnHold = (claim: Claim) =>
    holdId !== undefined && claim.eventTypeId === bookable.eventType.id && ledger.isHold(claim, holdId)
  const claimsOf = (hostId: string) => {
    const claims = ledger.claimsOf(hostId)
    return holdId === undefined ? claims : claims.filter((claim) => !isOwnHold(claim))
  }
  const { groups, assignment } = chooseGroups(ledger, bookable, starts, { claimsOf, zone, now, calendars })
  const needsApproval = author.by === 'guest' && bookable.eventType.requiresApproval
  const { repeat, ...given } = requested
  const made = { status: needsApproval ? 'PendingApproval' : 'Confirmed', createdAt: now } as const
  const through = {
    ...(link && { linkId: link.id }),
    ...(routed && { routing: { formId: routed.formId, responseId: routed.id } }),
  }
  const ids = starts.map(() => randomUUIDv7())
  const [id = ''] = ids
  const meetings = starts.map((startsAt, index) => {
    const group = groups[index] as readonly HostAvailability[]
    const joined = findJoinedMeeting(bookable, group, startsAt)
    requireSeats(bookable, joined, partyOf(requested))
    // A meeting that takes place anyway can be joined, whatever else its hosts have then.
    if (joined === undefined) calendars?.require(bookable, group)
    const place = repeat && { ...repeat, id, index, firstAt: requested.startsAt, timeZone: zone.id }
    const endsAt = startsAt + bookable.rules.duration
    const details = { ...given, startsAt, endsAt, ...made, ...through, ...(place && { series: place }) }
    const booking = newBooking(bookable, details, ids[index] as string, joined?.meetingId)
    // The host whose turn it is comes first.
    const hostIds = hostIdsOf(group)
    const announcement = announcementOf(
      recordOf(booking, {
        type: 'created',
        by: author.by,
        reason: '',
        previousStatus: null,
        previousStartsAt: null,
        hostIds,
        formerHostIds: [],
        ...(repeat && { together: index === 0 ? ids : [] }),
        at: now,
      }),
    )
    const added = {
      booking,
      schedulerId: bookable.scheduler.id,
      hostId: hostIds[0] as string,
      seat: lowestFreeSeat(joined && ledger.takenSeats(joined.meetingId)),
      seats: bookable.rules.seats,
      // A series takes one turn, of which each meeting can give its part back.
      ...(assignment && { assignment: partOf(assignment, starts.length) }),
      duplicateKey,
    }
    return {
      added,
      claims: joined === undefined ? claimsFor(bookable, group, booking) : [],
      announcement,
      audit: auditOf(author, added, 'created', now),
    }
  })
  const [booking, ...following] = meetings.map(({ added }) => added.booking) as [Booking, ...Booking[]]
  const booked = repeat === undefined ? booking : { ...booking, following }
  return {
    writes: {
      bookings: meetings.map(({ added }) => added),
      ...(author.by === 'guest' && booking.guests.length > 0 && { guestMails: mailsTo(booking, now) }),
      claims: meetings.flatMap(({ claims }) => claims),
      jobs: meetings.map(({ announcement }) => announcement),
      ...(assignment && { balances: balancesOf(bookable.eventType.id, assignment, now) }),
      ...(link && { spentLinks: [link.id] }),
      ...(routed && { spentResponses: [{ id: routed.id, bookingId: booking.id }] }),
      ...(code && { usedCodes: [code] }),
      ...(holdId !== undefined &&
        bookable.hostIds.some((id) => ledger.claimsOf(id).some(isOwnHold)) && { freedHolds: [holdId] }),
      audit: meetings.flatMap(({ audit }) => audit),
      ...(retry && { answers: [answerOf(retry, { booking: booked }, now)] }),
    },
    result: booked,
  }
}

/** Wrong codes that are forgiven: a stranger could guess one in 200,000 times five tries. */
const MOST_TRIES = 5

const isProven = ({ codeHash }: Proof, code: MailedCode | undefined, now: number): boolean =>
  code !== undefined && code.tries < MOST_TRIES && now < code.expiresAt && code.codeHash === codeHash

function refuseCode({ codeHash }: Proof, code: MailedCode | undefined): Decision<Problem> {
  const reason =
    codeHash === undefined
      ? sentence`Please confirm your email address: request a code, and send it along (emailCode).`
      : sentence`This code is wrong or has expired. Please request a new one.`
  const counts = code !== undefined && codeHash !== undefined
  return { writes: counts ? { failedCodes: [code] } : {}, result: new Problem('email_unconfirmed', reason) }
}

/** The hosts of each meeting, and the turn that they use up. */
function chooseGroups(
  ledger: Ledger,
  bookable: BookableEventType,
  starts: readonly number[],
  { claimsOf, zone, now, calendars }: SeriesOptions,
): ChosenForAll {
  const [startsAt] = starts
  if (startsAt === undefined || starts.length > 1) {
    return chooseGroupForAll(bookable, ledger, starts, { claimsOf, zone, now, calendars })
  }
  const every = findFreeGroups(bookable, claimsOf, startsAt, now)
  const free = calendars?.bookable(bookable, every) ?? every
  const { group, ...how } = chooseGroup(bookable, ledger, free)
  return { groups: [group], ...how }
}

const mailsTo = ({ id, guests }: Booking, now: number) =>
  guests.map((email, position) => ({ bookingId: id, position, guest: guestKey(email), sentAt: now }))

function newBooking(
  { eventType }: BookableEventType,
  details: Omit<Booking, 'id' | 'eventTypeId' | 'meetingId' | 'sequence' | 'reason'>,
  id: string,
  meetingId: string | undefined,
): Booking {
  return { ...details, id, eventTypeId: eventType.id, meetingId: meetingId ?? id, sequence: 0, reason: '' }
}

function duplicateKeyOf({ eventType }: BookableEventType, { invitee }: RequestedBooking): string {
  return eventType.abuse.detectDuplicates ? canonicalEmail(invitee.email) : randomUUIDv7()
}
