import { Problem } from '../domain/problem.ts'
import { notifyOthers, reviveJobs } from '../store/outbox.ts'
import type { Context } from './context.ts'

/** Makes one dead job, or all of them, due again; says how many there were. */
export async function revive(context: Context, id: number | undefined): Promise<number> {
  const count = await context.db.transaction().execute(async (trx) => {
    const revived = await reviveJobs(trx, id, context.now())
    await notifyOthers(trx)
    return revived
  })
  if (id !== undefined && count === 0) throw new Problem('not_found', `No job ${id} has been given up.`)
  context.outbox.wake()
  return count
}
