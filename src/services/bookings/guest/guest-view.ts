import type { BookedMeeting } from '../../../domain/bookings/change.ts'
import { isErased } from '../../../domain/bookings/erased.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import { cancelUntil, isActive, rescheduleUntil } from '../../../domain/bookings/states.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { findMeeting } from '../../../store/bookings/meetings.ts'
import type { Context } from '../../context.ts'
import { isId } from '../../people/access.ts'
import { bookedMeetingOf, seriesOf } from '../load-change.ts'
import { isManageToken, manageUrl } from './manage-link.ts'

/** A booking as its guest sees it, with what they may do. */
export interface GuestBooking extends ListedBooking, BookedMeeting {
  readonly hostName: string
  readonly canCancel: boolean
  readonly canReschedule: boolean
  readonly cancelUntil: number
  readonly rescheduleUntil: number
  readonly manageUrl: string
  /** False once its owner is disabled: nothing of theirs can be booked, so it can't be moved either. */
  readonly isOffered: boolean
}

/** Throws `not_found` unless this is the token of the booking's manage link. */
export function checkManageToken(context: Context, id: string, token: unknown): void {
  if (!isId(id) || typeof token !== 'string' || !isManageToken(context, id, token)) throw noSuchBooking()
}

/** The booking for its guest. Check the token first: this view hides nothing. */
export async function getGuestBooking(context: Context, id: string): Promise<GuestBooking> {
  const found = await findMeeting(context.db, id)
  const [host] = found?.hosts ?? []
  if (found === undefined || host === undefined || isErased(found.listed.booking)) throw noSuchBooking()
  const meeting = { ...bookedMeetingOf(found), ...(await seriesOf(context.db, found)) }
  const { scheduler, hosts } = found
  const isOffered = !hosts.some(({ id, disabledAt }) => id === scheduler.id && disabledAt !== null)
  return guestBookingOf(context, found.listed, { ...meeting, isOffered })
}

/** The same after a change; read again only if other people host it now. */
export function afterChange(
  context: Context,
  own: GuestBooking,
  changed: ListedBooking,
): GuestBooking | Promise<GuestBooking> {
  // Others of its series may have changed with it.
  if (changed.hostId !== own.hostId || own.series !== undefined)
    return getGuestBooking(context, own.booking.id)
  return guestBookingOf(context, changed, own)
}

function guestBookingOf(
  context: Context,
  listed: ListedBooking,
  {
    eventType,
    scheduler,
    hosts,
    series,
    isOffered,
  }: Omit<BookedMeeting, 'booking'> & Pick<GuestBooking, 'isOffered'>,
): GuestBooking {
  const { booking } = listed
  const now = context.now()
  const isUnpaid = booking.status === 'PendingPayment'
  const until = {
    cancelUntil: cancelUntil(booking, eventType),
    rescheduleUntil: rescheduleUntil(booking, eventType),
  }
  return {
    ...listed,
    eventType,
    scheduler,
    hosts,
    ...(series && { series }),
    hostName: hosts[0]?.name ?? '',
    canCancel: isActive(booking) && (isUnpaid || now < until.cancelUntil),
    canReschedule: isOffered && isActive(booking) && !isUnpaid && now < until.rescheduleUntil,
    ...until,
    manageUrl: manageUrl(context, booking.id),
    isOffered,
  }
}

const noSuchBooking = () =>
  new Problem('not_found', sentence`There is no such booking. Use the whole link, as it was sent to you.`)
