import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openedBy } from '../../../domain/bookings/bookable.ts'
import { readReason } from '../../../domain/bookings/change-request.ts'
import type { Author } from '../../../domain/bookings/decisions/author.ts'
import { stateConflict } from '../../../domain/bookings/decisions/refusals.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import { isActive } from '../../../domain/bookings/states.ts'
import { invalidField, Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { Type } from '../../../format/type.ts'
import { cancel } from '../../../services/bookings/cancel.ts'
import { book } from '../../../services/bookings/guest/book.ts'
import { type GuestBooking, getGuestBooking } from '../../../services/bookings/guest/guest-view.ts'
import { findHoldId } from '../../../services/bookings/guest/hold.ts'
import { clientTags } from '../../../services/bookings/guest/mail-cap.ts'
import { reschedule } from '../../../services/bookings/guest/reschedule.ts'
import { approve } from '../../../services/bookings/host/approve.ts'
import { changeAsHost } from '../../../services/bookings/host/change-as-host.ts'
import { decline } from '../../../services/bookings/host/decline.ts'
import {
  countChange,
  countForUser,
  type HostMailLimits,
  type MailedChange,
} from '../../../services/bookings/host/host-mails.ts'
import { markNoShow, undoNoShow } from '../../../services/bookings/host/mark-no-show.ts'
import { describeBookings } from '../../../services/bookings/reports/describe.ts'
import { getBooking } from '../../../services/bookings/reports/list.ts'
import type { Context } from '../../../services/context.ts'
import type { Principal } from '../../../services/people/sign-in/principal.ts'
import type { RateLimit } from '../../../store/rate-limits.ts'
import { clientAddress, countRequest } from '../../gate.ts'
import type { CountGuess } from '../../old-uids.ts'
import type { BookingCounter } from '../../public/scheduling.ts'
import { CreateBooking, CreateOlderBooking, readBooking, readOlderBooking } from './booking-input.ts'
import { pageOfBookings, paginationOf, takeBookings, takeIn } from './booking-list.ts'
import { factsFor, toBooking, toOlderBooking } from './booking-views.ts'
import { success } from './envelope.ts'
import {
  bodyOf,
  findBookable,
  findPrincipal,
  instantIn,
  isOwn,
  numberIn,
  type Query,
  requirePrincipal,
} from './request.ts'
import { readUid } from './uids.ts'
import { isSince, requireSince } from './versions.ts'

export interface BookingOptions {
  readonly context: Context
  readonly counted: BookingCounter
  /** Of guests' changes to their bookings. */
  readonly changes: RateLimit
  readonly countGuess: CountGuess
  readonly mailLimits: HostMailLimits
}

const Reason = Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()]))
const SeatUid = Type.Optional(Type.String({ maxLength: 200 }))

const CancelBooking = Type.Object({
  cancellationReason: Reason,
  cancelSubsequentBookings: Type.Optional(Type.Boolean()),
  // Before 2024-08-13.
  allRemainingBookings: Type.Optional(Type.Boolean()),
  seatUid: SeatUid,
})

const RescheduleBooking = Type.Object({
  start: Type.String({ maxLength: 64 }),
  reschedulingReason: Reason,
  seatUid: SeatUid,
})

const DeclineBooking = Type.Object({ reason: Reason })

const MarkAbsent = Type.Object({
  host: Type.Optional(Type.Boolean()),
  attendees: Type.Optional(
    Type.Array(Type.Object({ email: Type.String({ maxLength: 254 }), absent: Type.Boolean() }), {
      minItems: 1,
      maxItems: 100,
    }),
  ),
})

/** Bookings, for guests who have the uid of theirs, and for hosts. */
export function addBookingRoutes(app: FastifyInstance, options: BookingOptions): void {
  const { context } = options
  const change = (
    path: string,
    status: number,
    run: (request: FastifyRequest, reply: FastifyReply) => Promise<Change>,
  ) =>
    app.post(`/bookings/:uid/${path}`, async (request, reply) => {
      const made = await run(request, reply)
      const changed = await apply(options, request, reply, made)
      const view = await viewOf(context, request, changed)
      if (isSince(request, '2024-08-13')) return reply.code(status).send(success(view))
      const { id, uid } = view as { readonly id: number; readonly uid: string }
      return reply.code(201).send(success({ bookingId: id, bookingUid: uid, onlyRemovedAttendee: false }))
    })

  app.post('/bookings', async (request, reply) => create(options, request, reply))
  app.get('/bookings', async (request) => list(context, request))
  app.get('/bookings/:uid', async (request, reply) =>
    success(await viewOf(context, request, await find(options, request, reply))),
  )
  change('cancel', 200, async (request) => cancelling(context, request))
  change('reschedule', 201, async (request) => {
    requireSince(request, '2024-08-13')
    return rescheduling(context, request)
  })
  change('confirm', 200, async (request) => {
    requireSince(request, '2024-08-13')
    return {
      byHostOnly: true,
      mails: { to: 'guest', ends: false },
      run: (author, seen) => approve(context, author, seen, { undoFor: 0 }),
      check: (seen) => requirePending(seen),
    }
  })
  change('decline', 200, async (request) => {
    requireSince(request, '2024-08-13')
    const reason = readReason(bodyOf(request, DeclineBooking).reason ?? undefined)
    return {
      byHostOnly: true,
      mails: { to: 'guest', ends: true },
      run: (author, seen) => decline(context, author, seen, { reason, undoFor: 0 }),
      check: (seen) => requirePending(seen),
    }
  })
  change('mark-absent', 200, async (request) => {
    requireSince(request, '2024-08-13')
    return marking(context, request)
  })
}

