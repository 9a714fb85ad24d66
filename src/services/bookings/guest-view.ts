import { cancelUntil, isActive, rescheduleUntil } from '../../domain/bookings/states.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { Problem } from '../../domain/problem.ts'
import { findBooking, type ListedBooking } from '../../store/bookings/list.ts'
import { findEventTypeById } from '../../store/event-types/event-types.ts'
import { findScheduler } from '../../store/people/schedulers.ts'
import type { Context } from '../context.ts'
import { isId } from '../people/access.ts'
import { isManageToken, manageUrl } from './manage-link.ts'

/** A booking as its guest sees it, with what they may do. */
export interface GuestBooking extends ListedBooking {
  readonly eventType: EventType
  /** The user or team whose event type it is. */
  readonly scheduler: Scheduler
  readonly hostName: string
  readonly canCancel: boolean
  readonly canReschedule: boolean
  readonly cancelUntil: number
  readonly rescheduleUntil: number
  readonly manageUrl: string
}

/** Throws `not_found` unless this is the token of the booking's manage link. */
export function checkManageToken(context: Context, id: string, token: unknown): void {
  if (!isId(id) || typeof token !== 'string' || !isManageToken(context, id, token)) throw noSuchBooking()
}

/** The booking for its guest. Check the token first: this view hides nothing. */
export async function getGuestBooking(context: Context, id: string): Promise<GuestBooking> {
  const { db } = context
  const listed = await findBooking(db, id)
  const eventType = listed && (await findEventTypeById(db, listed.booking.eventTypeId))
  const scheduler = listed && (await findScheduler(db, listed.schedulerId))
  const host = listed && (await findScheduler(db, listed.hostId))
  if (!listed || !eventType || !scheduler || !host) throw noSuchBooking()
  const { booking } = listed
  const now = context.now()
  const until = {
    cancelUntil: cancelUntil(booking, eventType),
    rescheduleUntil: rescheduleUntil(booking, eventType),
  }
  return {
    ...listed,
    eventType,
    scheduler,
    hostName: host.name,
    canCancel: isActive(booking) && now < until.cancelUntil,
    canReschedule: isActive(booking) && now < until.rescheduleUntil,
    ...until,
    manageUrl: manageUrl(context, id),
  }
}

const noSuchBooking = () =>
  new Problem('not_found', 'There is no such booking. Use the whole link, as it was sent to you.')
