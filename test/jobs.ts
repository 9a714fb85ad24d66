import { JOB_KINDS, type JobKind } from '../src/domain/job.ts'
import type { Context } from '../src/services/context.ts'
import { type JobOutcome, openWorkQueue } from '../src/services/work-queue.ts'
import type { Db } from '../src/store/engine/database.ts'
import type { JobOf } from '../src/worker/handler.ts'
import { HANDLERS } from '../src/worker/handlers.ts'

/** What the outbox holds of this kind, oldest first, as the worker would hand it over. */
export async function jobsOf<Kind extends JobKind>(
  db: Db,
  kind: Kind,
): Promise<(JobOf<Kind> & { readonly lane: string | null; readonly dueAt: number })[]> {
  const rows = await db.selectFrom('outbox').selectAll().where('kind', '=', kind).orderBy('id').execute()
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    lane: row.lane,
    data: JSON.parse(row.data),
    attempts: row.attempts,
    createdAt: row.created_at,
    dueAt: row.due_at,
  }))
}

/** Runs jobs as the worker does, until none is due. */
export async function runDueJobs(context: Context): Promise<void> {
  const queue = openWorkQueue(context, 60_000)
  for (let ran = true; ran; ) {
    ran = false
    for (const kind of JOB_KINDS) {
      for (const job of await queue.take(kind, context.now(), 10, [])) {
        ran = true
        try {
          let outcome: JobOutcome = {}
          await HANDLERS[kind](context, job, (ended) => {
            outcome = ended
          })
          await queue.complete([{ id: job.id, ...outcome }])
        } catch (error) {
          await queue.fail(job, error as Error)
        }
      }
    }
  }
}
