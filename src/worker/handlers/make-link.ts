import { removeFormer, syncLink } from '../../services/bookings/links/sync-link.ts'
import { jobFailureOf } from '../../services/calendars/link-jobs.ts'
import type { Context } from '../../services/context.ts'
import type { JobOutcome, Trace } from '../../services/work-queue.ts'
import type { JobOf } from '../handler.ts'

/** What the history of a meeting says of its link. */
export const linkTrace = (meetingId: string): Trace => ({
  bookingId: meetingId,
  kind: 'link',
  what: 'made',
  subject: '',
})

/** Makes, updates or removes a meeting link. Safe to repeat. */
export async function makeLink(
  context: Context,
  job: JobOf<'meeting-link'>,
  record?: (outcome: JobOutcome) => void,
): Promise<void> {
  const work = job.data
  try {
    if ('former' in work) await removeFormer(context, work.former)
    else {
      await syncLink(context, work.meetingId)
      record?.({ traces: [linkTrace(work.meetingId)] })
    }
  } catch (error) {
    throw jobFailureOf(error, context.now())
  }
}
