import type { Job } from '../../domain/job.ts'
import { removeFormer, syncLink } from '../../services/bookings/links/sync-link.ts'
import { jobFailureOf, type LinkWork } from '../../services/calendars/link-jobs.ts'
import type { Context } from '../../services/context.ts'

/** Makes, updates or removes a meeting link. Safe to repeat. */
export async function makeLink(context: Context, job: Job): Promise<void> {
  const work = job.data as LinkWork
  try {
    if ('former' in work) await removeFormer(context, work.former)
    else await syncLink(context, work.meetingId)
  } catch (error) {
    throw jobFailureOf(error, context.now())
  }
}
