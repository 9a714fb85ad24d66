import { TryAgainAt } from '../../domain/job.ts'
import { english } from '../../domain/sentence.ts'
import { isCalendarDeleted } from '../../outside/kinds/event-calendar.ts'
import { keepLink, stopAwaiting } from '../../services/bookings/links/keep-link.ts'
import { jobFailureOf } from '../../services/calendars/link-jobs.ts'
import { writeEntry } from '../../services/calendars/write-entry.ts'
import type { Context } from '../../services/context.ts'
import type { JobOutcome, Trace } from '../../services/work-queue.ts'
import type { JobOf } from '../handler.ts'
import { linkTrace } from './make-link.ts'

const LOOK_AGAIN_AFTER = 2000
const MOST_LOOKS = 30

/** Brings a meeting's entry in a host's calendar up to date, and keeps the link that comes with it. Safe to repeat. */
export async function writeCalendar(
  context: Context,
  job: JobOf<'calendar-write'>,
  record?: (outcome: JobOutcome) => void,
): Promise<void> {
  const { data } = job
  const { calendarId } = data
  const meetingId = 'meetingId' in data ? data.meetingId : data.change.bookingId
  const restore = 'restore' in data && data.restore === true
  try {
    const link = await writeEntry(context, { calendarId, meetingId }, restore)
    const written: Trace = { bookingId: meetingId, kind: 'calendar', what: 'written', subject: calendarId }
    record?.({ traces: [written, ...(typeof link === 'object' ? [linkTrace(meetingId)] : [])] })
    if (link === undefined) return
    if (link === 'pending' && job.attempts < MOST_LOOKS) {
      throw new TryAgainAt(context.now() + LOOK_AGAIN_AFTER, english`The provider is still making the link.`)
    }
    if (typeof link === 'object') await keepLink(context, link)
    else await stopAwaiting(context, meetingId)
  } catch (error) {
    // No link comes with an event that can't be written.
    if (isCalendarDeleted(error)) await stopAwaiting(context, meetingId)
    throw jobFailureOf(error, context.now())
  }
}
