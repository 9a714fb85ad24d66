import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { formatInstant } from '../../../domain/instant.ts'
import { translationTo } from '../../../format/refusals/translations.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import { exportAudit, type ListedEntry, listAudit } from '../../../services/people/audit.ts'
import { fieldLabel } from '../../field-names.ts'
import { languageOf, varyBy } from '../../language.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { sendCsv } from '../csv.ts'
import { answerPage, PageQuery, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { pick } from '../request.ts'
import { AuditView } from './schemas.ts'

/** Who changed what, and when. */
export const auditRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get('/audit', { schema: LIST }, (request, reply) => list(context, request, reply))
  app.get('/audit.csv', { schema: EXPORT_CSV }, (request, reply) => exportCsv(context, request, reply))
}

const tags = ['Audit']

const FilterQuery = Type.Object({
  actor: Type.Optional(
    Type.String({ maxLength: 254, description: 'Part of the address of who acted; case does not matter.' }),
  ),
  action: Type.Optional(Type.String({ maxLength: 64, description: 'Such as `updated`.' })),
  objectType: Type.Optional(Type.String({ maxLength: 64, description: 'Such as `event-type`.' })),
  from: Type.Optional(Type.String({ maxLength: 64, description: 'At or after this UTC instant.' })),
  to: Type.Optional(Type.String({ maxLength: 64, description: 'Before this UTC instant.' })),
})

const LIST = {
  operationId: 'listAudit',
  summary: 'Changes to what you or the teams you manage own, newest first',
  tags,
  querystring: Type.Object({ ...PageQuery.properties, ...FilterQuery.properties }),
  response: { 200: pageOf(AuditView), ...problems(400, 401, 404) },
}

function list(context: Context, request: RequestOf<typeof LIST>, reply: ReplyOf<typeof LIST>) {
  varyBy(reply, 'accept-language')
  const translate = translationTo(languageOf(request))?.find
  const filter = pick(request.query, FilterQuery)
  return answerPage(
    request.query,
    (page) => listAudit(context, principalOf(request), filter, page),
    ({ id }) => id,
    (entry) => toView(entry, translate),
  )
}

const EXPORT_CSV = {
  operationId: 'exportAudit',
  summary: 'All changes that a filter finds, as CSV',
  description:
    'Takes the filters of the list. Cells that a spreadsheet would run as a formula begin with an apostrophe.',
  tags,
  querystring: FilterQuery,
  response: {
    200: {
      description: 'CSV (RFC 4180), in UTF-8.',
      content: { 'text/csv': { schema: Type.String() } },
    },
    ...problems(400, 401),
  },
}

async function exportCsv(
  context: Context,
  request: RequestOf<typeof EXPORT_CSV>,
  reply: ReplyOf<typeof EXPORT_CSV>,
) {
  const chunks = await exportAudit(context, principalOf(request), pick(request.query, FilterQuery))
  return sendCsv(reply, 'audit.csv', chunks)
}

function toView(entry: ListedEntry, translate?: (name: string) => string | undefined): AuditView {
  const { id, actor, token, action, objectType, objectId, object, changes } = entry
  return {
    id,
    at: formatInstant(entry.createdAt),
    actor,
    token,
    action,
    objectType,
    objectId,
    object: object ?? null,
    ownerId: entry.schedulerId,
    changes: [...changes],
    fields: [...new Set(changes.map((field) => fieldLabel(field, translate)))],
  }
}
