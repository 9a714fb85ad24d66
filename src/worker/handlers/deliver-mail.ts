import { getAnnouncedChange } from '../../services/bookings/load-change.ts'
import { isWritten } from '../../services/calendars/is-written.ts'
import type { Context } from '../../services/context.ts'
import { findSeatedEntry } from '../../services/mail/find-seated-entry.ts'
import { traceOf } from '../../services/mail/jobs.ts'
import { isHost, type MailReader } from '../../services/mail/reader.ts'
import { findReader, sendBookingMail } from '../../services/mail/send.ts'
import type { JobOutcome } from '../../services/work-queue.ts'
import type { JobOf } from '../handler.ts'

/** Emails one person about a change to a booking. A repeated email has the same Message-ID. */
export async function deliverMail(
  context: Context,
  job: JobOf<'mail'>,
  record?: (outcome: JobOutcome) => void,
): Promise<void> {
  const { change: about, recipient, entry } = job.data
  const change = await getAnnouncedChange(context.db, about)
  const reader = findReader(change, recipient)
  if (reader === undefined) return
  const meetingId = entry?.meetingId ?? change.booking.meetingId
  await sendBookingMail(context, change, await withEntry(context, reader, meetingId, entry))
  record?.({ traces: [traceOf(job.data, about.type)] })
}

/** A host's mail depends on what their calendar has. */
async function withEntry(
  context: Context,
  reader: MailReader,
  meetingId: string,
  entry: JobOf<'mail'>['data']['entry'],
): Promise<MailReader> {
  if (!isHost(reader)) return reader
  const hasEvent = await isWritten(context, reader.host.id, meetingId)
  if (entry === undefined) return { ...reader, hasEvent }
  return { ...reader, hasEvent, entry: await findSeatedEntry(context.db, reader.host.id, entry) }
}
