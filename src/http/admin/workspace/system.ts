import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { formatInstant } from '../../../domain/instant.ts'
import { JOB_KINDS } from '../../../domain/job.ts'
import { nullable, oneOf } from '../../../format/schema.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import { checksLimit } from '../../../services/outside-limit.ts'
import type { Finding } from '../../../services/workspace/checks/check-surroundings.ts'
import type { System } from '../../../services/workspace/checks/system.ts'
import { countRequest } from '../../gate.ts'
import { answerIn, varyBy } from '../../language.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { principalOf } from '../principal.ts'
import { IdPath } from '../request.ts'

// Loaded on demand: few requests need it.
const load = () => import('../../../services/workspace/checks/system.ts')

const bytes = (description: string) => nullable(Type.Integer({ description }))

const RetryAllFailing = Type.Object({ kind: oneOf(JOB_KINDS) })

export type RetriedView = Static<typeof RetriedView>
const RetriedView = Type.Object({ retried: Type.Integer({ description: 'How many are tried again.' }) })

const QueuedKindView = Type.Object({
  kind: oneOf(JOB_KINDS),
  waiting: Type.Integer({ description: 'Due, and not yet started.' }),
  running: Type.Integer(),
  scheduled: Type.Integer({ description: 'Due later: reminders and retries.' }),
  failing: Type.Integer({ description: 'Failed at least once, and retried by itself.' }),
  givenUp: Type.Integer({ description: 'Failed for good, unless someone retries it.' }),
  oldestAt: nullable(Type.String({ description: 'Since when the oldest one has been due.' })),
})

const FailingView = Type.Object({
  id: Type.String(),
  kind: oneOf(JOB_KINDS),
  attempts: Type.Integer(),
  error: Type.String({ description: 'Why the last attempt failed. Addresses are left out.' }),
  createdAt: Type.String(),
  nextAttemptAt: nullable(Type.String({ description: 'When it is retried; null: it was given up.' })),
})

const BackupsView = Type.Object({
  everySeconds: Type.Integer({ description: 'From one backup to the next.' }),
  keep: Type.Integer({ description: 'How many are kept.' }),
  folder: Type.String(),
  lastAt: nullable(Type.String({ description: 'When the last one was complete; null: there was none yet.' })),
  nextAt: Type.String(),
  files: nullable(Type.Integer({ description: 'How many are in the folder.' })),
  bytes: bytes('How much they take.'),
  freeBytes: bytes('How much more fits.'),
})

export type SystemView = Static<typeof SystemView>
const SystemView = Type.Object({
  version: Type.String(),
  commit: Type.String({ description: 'Empty where nothing tells it.' }),
  node: Type.String({ description: 'The version of Node.js.' }),
  startedAt: Type.String(),
  database: Type.Object({
    engine: oneOf(['sqlite', 'postgres']),
    version: Type.String({ description: 'Such as `PostgreSQL 18.4`.' }),
    sizeBytes: Type.Integer({ description: 'With its indexes.' }),
    migration: Type.String({ description: 'The newest one that has run.' }),
    connections: nullable(
      Type.Object({
        inUse: Type.Integer(),
        idle: Type.Integer(),
        max: Type.Integer(),
        waiting: Type.Integer({ description: 'Statements that wait for a connection.' }),
      }),
      'The pool of this instance; null on SQLite, which has none.',
    ),
  }),
  queue: Type.Array(QueuedKindView, { description: 'Every kind of job.' }),
  failing: Type.Array(FailingView, { description: 'What has failed, newest first; at most 50.' }),
  backups: nullable(BackupsView, 'Null: no scheduled backups.'),
  storage: Type.Object({
    folder: Type.String({ description: 'DATA_DIR.' }),
    dataBytes: bytes('How much is in it; null if there are too many files to count.'),
    freeBytes: bytes('How much more fits.'),
    totalBytes: bytes('How much its disk holds.'),
  }),
})

const FindingView = Type.Object({
  what: Type.String(),
  state: oneOf(['ok', 'warning', 'broken']),
  says: Type.String(),
  advice: nullable(Type.String({ description: 'What to do about it.' })),
})

export type ChecksView = Static<typeof ChecksView>
const ChecksView = Type.Object({ checkedAt: Type.String(), findings: Type.Array(FindingView) })

