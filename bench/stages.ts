// The service with a worker that does one kind of job at a time, so that each stage of a booking can be
// measured by itself. A separate process; the first question says which database to use.

import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JobKind } from '../src/domain/job.ts'
import { buildApp } from '../src/http/app.ts'
import { smtpMailer } from '../src/outside/mail/mail.ts'
import { createThreadedSender } from '../src/outside/webhooks/threaded-sender.ts'
import { type Context, createContext } from '../src/services/context.ts'
import { readSettings } from '../src/settings.ts'
import { surroundingsOf } from '../src/start.ts'
import { isUnavailable } from '../src/store/engine/database.ts'
import { openDatabase } from '../src/store/engine/open-database.ts'
import { createRateLimit } from '../src/store/rate-limits.ts'
import { HANDLERS } from '../src/worker/handlers.ts'
import { startWorker } from '../src/worker/worker.ts'
import { answerParent } from './child.ts'

export type StageQuestion =
  | { readonly ask: 'start'; readonly database: string; readonly smtpUrl: string }
  /** Do all jobs of these kinds that are due. */
  | { readonly ask: 'work'; readonly kinds: readonly JobKind[] }
  | { readonly ask: 'cpu' }

export interface StageAnswer {
  readonly port: number
  /** Milliseconds of processor time that this process has used so far. */
  readonly cpu: number
}

let context: Context
let port = 0

answerParent(async (question: StageQuestion): Promise<StageAnswer> => {
  if (question.ask === 'start') port = await serve(question.database, question.smtpUrl)
  if (question.ask === 'work') await work(question.kinds)
  const { user, system } = process.cpuUsage()
  return { port, cpu: (user + system) / 1000 }
})

async function serve(database: string, smtpUrl: string): Promise<number> {
  const db = openDatabase(database)
  const secret = 'a-secret-that-only-the-benchmark-knows'
  context = createContext({
    db,
    publicUrl: 'https://book.example.com',
    captcha: { altchaSecret: secret, services: {} },
    jwtSecret: secret,
    signup: 'first',
    mailer: smtpMailer(smtpUrl, 'Punctual <mail@book.example.com>').send,
    webhooks: createThreadedSender({ allowPrivate: true }),
    surroundings: surroundingsOf(readSettings({})),
    inBackground: (task) => void task(),
  })
  const app = await buildApp({
    context,
    rateLimits: (name, limit, windowSeconds) => createRateLimit(db, name, limit, windowSeconds),
    isUnavailable,
    trustProxy: ['127.0.0.1'],
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

async function work(kinds: readonly JobKind[]): Promise<void> {
  const handlers = Object.fromEntries(kinds.map((kind) => [kind, HANDLERS[kind]]))
  const worker = startWorker(context, { handlers })
  const left = () =>
    context.db
      .selectFrom('outbox')
      .select('id')
      .where('kind', 'in', kinds)
      .where('failed_at', 'is', null)
      .where('due_at', '<=', Date.now())
      .limit(1)
      .execute()
  while ((await left()).length > 0) await sleep(100)
  await worker.stop()
}
