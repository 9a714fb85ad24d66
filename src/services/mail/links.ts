import type { BookedMeeting } from '../../domain/bookings/change.ts'
import { mailedToken, manageUrl } from '../bookings/guest/manage-link.ts'
import type { Context } from '../context.ts'
import type { MailLinks } from './reader.ts'

/** The pages about this meeting. */
export function linksOf(
  context: Pick<Context, 'jwtSecret' | 'publicUrl'>,
  { booking, scheduler, eventType }: Pick<BookedMeeting, 'booking' | 'scheduler' | 'eventType'>,
): MailLinks {
  return {
    site: context.publicUrl,
    manage: manageUrl(context, booking.id, mailedToken(context, booking.id)),
    calendarEntry: manageUrl(context, booking.id),
    dashboard: `${context.publicUrl}/app/bookings/${booking.id}`,
    bookAgain: `${context.publicUrl}/${scheduler.slug}/${eventType.slug}`,
  }
}
