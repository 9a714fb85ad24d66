import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { formatInstant } from '../../../domain/instant.ts'
import type { AuditEntry } from '../../../domain/people/audit.ts'
import type { Context } from '../../../services/context.ts'
import { listAudit } from '../../../services/people/audit.ts'
import { problems } from '../../problems.ts'
import { answerPage, PageQuery, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { AuditView } from './schemas.ts'

/** Who changed what, and when. */
export const auditRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get(
    '/audit',
    {
      schema: {
        operationId: 'listAudit',
        summary: 'Changes to what you or the teams you manage own, newest first',
        tags: ['Audit'],
        querystring: PageQuery,
        response: { 200: pageOf(AuditView), ...problems(400, 401, 404) },
      },
    },
    async (request) =>
      answerPage(
        request.query,
        (page) => listAudit(context, principalOf(request), page),
        ({ id }) => id,
        toView,
      ),
  )
}

function toView(entry: AuditEntry): AuditView {
  const { id, actor, token, action, objectType, objectId, changes } = entry
  return {
    id,
    at: formatInstant(entry.createdAt),
    actor,
    token,
    action,
    objectType,
    objectId,
    ownerId: entry.schedulerId,
    changes: [...changes],
  }
}