async function create(
  { context, counted }: BookingOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isNewer = isSince(request, '2024-08-13')
  const principal = await findPrincipal(context, request)
  const body = isNewer ? bodyOf(request, CreateBooking) : bodyOf(request, CreateOlderBooking)
  const opening = findBookable(context, body).then((found) => ({
    bookable: openedBy(found, {}),
    access: {},
  }))
  const { bookable } = await counted(request, reply, opening)
  const {
    startsAt,
    request: wanted,
    metadata,
  } = 'attendee' in body
    ? readBooking(body as Parameters<typeof readBooking>[0], bookable.eventType)
    : readOlderBooking(body as Parameters<typeof readOlderBooking>[0], bookable.eventType)
  const holder = { clientAddress: clientAddress(request), userId: principal?.userId }
  const holdId = await findHoldId(context, bookable, startsAt, holder)
  const booked = await book(
    context,
    bookable,
    { ...wanted, ...(holdId !== undefined && { holdId }) },
    {
      clientAddress: holder.clientAddress,
      idempotencyKey: undefined,
      isTrusted: await isOwn(context, principal, bookable.eventType.id),
      ...(metadata && { metadata }),
    },
  )
  const all = [booked, ...(booked.following ?? [])]
  const made = await Promise.all(all.map(({ id }) => getGuestBooking(context, id)))
  const views = (await viewsOf(context, request, made)).map((view) => ({ ...view, ...toPay(booked) }))
  return reply.code(201).send(success(booked.following === undefined ? views[0] : views))
}

/** It is pending until it is paid: clients send their guest there. One payment is for all meetings of a series. */
const toPay = ({ paymentUrl, payBy }: Awaited<ReturnType<typeof book>>) =>
  paymentUrl === undefined || payBy === undefined
    ? {}
    : { paymentRequired: true, paymentUrl, payBy: new Date(payBy).toISOString() }

async function list(context: Context, request: FastifyRequest) {
  const principal = await requirePrincipal(context, request)
  const query = request.query as Query
  if (isSince(request, '2026-05-01')) {
    const { found, nextCursor } = await pageOfBookings(context, principal, request)
    const pagination = { hasMore: nextCursor !== null, nextCursor }
    return { ...success(await viewsOf(context, request, found, principal)), pagination }
  }
  if (isSince(request, '2024-08-13')) {
    const asked = takeIn(query)
    const found = await takeBookings(context, principal, query, asked)
    return {
      ...success(await viewsOf(context, request, found.found, principal)),
      pagination: paginationOf(found, asked),
    }
  }
  const skip = numberIn(query, 'cursor', 0, 1_000_000) ?? 0
  const take = numberIn(query, 'limit', 1, 250) ?? 10
  const kinds = query['filters[status]'] === undefined ? { ...query, status: 'upcoming' } : query
  const { found, total } = await takeBookings(context, principal, kinds, { skip, take })
  return success({
    bookings: await viewsOf(context, request, found, principal),
    recurringInfo: [],
    totalCount: total,
    nextCursor: total > skip + take ? skip + take : null,
  })
}

const uidIn = (request: FastifyRequest) => (request.params as { uid: string }).uid

/** A booking, and who found it without its whole uid. */
interface Found {
  readonly listed: ListedBooking
  readonly principal?: Principal | undefined
}

/** A booking for its guest, by its uid, or for those who see it with their token; throws `not_found`. */
async function find(options: BookingOptions, request: FastifyRequest, reply: FastifyReply): Promise<Found> {
  const { context, countGuess } = options
  const { id, isSecret, isGuess } = await readUid(context, uidIn(request))
  const principal = await findPrincipal(context, request)
  if (isGuess && !(await isHost(context, principal, id))) await countGuess(request, reply)
  if (principal === undefined || isSecret) {
    if (!isSecret) throw noSuchBooking()
    return { listed: await getGuestBooking(context, id) }
  }
  return { listed: await getBooking(context, principal, id), principal }
}

