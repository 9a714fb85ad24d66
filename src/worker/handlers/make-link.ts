import { removeFormer, syncLink } from '../../services/bookings/links/sync-link.ts'
import { jobFailureOf } from '../../services/calendars/link-jobs.ts'
import type { Context } from '../../services/context.ts'
import type { JobOf } from '../handler.ts'

/** Makes, updates or removes a meeting link. Safe to repeat. */
export async function makeLink(context: Context, job: JobOf<'meeting-link'>): Promise<void> {
  const work = job.data
  try {
    if ('former' in work) await removeFormer(context, work.former)
    else await syncLink(context, work.meetingId)
  } catch (error) {
    throw jobFailureOf(error, context.now())
  }
}
