import { awaitsLink } from '../../domain/bookings/booking.ts'
import type { Context } from '../../services/context.ts'
import { findUpcoming } from '../../services/mail/find-upcoming.ts'
import { traceOf } from '../../services/mail/jobs.ts'
import { findReader, sendReminder } from '../../services/mail/send.ts'
import { sendStandardMail } from '../../services/messages/send.ts'
import type { JobOutcome } from '../../services/work-queue.ts'
import type { JobOf } from '../handler.ts'

/** Reminds one person of a meeting, unless it was rescheduled, cancelled or has started. */
export async function remind(
  context: Context,
  job: JobOf<'reminder'>,
  record?: (outcome: JobOutcome) => void,
): Promise<void> {
  const { change: announced, recipient, minutesBefore, nextAt = null, about } = job.data
  // After an outage several may be due; the last is enough.
  if (nextAt !== null && nextAt <= context.now()) return
  const upcoming = await findUpcoming(context.db, announced, context.now())
  if (upcoming === undefined) return
  const { change, isFirst, otherGuests } = upcoming
  if (about === 'link' && !awaitsLink(change.booking)) return
  const reader = findReader(change, recipient)
  if (reader === undefined) return
  if (reader.role === 'host' && !isFirst) return
  const told = reader.role === 'host' ? { ...reader, otherGuests } : reader
  // No words of a host's stand in place of this one: it asks the host for the link.
  if (about === 'link') await sendReminder(context, change, told, { minutesBefore })
  else await sendStandardMail(context, job, { change, reader: told, minutesBefore })
  record?.({ traces: [traceOf(job.data, 'reminder')] })
}
