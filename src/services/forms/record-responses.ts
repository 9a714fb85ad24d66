import type { ResponseRecord } from '../../domain/webhooks/webhook.ts'
import { Batcher } from '../../store/engine/batcher.ts'
import type { Db } from '../../store/engine/database.ts'
import { insertResponses, type NewResponse } from '../../store/forms/forms.ts'
import { insertJobs } from '../../store/outbox.ts'

const batchers = new WeakMap<Db, Batcher<NewResponse, void>>()

/** Stores a response with the job that announces it. Responses that arrive at the same time share a transaction. */
export function recordTogether(db: Db, response: NewResponse): Promise<void> {
  let batcher = batchers.get(db)
  if (batcher === undefined) {
    batcher = new Batcher({
      async run(batch) {
        try {
          await recordAll(
            db,
            batch.map(({ request }) => request),
          )
          for (const { resolve } of batch) resolve()
        } catch (error) {
          if (batch.length === 1) throw error
          // One of their forms may have just been deleted: the others must not suffer for it.
          for (const { request, resolve, reject } of batch)
            await recordAll(db, [request]).then(resolve, reject)
        }
      },
    })
    batchers.set(db, batcher)
  }
  return batcher.submit(response)
}

async function recordAll(db: Db, responses: readonly NewResponse[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await insertResponses(trx, responses)
    const jobs = responses.map(({ id, createdAt }) => {
      const data: ResponseRecord = { responseId: id }
      return { kind: 'announce-response' as const, lane: null, data, dueAt: createdAt }
    })
    await insertJobs(trx, jobs, responses[0]?.createdAt ?? 0)
  })
}
