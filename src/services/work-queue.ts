import { GiveUp, type JobKind, nextDueAt, TryAgainAt } from '../domain/job.ts'
import { type EndedJob, strikeOffJobs, type UnfitJob } from '../store/ended-jobs.ts'
import { listenForJobs } from '../store/engine/outbox-listener.ts'
import {
  buryJob,
  extendLeases,
  findNextDue,
  postponeJob,
  releaseJobs,
  type TakenJob,
  takeJobs,
} from '../store/outbox.ts'
import type { Context } from './context.ts'

export type { EndedJob, TakenJob }

/** The outbox, as a worker sees it. */
export interface WorkQueue {
  /** Takes what is due at `moment`, for as long as a lease lasts. */
  take(kind: JobKind, moment: number, limit: number, without: readonly string[]): Promise<TakenJob[]>
  /** Strikes jobs off; says which of them cannot be, and why. */
  finish(ended: readonly EndedJob[]): Promise<UnfitJob[]>
  /** Puts a failed job off by its schedule, or gives it up; says which. */
  fail(job: TakenJob, error: Error): Promise<'later' | 'dead'>
  renew(ids: readonly number[]): Promise<void>
  release(ids: readonly number[]): Promise<void>
  /** When something becomes due, of each kind after the moment for which it was last asked. */
  nextDue(after: ReadonlyMap<JobKind, number>): Promise<number | undefined>
  /** Calls `onNews` whenever something may be due, of these kinds or of any, here or from another instance. */
  listen(onNews: (kinds?: readonly JobKind[]) => void, onError: (error: Error) => void): () => Promise<void>
}

const MAX_ERROR = 500

/** A lease is how long a job that was taken is left alone by others: if its taker dies, they have it afterwards. */
export function openWorkQueue(context: Context, lease: number): WorkQueue {
  const { db, now, outbox } = context
  return {
    take: (kind, moment, limit, without) =>
      takeJobs(db, { kind, limit, without, now: moment, leasedUntil: moment + lease }),
    finish: (ended) => strikeOffJobs(db, ended),
    async fail(job, error) {
      const at = now()
      // Not longer than a person reads, and no half of a pair at its end.
      const reason = (error.message || error.name).slice(0, MAX_ERROR).toWellFormed().replaceAll('\0', '')
      const dueAt =
        error instanceof GiveUp
          ? undefined
          : error instanceof TryAgainAt
            ? error.retryAt
            : nextDueAt(job.kind, job.attempts + 1, at, Math.random())
      if (dueAt === undefined) await buryJob(db, job, at, reason)
      else await postponeJob(db, job, dueAt, reason)
      return dueAt === undefined ? 'dead' : 'later'
    },
    renew: (ids) => extendLeases(db, ids, now() + lease),
    release: (ids) => releaseJobs(db, ids),
    nextDue: (after) => findNextDue(db, after),
    listen(onNews, onError) {
      const silence = outbox.listen(onNews)
      const hangUp = listenForJobs(db, () => onNews(), onError)
      return async () => {
        silence()
        await hangUp()
      }
    },
  }
}
