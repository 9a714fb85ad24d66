import type { JobKind } from '../domain/job.ts'
import { Problem } from '../domain/problem.ts'
import { sentence } from '../domain/sentence.ts'
import {
  expediteJobs,
  type FailedJobs,
  findFailingJobs,
  notifyInstances,
  requeueDeadJobs,
} from '../store/outbox.ts'
import type { Context } from './context.ts'

/** Makes dead jobs due again: one, those of a kind, or all. Returns how many. */
export async function retryDeadJobs(context: Context, which: FailedJobs = {}): Promise<number> {
  const retried = await context.db.transaction().execute(async (trx) => {
    const count = await requeueDeadJobs(trx, which, context.now())
    if (count > 0) await notifyInstances(trx)
    return count
  })
  if (which.id !== undefined && retried === 0) throw noSuchJob(which.id)
  context.outbox.wake()
  return retried
}

/** Retries a failed job now, whether it was given up or would be retried later. Returns 1. */
export async function retryJob(context: Context, id: number): Promise<number> {
  const failing = await findFailingJobs(context.db, { id }, 1)
  if (failing.length === 0) return retryDeadJobs(context, { id })
  await expedite(context, failing)
  return failing.length
}

const BATCH = 500

/** The same for all failed jobs of a kind. Returns how many. */
export async function retryJobs(context: Context, kind: JobKind): Promise<number> {
  let retried = await retryDeadJobs(context, { kind })
  // Forward by id: a job that fails again meanwhile is not retried twice.
  for (let after = 0; ; ) {
    const failing = await findFailingJobs(context.db, { kind, after }, BATCH)
    await expedite(context, failing)
    retried += failing.length
    if (failing.length < BATCH) return retried
    after = failing.at(-1) ?? after
  }
}

async function expedite(context: Context, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await context.db.transaction().execute(async (trx) => {
    await expediteJobs(trx, ids, context.now())
    await notifyInstances(trx)
  })
  context.outbox.wake()
}

const noSuchJob = (id: number) => new Problem('not_found', sentence`No job ${id} has failed.`)
