import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type BookableEventType, openedBy } from '../../../domain/bookings/bookable.ts'
import { noSuchHold } from '../../../domain/bookings/decisions/decide-hold.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { MINUTE } from '../../../domain/interval.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { Type } from '../../../format/type.ts'
import { getGuestBooking } from '../../../services/bookings/guest/guest-view.ts'
import { dropHold, findHeld, hold } from '../../../services/bookings/guest/hold.ts'
import type { Context } from '../../../services/context.ts'
import { authenticate } from '../../../services/people/sign-in/principal.ts'
import { encodeListing } from '../../fast-listing.ts'
import { clientAddress } from '../../gate.ts'
import { LISTING_HEADERS } from '../../listing-head.ts'
import type { CountGuess } from '../../old-uids.ts'
import { nothingThere } from '../../problems.ts'
import type { BookingCounter } from '../../public/scheduling.ts'
import { success } from './envelope.ts'
import { bodyOf, findBookable, findPrincipal, instantIn, isOwn, type Query, textIn } from './request.ts'
import { eventTypeIn, NEWER, OLDER, readSlotQuery, type SlotNames } from './slot-query.ts'
import { type ReadUid, readUid } from './uids.ts'
import { requireSince, versionOf } from './versions.ts'

interface SlotOptions {
  readonly context: Context
  readonly counted: BookingCounter
  readonly countGuess: CountGuess
}

const ReserveSlot = Type.Object({
  eventTypeId: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
  slotStart: Type.String({ maxLength: 64 }),
  slotDuration: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440 })),
  reservationDuration: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440 })),
  captchaToken: Type.Optional(Type.String({ maxLength: 8192 })),
})

/** How long a time is kept unless someone says otherwise. */
const RESERVED_MINUTES = 5

/** Slots in their two shapes, and reservations, which are our holds. */
export function addSlotRoutes(app: FastifyInstance, options: SlotOptions): void {
  const { context, counted } = options
  app.get('/slots', async (request, reply) => {
    requireSince(request, '2024-09-04')
    return list(options, request, reply, NEWER)
  })
  app.get('/slots/available', async (request, reply) => {
    if (versionOf(request) > '2024-08-13') throw nothingThere()
    return list(options, request, reply, OLDER)
  })
  app.post('/slots/reservations', async (request, reply) => {
    requireSince(request, '2024-09-04')
    return reply.code(201).send(success(await reserve(context, counted, request, reply)))
  })
  app.get('/slots/reservations/:uid', async (request) => {
    requireSince(request, '2024-09-04')
    return success(await show(context, (request.params as { uid: string }).uid))
  })
  app.patch('/slots/reservations/:uid', async (request, reply) => {
    requireSince(request, '2024-09-04')
    const { uid } = request.params as { uid: string }
    if ((await findHeld(context, uid)) === undefined) throw noSuchHold()
    return success(await reserve(context, counted, request, reply, uid))
  })
  app.delete('/slots/reservations/:uid', async (request) => {
    requireSince(request, '2024-09-04')
    if (!(await dropHold(context, (request.params as { uid: string }).uid))) throw noSuchHold()
    return { status: 'success' }
  })
}

async function list(
  { context, countGuess }: SlotOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  names: SlotNames,
): Promise<FastifyReply> {
  const query = request.query as Query
  const bookable = await findBookable(context, eventTypeIn(query))
  const asked = readSlotQuery(context, query, names)
  const uid = textIn(query, 'bookingUidToReschedule') ?? textIn(query, 'rescheduleUid')
  const moved = uid === undefined ? undefined : await readUid(context, uid)
  if (moved?.isGuess) await countGuess(request, reply)
  // Only numbers that this process has met are answered before the app.
  await context.numbers.of('event-type', bookable.eventType.id)
  const json =
    moved === undefined
      ? await context.slots.listSpan(bookable.eventType.id, asked, { key: keyOf(request, names) })
      : await context.slots.listFrom(openedBy(bookable, {}), asked, await meetingOf(context, bookable, moved))
  const { bytes, encoding } = encodeListing(json, request.headers['accept-encoding'])
  reply.headers(LISTING_HEADERS)
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  return reply.send(bytes)
}

const keyOf = (request: FastifyRequest, { format }: SlotNames) => `calcom ${request.raw.url} ${format}`

/** The meeting whose own time is free for it; undefined if the uid opens none of this event type. */
async function meetingOf(
  context: Context,
  { eventType }: BookableEventType,
  { id, isSecret }: ReadUid,
): Promise<string | undefined> {
  if (!isSecret) return undefined
  const own = await getGuestBooking(context, id)
  return own.eventType.id === eventType.id && own.seats === 1 ? own.booking.meetingId : undefined
}

/** Keeps a time; with `moved`, that reservation moves there, or stays and lasts longer. */
async function reserve(
  context: Context,
  counted: BookingCounter,
  request: FastifyRequest,
  reply: FastifyReply,
  moved?: string,
) {
  const principal = await findPrincipal(context, request)
  const body = bodyOf(request, ReserveSlot)
  // Throws: only someone who is signed in may say how long.
  if (body.reservationDuration !== undefined && principal === undefined) await authenticate(context, '')
  const { bookable } = await counted(
    request,
    reply,
    findBookable(context, body).then((found) => ({ bookable: openedBy(found, {}), access: {} })),
  )
  const own = await isOwn(context, principal, bookable.eventType.id)
  if (body.reservationDuration !== undefined && !own) {
    throw new Problem('forbidden', sentence`Only the people of this event type can do this.`)
  }
  const minutes = body.slotDuration ?? bookable.eventType.durationMinutes
  const startsAt = instantIn('slotStart', body.slotStart)
  const endsAt = startsAt + minutes * MINUTE
  const { holdId, expiresAt } = await hold(
    context,
    { bookable, access: {} },
    {
      startTime: formatInstant(startsAt),
      endTime: formatInstant(endsAt),
      ...(body.captchaToken !== undefined && { captchaToken: body.captchaToken }),
    },
    { clientAddress: clientAddress(request), userId: principal?.userId },
    { ...(own && { asHost: { minutes: body.reservationDuration } }), ...(moved !== undefined && { moved }) },
  )
  return {
    eventTypeId: await context.numbers.of('event-type', bookable.eventType.id),
    slotStart: iso(startsAt),
    slotEnd: iso(endsAt),
    slotDuration: minutes,
    reservationUid: holdId,
    reservationDuration: body.reservationDuration ?? RESERVED_MINUTES,
    reservationUntil: iso(expiresAt),
  }
}

async function show(context: Context, uid: string) {
  const held = await findHeld(context, uid)
  if (held === undefined) throw noSuchHold()
  const { eventTypeId, startsAt, endsAt, expiresAt } = held
  return {
    eventTypeId: await context.numbers.of('event-type', eventTypeId),
    slotStart: iso(startsAt),
    slotEnd: iso(endsAt),
    slotDuration: (endsAt - startsAt) / MINUTE,
    reservationUid: uid,
    reservationUntil: iso(expiresAt),
  }
}

const iso = (instant: number) => new Date(instant).toISOString()
