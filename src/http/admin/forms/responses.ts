import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { formatCursor } from '../../../domain/cursor.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import { getFunnel } from '../../../services/forms/funnel.ts'
import { exportResponses, listResponses } from '../../../services/forms/responses.ts'
import type { FormResponse } from '../../../store/forms/forms.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { sendCsv } from '../csv.ts'
import { answerPage, PageQuery, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import { toTargetView } from './forms.ts'
import { FormResponseView, FunnelQuery, FunnelView } from './schemas.ts'

/** What visitors answered, and where they were sent. */
export const formResponseRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (
  app,
  { context },
) => {
  app.get('/routing-forms/:id/responses', { schema: LIST }, (request) => list(context, request))
  app.get('/routing-forms/:id/funnel', { schema: SHOW_FUNNEL }, (request) => showFunnel(context, request))
  app.get('/routing-forms/:id/responses.csv', { schema: EXPORT_CSV }, (request, reply) =>
    exportCsv(context, request, reply),
  )
}

const tags = ['Routing forms']

const LIST = {
  operationId: 'listFormResponses',
  summary: 'Responses to a routing form, newest first',
  tags,
  params: IdPath,
  querystring: PageQuery,
  response: { 200: pageOf(FormResponseView), ...problems(400, 401, 404) },
}

async function list(context: Context, request: RequestOf<typeof LIST>) {
  return answerPage(
    request.query,
    (page) => listResponses(context, principalOf(request), request.params.id, page),
    ({ id, createdAt }) => formatCursor({ at: createdAt, id }),
    toView,
  )
}

const SHOW_FUNNEL = {
  operationId: 'getFormFunnel',
  summary: 'How far visitors of a routing form came between two dates',
  tags,
  params: IdPath,
  querystring: FunnelQuery,
  response: { 200: FunnelView, ...problems(400, 401, 404) },
}

async function showFunnel(context: Context, request: RequestOf<typeof SHOW_FUNNEL>) {
  const query = pick(request.query, FunnelQuery)
  const { timeZone, dropOff, ...rest } = await getFunnel(
    context,
    principalOf(request),
    request.params.id,
    query,
  )
  return { ...rest, timezone: timeZone, dropOff: [...dropOff] }
}

const EXPORT_CSV = {
  operationId: 'exportFormResponses',
  summary: 'All responses to a routing form, as CSV',
  description:
    'A column for each field, by its label; one for each other answer, by its id; then action, target, createdAt and bookingId. Cells that a spreadsheet would run as a formula begin with an apostrophe.',
  tags,
  params: IdPath,
  response: {
    200: {
      description: 'CSV (RFC 4180), in UTF-8.',
      content: { 'text/csv': { schema: Type.String() } },
    },
    ...problems(401, 404),
  },
}

async function exportCsv(
  context: Context,
  request: RequestOf<typeof EXPORT_CSV>,
  reply: ReplyOf<typeof EXPORT_CSV>,
) {
  const { form, chunks } = await exportResponses(context, principalOf(request), request.params.id)
  // A slug is safe in a file name and in a header.
  return sendCsv(reply, `${form.slug}-responses.csv`, chunks)
}

function toView({ id, answers, result, bookingId, createdAt }: FormResponse): FormResponseView {
  return {
    id,
    answers: { ...answers },
    result: toTargetView(result),
    bookingId,
    createdAt: formatInstant(createdAt),
  }
}
