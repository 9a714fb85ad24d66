import { Problem } from '../domain/problem.ts'
import { english } from '../domain/sentence.ts'
import { notifyInstances, requeueDeadJobs } from '../store/outbox.ts'
import type { Context } from './context.ts'

/** Makes one dead job, or all of them, due again; returns how many. */
export async function retryDeadJobs(context: Context, id: number | undefined): Promise<number> {
  const retried = await context.db.transaction().execute(async (trx) => {
    const count = await requeueDeadJobs(trx, id, context.now())
    await notifyInstances(trx)
    return count
  })
  if (id !== undefined && retried === 0)
    throw new Problem('not_found', english`No job ${id} has been given up.`)
  context.outbox.wake()
  return retried
}
