import { GiveUp, nextDueAt, TryAgain, TryAgainAt } from '../../domain/job.ts'
import { readRetryAfter } from '../../domain/webhooks/webhook.ts'
import type { Context } from '../../services/context.ts'
import { pushChange } from '../../services/push/send.ts'
import type { JobOf } from '../handler.ts'

/** Notifies one browser. A repeat replaces what it shows already. */
export async function sendPush(context: Context, job: JobOf<'push'>): Promise<void> {
  const outcome = await pushChange(context, job.data)
  if (outcome === undefined || outcome.state === 'sent' || outcome.state === 'gone') return
  if (outcome.state === 'refused') throw new GiveUp(outcome.reason)
  const now = context.now()
  const usual = nextDueAt(job.kind, job.attempts + 1, now, 0)
  const asked = readRetryAfter(outcome.retryAfter, now)
  if (usual !== undefined && asked !== undefined && asked > usual) throw new TryAgainAt(asked, outcome.reason)
  throw new TryAgain(outcome.reason)
}
