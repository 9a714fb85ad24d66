import type { CalendarEvent } from '../../format/icalendar/event.ts'
import { seatsText } from '../../format/seats.ts'

/** A meeting as its host's calendar shows it: one entry, however many guests it has. */
export function hostEntryOf(
  meeting: Omit<CalendarEvent, 'seats' | 'changedAt'> & { readonly seats: number },
  locale: string,
  changedAt: number,
): CalendarEvent {
  const { meetingId, uid, sequence, seats, eventTypeName, questions, bookings } = meeting
  const isSeated = seats > 1 || bookings.length > 1
  return {
    meetingId,
    uid,
    sequence,
    eventTypeName,
    questions,
    bookings,
    seats: isSeated ? seatsText(bookings.length, seats, locale) : '',
    changedAt,
  }
}
