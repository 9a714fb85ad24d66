import type { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { LineState } from '../../../domain/imports/plan.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import type { Import } from '../../../store/imports/imports.ts'
import { answerIn } from '../../language.ts'
import { problems, sendRefusal } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { answerPage, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { IdPath } from '../request.ts'
import {
  ApplyImport,
  ImportsView,
  type ImportView,
  ImportView as ImportViewSchema,
  LinesQuery,
  LineView,
  StartedView,
  StartQuery,
} from './schemas.ts'

// Loaded on demand: few requests need them.
const imports = () => import('../../../services/imports/imports.ts')
const starting = () => import('../../../services/imports/start.ts')

/** Moving in from another service. */
export const importRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  // As it comes: a dump is larger than memory.
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))

  app.get('/imports', { schema: LIST }, (request) => list(context, request))
  app.post('/imports', { schema: START, bodyLimit: MAX_DUMP }, (request, reply) =>
    start(context, request, reply),
  )
  app.get('/imports/:id', { schema: GET }, (request) => get(context, request))
  app.get('/imports/:id/lines', { schema: LINES }, (request) => lines(context, request))
  app.post('/imports/:id/apply', { schema: APPLY }, (request, reply) => apply(context, request, reply))
  app.post('/imports/:id/undo', { schema: UNDO }, (request, reply) => undo(context, request, reply))
}

const MAX_DUMP = 1024 ** 3

const tags = ['Imports']
const refused = { ...problems(401, 403, 404) }

const LIST = {
  operationId: 'listImports',
  summary: 'Imports, the newest first',
  description: 'Admins of the instance see all; others those that they began. At most 100.',
  tags,
  response: { 200: ImportsView, ...problems(401, 403) },
}

async function list(context: Context, request: RequestOf<typeof LIST>) {
  const { listImports } = await imports()
  const found = await listImports(context, principalOf(request))
  return { items: found.map((one) => toView(request, one)) }
}

const START = {
  operationId: 'startImport',
  summary: 'Read another service and plan the move',
  description:
    'Nothing is changed there, and nothing is made here until the plan is applied. The body is JSON ({ source: "calcom", database }, { source: "calcom", api, token } or { source: "calendly", token }), or a plain dump of pg_dump (also gzipped) as application/octet-stream with ?source=calcom, at most 1 GB. Admins of the instance; anyone may bring their own Calendly account.',
  tags,
  consumes: ['application/json', 'application/octet-stream'],
  querystring: StartQuery,
  // JSON is read by its own schema, and bytes have none.
  body: Type.Any(),
  response: { 202: StartedView, ...problems(400), ...problems(401, 403, 413, 415) },
}

async function start(context: Context, request: RequestOf<typeof START>, reply: ReplyOf<typeof START>) {
  const { startFromDump, startImport, readStart, DumpTooLarge } = await starting()
  const principal = principalOf(request)
  if (!isStream(request.body)) {
    const id = await startImport(context, principal, readStart(request.body))
    return reply.code(202).send({ id })
  }
  if (request.query.source !== 'calcom')
    throw new Problem('invalid', sentence`Say where the dump comes from: ?source=calcom.`, {
      field: 'source',
    })
  try {
    const id = await startFromDump(context, principal, request.body, MAX_DUMP)
    return await reply.code(202).send({ id })
  } catch (error) {
    if (!(error instanceof DumpTooLarge)) throw error
    // What is left of it is not read.
    reply.header('connection', 'close')
    return sendRefusal(request, reply, 413, error.sentence)
  }
}

const isStream = (body: unknown): body is Readable =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body

const GET = {
  operationId: 'getImport',
  summary: 'How far an import is, and what it plans',
  tags,
  params: IdPath,
  response: { 200: ImportViewSchema, ...refused },
}

async function get(context: Context, request: RequestOf<typeof GET>) {
  const { getImport } = await imports()
  return toView(request, await getImport(context, principalOf(request), request.params.id))
}

const LINES = {
  operationId: 'listImportLines',
  summary: 'What a plan says of each row of the source',
  tags,
  params: IdPath,
  querystring: LinesQuery,
  response: { 200: pageOf(LineView), ...problems(400), ...refused },
}

async function lines(context: Context, request: RequestOf<typeof LINES>) {
  const { listLines } = await imports()
  const { table, state, search = '', noted } = request.query
  const filter = { table, state, search: search.trim(), noted: noted === 'true' }
  return answerPage(
    request.query,
    (page) => listLines(context, principalOf(request), request.params.id, filter, page),
    ({ position }) => String(position),
    ({ state, key, name, sentence: why }) => ({
      state,
      table: key.slice(0, key.indexOf('/')),
      id: key.slice(key.indexOf('/') + 1),
      name,
      sentence: answerIn(request, why).text,
    }),
  )
}

const APPLY = {
  operationId: 'applyImport',
  summary: 'Make what was planned',
  description:
    'The plan is made again with the choices and what is here by now. Nobody is mailed, no webhook is sent. 409 if it was applied already.',
  tags,
  params: IdPath,
  body: ApplyImport,
  response: { 202: StartedView, ...problems(400), ...refused, ...problems(409) },
}

async function apply(context: Context, request: RequestOf<typeof APPLY>, reply: ReplyOf<typeof APPLY>) {
  const { applyImport } = await imports()
  const { id } = request.params
  await applyImport(context, principalOf(request), id, request.body.choices ?? {})
  return reply.code(202).send({ id })
}

const UNDO = {
  operationId: 'undoImport',
  summary: 'Take back everything that an import made',
  description: 'Possible until the first new booking, with 409 from then on.',
  tags,
  params: IdPath,
  response: { 204: Type.Null(), ...refused, ...problems(409) },
}

async function undo(context: Context, request: RequestOf<typeof UNDO>, reply: ReplyOf<typeof UNDO>) {
  const { undoImport } = await import('../../../services/imports/undo.ts')
  await undoImport(context, principalOf(request), request.params.id)
  return reply.code(204).send(null)
}

const NONE: Readonly<Record<LineState, number>> = { new: 0, changed: 0, same: 0, 'left-out': 0 }

function toView(request: Parameters<typeof answerIn>[0], found: Import): ImportView {
  const { id, source, state, done, total, counts, offered, notes, reason } = found
  const isRead = state !== 'reading'
  const hasPlan = Object.keys(counts).length > 0 || (isRead && state !== 'failed')
  return {
    id,
    source,
    state,
    progress: { done, total },
    plan: hasPlan
      ? {
          counts: Object.fromEntries(
            Object.entries(counts).map(([table, byState]) => [table, { ...NONE, ...byState }]),
          ),
          choices: offered.map((choice) =>
            choice.kind === 'slug' ? choice : { ...choice, options: [...choice.options] },
          ),
        }
      : null,
    report: isRead
      ? {
          sentence: answerIn(request, reason).text,
          notes: notes.map((note) => answerIn(request, note).text),
        }
      : null,
    createdAt: formatInstant(found.createdAt),
    appliedAt: found.appliedAt === null ? null : formatInstant(found.appliedAt),
    undoneAt: found.undoneAt === null ? null : formatInstant(found.undoneAt),
  }
}
