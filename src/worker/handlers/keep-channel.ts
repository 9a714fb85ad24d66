import { closeFormer, keepChannel } from '../../services/calendars/channels.ts'
import { jobFailureOf } from '../../services/calendars/link-jobs.ts'
import type { Context } from '../../services/context.ts'
import type { JobOf } from '../handler.ts'

/** Opens, renews or ends the channel by which a provider tells of changes. Safe to repeat. */
export async function keepCalendarChannel(context: Context, job: JobOf<'calendar-channel'>): Promise<void> {
  const work = job.data
  if ('calendarId' in work) return keepChannel(context, work.calendarId)
  try {
    await closeFormer(context, work.former)
  } catch (error) {
    throw jobFailureOf(error, context.now())
  }
}
