import { GiveUp, type JobKind, nextDueAt, Postponed, TryAgainAt } from '../domain/job.ts'
import { changeTexts, sentenceOf, verbatim } from '../domain/sentence.ts'
import type { HistoryEntry } from '../store/bookings/history.ts'
import { type CompletedJob, completeJobs, type RejectedJob } from '../store/completed-jobs.ts'
import { newId } from '../store/new-id.ts'
import {
  extendLeases,
  findNextDue,
  listenForJobs,
  markJobDead,
  releaseJobs,
  scheduleRetry,
  type TakenJob,
  takeJobs,
} from '../store/outbox.ts'
import type { Context } from './context.ts'

export type { TakenJob }

/** What a job leaves behind once it is done. */
export interface JobOutcome {
  readonly delivery?: CompletedJob['delivery']
  /** For the history of the booking. */
  readonly traces?: readonly Trace[] | undefined
}

/** Something that was done about a booking, just now. */
export type Trace = Omit<HistoryEntry, 'id' | 'at'>

/** The outbox as the worker sees it. */
export interface WorkQueue {
  /** Leases jobs that are due at `moment`, except in lanes that begin with one of `without`. */
  take(kind: JobKind, moment: number, limit: number, without: readonly string[]): Promise<TakenJob[]>
  /** Completes jobs; returns those whose outcome can't be stored, and why. */
  complete(jobs: readonly (JobOutcome & Pick<CompletedJob, 'id'>)[]): Promise<RejectedJob[]>
  /** Schedules a retry of a failed job, or marks it dead; returns which. */
  fail(job: TakenJob, error: Error): Promise<'later' | 'dead'>
  renew(ids: readonly number[]): Promise<void>
  release(ids: readonly number[]): Promise<void>
  /** When the next job becomes due, looking at each kind only after the given moment. */
  nextDue(after: ReadonlyMap<JobKind, number>): Promise<number | undefined>
  /** Calls `onWake` when jobs of these kinds (or of any) may be due, queued here or by another instance. */
  listen(onWake: (kinds?: readonly JobKind[]) => void, onError: (error: Error) => void): () => Promise<void>
}

const MAX_ERROR = 500

/** `lease` is how long a taken job is reserved for this worker. If the worker dies, others get the job after that. */
export function openWorkQueue(context: Context, lease: number): WorkQueue {
  const { db, now, outbox } = context
  /** Leases that were renewed since their jobs were taken. */
  const renewed = new Map<number, number>()
  return {
    async take(kind, moment, limit, without) {
      const jobs = await takeJobs(db, { kind, limit, without, now: moment, lease })
      for (const { id } of jobs) renewed.delete(id)
      return jobs
    },
    complete(jobs) {
      const at = now()
      const entry = (trace: Trace) => ({ ...trace, id: newId(), at })
      return completeJobs(
        db,
        jobs.map(({ id, delivery, traces = [] }) => ({ id, delivery, history: traces.map(entry) })),
      )
    },
    async fail(taken, error) {
      if (error instanceof Postponed) return 'later'
      const at = now()
      const job = { ...taken, leasedUntil: renewed.get(taken.id) ?? taken.leasedUntil }
      // Short enough to read; cutting may split a surrogate pair, so make it well-formed again.
      const said = error.message === '' ? verbatim(error.name) : sentenceOf(error)
      const reason = changeTexts(said, (text) => text.slice(0, MAX_ERROR).toWellFormed().replaceAll('\0', ''))
      const dueAt =
        error instanceof GiveUp
          ? undefined
          : error instanceof TryAgainAt
            ? error.retryAt
            : nextDueAt(job.kind, job.attempts + 1, at, Math.random())
      if (dueAt === undefined) await markJobDead(db, job, at, reason)
      else await scheduleRetry(db, job, dueAt, reason)
      return dueAt === undefined ? 'dead' : 'later'
    },
    async renew(ids) {
      const leases = await extendLeases(db, ids, lease)
      // Replaces all: jobs that are no longer held would pile up.
      renewed.clear()
      for (const [id, leasedUntil] of leases) renewed.set(id, leasedUntil)
    },
    release: (ids) => releaseJobs(db, ids),
    nextDue: (after) => findNextDue(db, after),
    listen(onWake, onError) {
      const stopLocal = outbox.listen(onWake)
      const stopRemote = listenForJobs(db, () => onWake(), onError)
      return async () => {
        stopLocal()
        await stopRemote()
      }
    },
  }
}
