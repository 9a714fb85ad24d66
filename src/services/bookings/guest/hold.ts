import { createHmac, randomUUID } from 'node:crypto'
import { type BookableEventType, ofLength, openedBy } from '../../../domain/bookings/bookable.ts'
import { type Hold, planHold } from '../../../domain/bookings/decisions/decide-hold.ts'
import { slotUnavailable } from '../../../domain/bookings/decisions/refusals.ts'
import { readTimes } from '../../../domain/bookings/request.ts'
import { MINUTE } from '../../../domain/interval.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { deleteHold } from '../../../store/bookings/holds.ts'
import { checkCaptcha } from '../../check-captcha.ts'
import type { Context } from '../../context.ts'
import { isId } from '../../people/access.ts'
import { attempt } from '../attempt.ts'
import { KnownEventType } from './known-event-type.ts'
import { clientOf } from './mail-cap.ts'
import type { OpenedEventType } from './open-event-type.ts'

/** Keeps a slot for this client for a while, as a claim with an end; throws `slot_unavailable` if it is taken. */
export async function hold(
  context: Context,
  { bookable: known, access }: OpenedEventType,
  request: { readonly startTime: string; readonly endTime: string; readonly captchaToken?: string },
  clientAddress: string,
): Promise<Hold> {
  requireHolds(known)
  const client = holderOf(context, clientAddress)
  const { captchaToken: token = '' } = request
  await checkCaptcha(context, known.eventType, 'book', { token, clientAddress })
  const event = new KnownEventType(context, known, (bookable) => openedBy(bookable, access))
  let hostIds = known.hostIds
  const plan = event.planning((current) => {
    requireHolds(current)
    const { startsAt, endsAt } = readTimes(request, current.eventType)
    // Starts are whole minutes, and the database cannot compare a fraction of a millisecond.
    if (startsAt % MINUTE !== 0) throw slotUnavailable()
    hostIds = current.hostIds
    const bookable = ofLength(current, (endsAt - startsAt) / MINUTE)
    return planHold({ bookable, startsAt, client, id: randomUUID() })
  })
  const held = await attempt(context, plan)
  context.slots.bookingsChanged(hostIds)
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
  if (!isId(holdId)) throw new Problem('not_found', sentence`There is no such hold.`)
}

/** Throws `not_found` if times of this event type can't be held. */
export function requireHolds({ eventType }: BookableEventType): void {
  if (!eventType.holds) throw new Problem('not_found', sentence`Times of this event type can’t be held.`)
}

/** Whose hold it is. The client's address is not stored. */
const holderOf = ({ jwtSecret }: Context, address: string) =>
  createHmac('sha256', jwtSecret)
    .update(`hold ${clientOf(address)}`)
    .digest('base64url')
