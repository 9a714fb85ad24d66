import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Attribute, AttributeValue, AttributeValues } from '../../../domain/people/attributes.ts'
import { Problem } from '../../../domain/problem.ts'
import { type Sentence, sentence } from '../../../domain/sentence.ts'
import { oneOf } from '../../../format/schema.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import {
  type AttributeImport,
  getAttributes,
  importAttributes,
  replaceAttributes,
} from '../../../services/people/teams/attributes.ts'
import { answerIn } from '../../language.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { principalOf } from '../principal.ts'
import { IdPath } from '../request.ts'
import { sendVersioned, versionIn } from '../versions.ts'
import { AttributeImportView, AttributesView, type AttributeView, GivenAttributes } from './schemas.ts'

const MAX_FILE = 1024 * 1024

const ImportQuery = Type.Object({
  dryRun: Type.Optional(oneOf(['true', 'false', ''], '`true`: say what would change, and save nothing.')),
})

/** What a team records about its members. */
export const attributeRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.addContentTypeParser('text/csv', { parseAs: 'buffer', bodyLimit: MAX_FILE }, (_request, body, done) =>
    done(null, body),
  )
  app.get('/teams/:id/attributes', { schema: LIST }, (request, reply) => list(context, request, reply))
  app.put('/teams/:id/attributes', { schema: REPLACE }, (request, reply) => replace(context, request, reply))
  app.post('/teams/:id/attributes/import', { schema: IMPORT_FILE, bodyLimit: MAX_FILE }, (request) =>
    importFile(context, request),
  )
}

const tags = ['Teams']

const LIST = {
  operationId: 'listTeamAttributes',
  summary: 'What a team records about its members',
  tags,
  params: IdPath,
  response: { 200: AttributesView, ...problems(401, 404) },
}

async function list(context: Context, request: RequestOf<typeof LIST>, reply: ReplyOf<typeof LIST>) {
  const attributes = await getAttributes(context.db, principalOf(request), request.params.id)
  return sendVersioned(reply, toView(attributes))
}

const REPLACE = {
  operationId: 'replaceTeamAttributes',
  summary: 'Replace what a team records about its members',
  description:
    'Takes the whole list. Removing an attribute or an option, or changing a type, is refused (409) while that is set for a member; the refusal names them.',
  tags,
  params: IdPath,
  body: GivenAttributes,
  response: { 200: AttributesView, ...problems(400, 401, 403, 404, 409, 412) },
}

async function replace(context: Context, request: RequestOf<typeof REPLACE>, reply: ReplyOf<typeof REPLACE>) {
  const given = request.body.map(({ options = [], ...rest }) => ({ ...rest, options }))
  const changed = await replaceAttributes(context, principalOf(request), versionIn(request, toView), given)
  return sendVersioned(reply, toView(changed))
}

const IMPORT_FILE = {
  operationId: 'importTeamAttributes',
  summary: 'Set the attributes of many members from CSV',
  description:
    'The body is CSV in UTF-8, at most 1 MB and 1,000 rows, or as many as the team has members. The first row names the columns: `email`, and keys of attributes. An empty cell clears; several options in a cell are separated by semicolons. All rows are saved or none; with `dryRun=true` none are, and the answer says row by row what would change and what is wrong, for the first 50 wrong rows.',
  tags,
  consumes: ['text/csv'],
  params: IdPath,
  querystring: ImportQuery,
  // Bytes have no schema.
  body: Type.Any(),
  response: { 200: AttributeImportView, ...problems(400, 401, 403, 404, 413, 415) },
}

async function importFile(context: Context, request: RequestOf<typeof IMPORT_FILE>) {
  const dryRun = request.query.dryRun === 'true'
  const { id } = request.params
  const readFile = () => readText(request.body)
  const done = await importAttributes(context, principalOf(request), id, { readFile, dryRun })
  return toImportView(done, (problem) => answerIn(request, problem).text)
}

function readText(body: unknown): string {
  if (!Buffer.isBuffer(body))
    throw new Problem('invalid', sentence`Send the file itself as the body, as text/csv.`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch (cause) {
    throw new Problem('invalid', sentence`The file is not UTF-8 text. Save it as CSV UTF-8.`, { cause })
  }
}

function toView(attributes: readonly Attribute[]): AttributeView[] {
  return attributes.map((attribute) => ({ ...attribute, options: [...attribute.options] }))
}

const toValueView = (value: AttributeValue) => (typeof value === 'string' ? value : [...value])

export function toValuesView(values: AttributeValues): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, toValueView(value)]))
}

function toImportView(
  { rows, saved }: AttributeImport,
  say: (problem: Sentence) => string,
): AttributeImportView {
  return {
    saved,
    rows: rows.map(({ attributes: _, changes, problem, ...row }) => ({
      ...row,
      problem: problem && say(problem),
      changes: changes.map(({ key, before, after }) => ({
        key,
        before: before && toValueView(before),
        after: after && toValueView(after),
      })),
    })),
  }
}
