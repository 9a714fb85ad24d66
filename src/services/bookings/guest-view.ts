import type { BookedMeeting } from '../../domain/bookings/change.ts'
import { cancelUntil, isActive, rescheduleUntil } from '../../domain/bookings/states.ts'
import { Problem } from '../../domain/problem.ts'
import { findBooking, type ListedBooking } from '../../store/bookings/list.ts'
import type { Context } from '../context.ts'
import { isId } from '../people/access.ts'
import { findMeeting } from './load-change.ts'
import { isManageToken, manageUrl } from './manage-link.ts'

/** A booking as its guest sees it, with what they may do. */
export interface GuestBooking extends ListedBooking, BookedMeeting {
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
  const meeting = listed && (await findMeeting(db, listed))
  const [host] = meeting?.hosts ?? []
  if (!listed || !meeting || !host) throw noSuchBooking()
  const { booking, eventType } = meeting
  const now = context.now()
  const until = {
    cancelUntil: cancelUntil(booking, eventType),
    rescheduleUntil: rescheduleUntil(booking, eventType),
  }
  return {
    ...listed,
    ...meeting,
    hostName: host.name,
    canCancel: isActive(booking) && now < until.cancelUntil,
    canReschedule: isActive(booking) && now < until.rescheduleUntil,
    ...until,
    manageUrl: manageUrl(context, id),
  }
}

const noSuchBooking = () =>
  new Problem('not_found', 'There is no such booking. Use the whole link, as it was sent to you.')
