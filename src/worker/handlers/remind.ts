import type { Context } from '../../services/context.ts'
import { findUpcoming } from '../../services/mail/find-upcoming.ts'
import { findReader } from '../../services/mail/send.ts'
import { sendStandardMail } from '../../services/messages/send.ts'
import type { JobOf } from '../handler.ts'

/** Reminds one person of a meeting, unless it was rescheduled, cancelled or has started. */
export async function remind(context: Context, job: JobOf<'reminder'>): Promise<void> {
  const { change: record, recipient, minutesBefore, nextAt = null } = job.data
  // After an outage several may be due; the last is enough.
  if (nextAt !== null && nextAt <= context.now()) return
  const upcoming = await findUpcoming(context.db, record, context.now())
  if (upcoming === undefined) return
  const { change, isFirst, otherGuests } = upcoming
  const reader = findReader(change, recipient)
  if (reader === undefined) return
  if (reader.role !== 'host') return sendStandardMail(context, job, { change, reader, minutesBefore })
  if (!isFirst) return
  await sendStandardMail(context, job, { change, reader: { ...reader, otherGuests }, minutesBefore })
}
