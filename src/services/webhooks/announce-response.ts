import type { RoutingForm } from '../../domain/forms/routing.ts'
import type { NewJob } from '../../domain/job.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import type { Trx } from '../../store/engine/database.ts'
import { type FormResponse, findFormById, findResponse } from '../../store/forms/forms.ts'
import { insertJobs } from '../../store/outbox.ts'
import { findScheduler } from '../../store/people/schedulers.ts'
import type { Context } from '../context.ts'

/** A response with the form and its owner. */
export interface AnnouncedResponse {
  readonly response: FormResponse
  readonly form: RoutingForm
  readonly scheduler: Scheduler
}

/** Turns a response into the jobs of one channel: webhooks or messages. Repeating it must have no effect. */
type ResponseChannel = (
  trx: Trx,
  announced: AnnouncedResponse,
  now: number,
  context: Pick<Context, 'publicUrl'>,
) => Promise<readonly NewJob[]>

/** Queues what follows a form response. Does nothing if the response or its form has been deleted. */
export async function announceResponse(
  context: Context,
  responseId: string,
  channels: readonly ResponseChannel[],
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const now = context.now()
    const response = await findResponse(trx, responseId)
    const form = response && (await findFormById(trx, response.formId))
    const scheduler = form && (await findScheduler(trx, form.schedulerId))
    if (response === undefined || form === undefined || scheduler === undefined) return
    for (const channel of channels)
      await insertJobs(trx, await channel(trx, { response, form, scheduler }, now, context), now)
  })
  context.outbox.wake()
}
