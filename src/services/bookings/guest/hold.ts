import { createHmac, randomUUID } from 'node:crypto'
import { type BookableEventType, ofLength, openedBy } from '../../../domain/bookings/bookable.ts'
import { type Hold, noSuchHold, planHold } from '../../../domain/bookings/decisions/decide-hold.ts'
import { slotUnavailable } from '../../../domain/bookings/decisions/refusals.ts'
import { readTimes } from '../../../domain/bookings/request.ts'
import { MINUTE } from '../../../domain/interval.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { deleteHold, findHold, findHoldsAt, type HeldTime } from '../../../store/bookings/holds.ts'
import { checkCaptcha } from '../../check-captcha.ts'
import type { Context } from '../../context.ts'
import { isId } from '../../people/access.ts'
import { attempt } from '../attempt.ts'
import { KnownEventType } from './known-event-type.ts'
import { clientOf } from './mail-cap.ts'
import type { OpenedEventType } from './open-event-type.ts'

/** Who holds a time: a client by its address, and the user whose program it is. */
export interface Holder {
  readonly clientAddress: string
  readonly userId?: string | undefined
}

interface HoldOptions {
  /** The event type's own people hold it: they may even where guests can't, for so long, without a CAPTCHA. */
  readonly asHost?: { readonly minutes?: number | undefined }
  /** The hold that moves here, or stays and lasts longer, under the same id. */
  readonly moved?: string
}

/**
 * Keeps a slot for this client for a while, as a claim with an end; throws `slot_unavailable` if it is taken, and then a
 * hold that should have moved stays where it is.
 */
export async function hold(
  context: Context,
  { bookable: known, access }: OpenedEventType,
  request: { readonly startTime: string; readonly endTime: string; readonly captchaToken?: string },
  holder: Holder,
  { asHost, moved }: HoldOptions = {},
): Promise<Hold> {
  const requireHolding = (bookable: BookableEventType) =>
    asHost !== undefined && bookable.eventType.seats === 1 ? undefined : requireHolds(bookable)
  requireHolding(known)
  const client = tagsOf(context, holder).join(' ')
  const { clientAddress } = holder
  const { captchaToken: token = '' } = request
  if (asHost === undefined) await checkCaptcha(context, known.eventType, 'book', { token, clientAddress })
  const event = new KnownEventType(context, known, (bookable) => openedBy(bookable, access))
  let hostIds = known.hostIds
  const plan = event.planning((current) => {
    requireHolding(current)
    const { startsAt, endsAt } = readTimes(request, current.eventType)
    // Starts are whole minutes, and the database cannot compare a fraction of a millisecond.
    if (startsAt % MINUTE !== 0) throw slotUnavailable()
    hostIds = current.hostIds
    const bookable = ofLength(current, (endsAt - startsAt) / MINUTE)
    const lasts = asHost?.minutes === undefined ? undefined : asHost.minutes * MINUTE
    const id = moved ?? randomUUID()
    return planHold({ bookable, startsAt, client, id, lasts, isMoved: moved !== undefined })
  })
  const held = await attempt(context, plan)
  context.slots.bookingsChanged([...new Set([...hostIds, ...(held.formerHostIds ?? [])])])
  return held
}

/**
 * Gives the time back. One that has ended, or was booked, is no mistake.
 *
 * The id is enough: the link with which the time was held may be used up by now. `open` opens the event type for this guest,
 * and throws: only then whoever has no such id learns nothing of it.
 */
export async function releaseHold(
  context: Context,
  { userSlug, eventSlug }: { readonly userSlug: string; readonly eventSlug: string },
  holdId: string,
  open: () => Promise<OpenedEventType>,
): Promise<void> {
  const { eventType } = await context.slots.getBookable(userSlug, eventSlug)
  const hostIds = isId(holdId) ? await deleteHold(context.db, eventType.id, holdId) : []
  if (hostIds.length > 0) return context.slots.bookingsChanged(hostIds)
  requireHolds((await open()).bookable)
  if (!isId(holdId)) throw noSuchHold()
}

/** Throws `not_found` if times of this event type can't be held. */
export function requireHolds({ eventType }: BookableEventType): void {
  if (!eventType.holds) throw new Problem('not_found', sentence`Times of this event type can’t be held.`)
}

/** The hold by which this client, or another program of the same user, keeps a time; undefined: none. */
export async function findHoldId(
  context: Context,
  { eventType, hostIds }: BookableEventType,
  startsAt: number,
  holder: Holder,
): Promise<string | undefined> {
  const tags = tagsOf(context, holder)
  const found = await findHoldsAt(context.db, eventType.id, hostIds, startsAt)
  return found.find(({ client }) => client.split(' ').some((tag) => tags.includes(tag)))?.id
}

/** A time that is held, for whoever knows the id of the hold; undefined once it has ended. */
export async function findHeld({ db }: Context, holdId: string): Promise<HeldTime | undefined> {
  return isId(holdId) ? findHold(db, holdId) : undefined
}

/** Gives a held time back, by the id alone. Returns false if there is none. */
export async function dropHold(context: Context, holdId: string): Promise<boolean> {
  const held = await findHeld(context, holdId)
  if (held === undefined) return false
  const hostIds = await deleteHold(context.db, held.eventTypeId, holdId)
  context.slots.bookingsChanged(hostIds)
  return hostIds.length > 0
}

/** Whose hold it is. The client's address is not stored. */
function tagsOf({ jwtSecret }: Context, { clientAddress, userId }: Holder): string[] {
  const tagOf = (text: string) => createHmac('sha256', jwtSecret).update(`hold ${text}`).digest('base64url')
  return [clientOf(clientAddress), ...(userId === undefined ? [] : [`user ${userId}`])].map(tagOf)
}