/** What runs here and how it is doing, for admins of the instance. */
export const systemRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  const limit = checksLimit(context)

  app.get('/system', { schema: GET }, (request, reply) => get(context, request, reply))
  app.post(
    '/system/checks',
    {
      schema: CHECK,
      preHandler: (request, reply) =>
        countRequest(limit, request, reply, { key: principalOf(request).userId }),
    },
    (request, reply) => check(context, request, reply),
  )
  app.post('/system/failing/:id/retry', { schema: RETRY }, (request, reply) => retry(context, request, reply))
  app.post('/system/failing/retry', { schema: RETRY_ALL }, (request, reply) =>
    retryAll(context, request, reply),
  )
}

const tags = ['Instance']

const GET = {
  operationId: 'getSystem',
  summary: 'Version, database, queue, failures, backups and storage',
  description:
    'Names no guest and no address. If several instances share the database, `node`, `startedAt`, `database.connections`, `storage` and the files of `backups` are those of the one that answers. Counting stops at 10,000.',
  tags,
  response: { 200: SystemView, ...problems(401, 403) },
}

async function get(context: Context, request: RequestOf<typeof GET>, reply: ReplyOf<typeof GET>) {
  const { getSystem } = await load()
  varyBy(reply, 'accept-language')
  return toSystemView(await getSystem(context, principalOf(request)), request)
}

const CHECK = {
  operationId: 'checkSystem',
  summary: 'Check settings, database, mail, disk, the public address and providers',
  description:
    'The same as `punctual doctor`. It asks the mail server and other servers, so it takes some seconds, and is limited.',
  tags,
  response: { 200: ChecksView, ...problems(401, 403, 429) },
}

async function check(context: Context, request: RequestOf<typeof CHECK>, reply: ReplyOf<typeof CHECK>) {
  const { checkSystem } = await load()
  varyBy(reply, 'accept-language')
  const findings = await checkSystem(context, principalOf(request))
  return {
    checkedAt: formatInstant(context.now()),
    findings: findings.map((finding) => toFindingView(finding, request)),
  }
}

const RETRY = {
  operationId: 'retryFailing',
  summary: 'Retry a failed job or delivery now',
  description: 'One that was given up gets all its attempts again.',
  tags,
  params: IdPath,
  response: { 202: RetriedView, ...problems(401, 403, 404) },
}

async function retry(context: Context, request: RequestOf<typeof RETRY>, reply: ReplyOf<typeof RETRY>) {
  const { retryFailing } = await load()
  const retried = await retryFailing(context, principalOf(request), request.params.id)
  return reply.code(202).send({ retried })
}

const RETRY_ALL = {
  operationId: 'retryAllFailing',
  summary: 'Retry everything of a kind that has failed now',
  tags,
  body: RetryAllFailing,
  response: { 202: RetriedView, ...problems(400, 401, 403) },
}

async function retryAll(
  context: Context,
  request: RequestOf<typeof RETRY_ALL>,
  reply: ReplyOf<typeof RETRY_ALL>,
) {
  const { retryAllFailing } = await load()
  const retried = await retryAllFailing(context, principalOf(request), request.body.kind)
  return reply.code(202).send({ retried })
}

const instant = (at: number | null) => (at === null ? null : formatInstant(at))

function toSystemView(system: System, request: FastifyRequest): SystemView {
  const { database, backups, storage } = system
  return {
    ...system,
    startedAt: formatInstant(system.startedAt),
    database: { ...database, connections: database.connections && { ...database.connections } },
    queue: system.queue.map(({ oldestDueAt, ...queued }) => ({ ...queued, oldestAt: instant(oldestDueAt) })),
    failing: system.failing.map((one) => ({
      ...one,
      error: answerIn(request, one.error).text,
      createdAt: formatInstant(one.createdAt),
      nextAttemptAt: instant(one.nextAttemptAt),
    })),
    backups: backups && {
      ...backups,
      everySeconds: backups.every / 1000,
      lastAt: instant(backups.lastAt),
      nextAt: formatInstant(backups.nextAt),
    },
    storage: { ...storage },
  }
}

function toFindingView({ what, state, says, advice }: Finding, request: FastifyRequest) {
  const say = (text: Finding['says']) => answerIn(request, text).text
  return { what: say(what), state, says: say(says), advice: advice === undefined ? null : say(advice) }
}
