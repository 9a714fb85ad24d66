import { TryAgainAt } from '../../domain/job.ts'
import { english } from '../../domain/sentence.ts'
import { getAnnouncedChange } from '../../services/bookings/load-change.ts'
import { findWritten } from '../../services/calendars/written-entries.ts'
import type { Context } from '../../services/context.ts'
import { findSeatedEntry } from '../../services/mail/find-seated-entry.ts'
import { traceOf } from '../../services/mail/jobs.ts'
import { isHost, type MailReader } from '../../services/mail/reader.ts'
import { findReader } from '../../services/mail/send.ts'
import { sendStandardMail } from '../../services/messages/send.ts'
import type { JobOutcome } from '../../services/work-queue.ts'
import type { JobOf } from '../handler.ts'

/** Most providers answer sooner. A mail waits once. */
const WRITTEN_WITHIN = 2000

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
  const told = await withEntry(context, job, reader, meetingId)
  await sendStandardMail(context, job, { change, reader: told })
  record?.({ traces: [traceOf(job.data, about.type)] })
}

/** A host's mail depends on what their calendar has. */
async function withEntry(
  context: Context,
  { data: { entry }, attempts }: JobOf<'mail'>,
  reader: MailReader,
  meetingId: string,
): Promise<MailReader> {
  if (!isHost(reader)) return reader
  const written = await findWritten(context, reader.host.id, meetingId)
  // If the calendar turns out to be gone, the mail has an invitation instead of the event.
  if (written === 'pending' && attempts === 0) {
    throw new TryAgainAt(context.now() + WRITTEN_WITHIN, english`The calendar entry is still being written.`)
  }
  const hasEvent = written !== 'none'
  if (entry === undefined) return { ...reader, hasEvent }
  return { ...reader, hasEvent, entry: await findSeatedEntry(context.db, reader.host.id, entry) }
}
