import { getAnnouncedChange } from '../../services/bookings/load-change.ts'
import { isWritten } from '../../services/calendars/is-written.ts'
import type { Context } from '../../services/context.ts'
import { findSeatedEntry } from '../../services/mail/find-seated-entry.ts'
import { isHost } from '../../services/mail/reader.ts'
import { findReader } from '../../services/mail/send.ts'
import { sendStandardMail } from '../../services/messages/send.ts'
import type { JobOf } from '../handler.ts'

/** Emails one person about a change to a booking. A repeated email has the same Message-ID. */
export async function deliverMail(context: Context, job: JobOf<'mail'>): Promise<void> {
  const { change: record, recipient, entry } = job.data
  const change = await getAnnouncedChange(context.db, record)
  const reader = findReader(change, recipient)
  if (reader === undefined) return
  if (!isHost(reader)) return sendStandardMail(context, job, { change, reader })
  const hasEvent = await isWritten(context, reader.host.id, entry?.meetingId ?? change.booking.meetingId)
  if (entry === undefined) return sendStandardMail(context, job, { change, reader: { ...reader, hasEvent } })
  const seated = await findSeatedEntry(context.db, reader.host.id, entry)
  await sendStandardMail(context, job, { change, reader: { ...reader, hasEvent, entry: seated } })
}