/** A change to a booking, which its guest may make unless only its host may. */
interface Change {
  readonly seatUid?: string | undefined
  readonly byHostOnly?: true
  /** Whom a host's change is mailed to; left out: no guest. */
  readonly mails?: MailedChange
  readonly check: (seen: ListedBooking) => void
  readonly run: (author: Author, seen: ListedBooking | GuestBooking) => Promise<ListedBooking>
}

/** Hosts act as such, and whoever else has the uid as the guest. */
async function apply(
  options: BookingOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  { seatUid, byHostOnly, mails, check, run }: Change,
): Promise<Found> {
  const { context, changes, countGuess, mailLimits } = options
  const { id, isSecret, isGuess } = await readUid(context, seatUid ?? uidIn(request))
  const principal = byHostOnly
    ? await requirePrincipal(context, request)
    : await findPrincipal(context, request)
  const actsAsHost = await isHost(context, principal, id)
  if (isGuess && !actsAsHost) await countGuess(request, reply)
  if (principal !== undefined && (byHostOnly || !isSecret || actsAsHost)) {
    const listed = await changeAsHost(context, principal, { id, expect: check }, async (author, seen) => {
      if (mails !== undefined) {
        await countForUser(mailLimits.changes, principal.userId)
        await countChange(context, mailLimits, seen, mails)
      }
      return run(author, seen)
    })
    return { listed, principal: isSecret ? undefined : principal }
  }
  await countRequest(changes, request, reply)
  if (!isSecret) throw noSuchBooking()
  const own = await getGuestBooking(context, id)
  check(own)
  const author = { by: 'guest', clientOf: clientTags(context, clientAddress(request)) } as const
  await run(author, own)
  return { listed: await getGuestBooking(context, id) }
}

async function isHost(context: Context, principal: Principal | undefined, id: string): Promise<boolean> {
  if (principal === undefined) return false
  return getBooking(context, principal, id).then(
    () => true,
    (error) => {
      if (error instanceof Problem) return false
      throw error
    },
  )
}

function cancelling(context: Context, request: FastifyRequest): Change {
  const body = bodyOf(request, CancelBooking)
  const reason = readReason(body.cancellationReason ?? undefined)
  const all = body.cancelSubsequentBookings === true || body.allRemainingBookings === true
  return {
    seatUid: body.seatUid,
    mails: { to: 'guest', ends: true },
    check: ({ booking }) => {
      if (!isActive(booking)) throw stateConflict(booking)
    },
    run: (author, seen) => cancel(context, author, seen, { reason, ...(all && { scope: 'following' }) }),
  }
}

function rescheduling(context: Context, request: FastifyRequest): Change {
  const body = bodyOf(request, RescheduleBooking)
  const startsAt = instantIn('start', body.start)
  const reason = readReason(body.reschedulingReason ?? undefined)
  return {
    seatUid: body.seatUid,
    mails: { to: 'guest', ends: false },
    check: ({ booking }) => {
      if (!isActive(booking)) throw stateConflict(booking)
    },
    run: (author, seen) => reschedule(context, author, seen, { startsAt, reason, scope: undefined }),
  }
}

/** Of those who come, only the guest who booked is known to have come or not. */
function marking(context: Context, request: FastifyRequest): Change {
  const { attendees = [] } = bodyOf(request, MarkAbsent)
  let absent: boolean | undefined
  return {
    byHostOnly: true,
    check: ({ booking }) => {
      const email = booking.invitee.email.toLowerCase()
      absent = attendees.find((one) => one.email.toLowerCase() === email)?.absent
      if (absent === undefined) throw invalidField('attendees', sentence`{field} is not valid.`)
    },
    run: async (author, seen) => {
      const wasAbsent = seen.booking.status === 'NoShow'
      if (absent === wasAbsent) return seen
      return absent ? markNoShow(context, author, seen) : undoNoShow(context, author, seen)
    },
  }
}

function requirePending({ booking }: ListedBooking): void {
  if (booking.status !== 'PendingApproval') throw stateConflict(booking)
}

async function viewOf(
  context: Context,
  request: FastifyRequest,
  { listed, principal }: Found,
): Promise<unknown> {
  const [view] = await viewsOf(context, request, [listed], principal)
  return view
}

/** With a principal, they are for someone who found them as such, and not by their uids. */
async function viewsOf(
  context: Context,
  request: FastifyRequest,
  found: readonly ListedBooking[],
  principal?: Principal,
) {
  const described = await describeBookings(context, found)
  const facts = await factsFor(context, described, principal)
  const view = isSince(request, '2024-08-13') ? toBooking : toOlderBooking
  return described.map((one) => view(one, facts))
}

const noSuchBooking = () =>
  new Problem('not_found', sentence`There is no such booking. Use the whole link, as it was sent to you.`)
