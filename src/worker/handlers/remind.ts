import { awaitsLink } from '../../domain/bookings/booking.ts'
import type { Context } from '../../services/context.ts'
import { findUpcoming } from '../../services/mail/find-upcoming.ts'
import { findReader, sendReminder } from '../../services/mail/send.ts'
import type { JobOf } from '../handler.ts'

/** Reminds one person of a meeting, unless it was rescheduled, cancelled or has started. */
export async function remind(context: Context, job: JobOf<'reminder'>): Promise<void> {
  const { change: record, recipient, minutesBefore, nextAt = null, about } = job.data
  // After an outage several may be due; the last is enough.
  if (nextAt !== null && nextAt <= context.now()) return
  const upcoming = await findUpcoming(context.db, record, context.now())
  if (upcoming === undefined) return
  const { change, isFirst, otherGuests } = upcoming
  if (about === 'link' && !awaitsLink(change.booking)) return
  const reader = findReader(change, recipient)
  if (reader === undefined) return
  if (reader.role !== 'host') return sendReminder(context, change, reader, minutesBefore)
  if (isFirst) await sendReminder(context, change, { ...reader, otherGuests }, minutesBefore)
}
