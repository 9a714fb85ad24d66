import { TryAgainAt } from '../../domain/job.ts'
import { english } from '../../domain/sentence.ts'
import { getAnnouncedChange } from '../../services/bookings/load-change.ts'
import { findWritten } from '../../services/calendars/written-entries.ts'
import type { Context } from '../../services/context.ts'
import { findSeatedEntry } from '../../services/mail/find-seated-entry.ts'
import { isHost } from '../../services/mail/reader.ts'
import { findReader, sendBookingMail } from '../../services/mail/send.ts'
import type { JobOf } from '../handler.ts'

/** Most providers answer sooner. A mail waits once. */
const WRITTEN_WITHIN = 2000

/** Emails one person about a change to a booking. A repeated email has the same Message-ID. */
export async function deliverMail(context: Context, job: JobOf<'mail'>): Promise<void> {
  const { change: record, recipient, entry } = job.data
  const change = await getAnnouncedChange(context.db, record)
  const reader = findReader(change, recipient)
  if (reader === undefined) return
  if (!isHost(reader)) return sendBookingMail(context, change, reader)
  const written = await findWritten(context, reader.host.id, entry?.meetingId ?? change.booking.meetingId)
  // If the calendar turns out to be gone, the mail has an invitation instead of the event.
  if (written === 'pending' && job.attempts === 0) {
    throw new TryAgainAt(context.now() + WRITTEN_WITHIN, english`The calendar entry is still being written.`)
  }
  const hasEvent = written !== 'none'
  if (entry === undefined) return sendBookingMail(context, change, { ...reader, hasEvent })
  const seated = await findSeatedEntry(context.db, reader.host.id, entry)
  await sendBookingMail(context, change, { ...reader, hasEvent, entry: seated })
}
