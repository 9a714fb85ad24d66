import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { formatInstant } from '../../../domain/instant.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import { type Explanation, explain, explainDraft } from '../../../services/event-types/explain-start.ts'
import { answerIn } from '../../language.ts'
import { problems } from '../../problems.ts'
import { draftOf } from '../event-types/draft.ts'
import { ChangeEventType } from '../event-types/schemas.ts'
import { principalOf } from '../principal.ts'
import { IdPath } from '../request.ts'
import { ExplanationView } from './schemas.ts'

const AskedStart = Type.Object({
  start: Type.String({ maxLength: 64, description: 'ISO 8601, UTC.' }),
  duration: Type.Optional(
    Type.String({ maxLength: 4, description: 'In minutes, one of `durations`; else the default.' }),
  ),
})

/** Explains why a start time is not offered. */
export const explainRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get(
    '/event-types/:id/explain',
    {
      schema: {
        operationId: 'explainStart',
        summary: 'Why a start time isn’t offered: every rule that excludes it, in words',
        tags: ['Event types'],
        params: IdPath,
        querystring: AskedStart,
        response: { 200: ExplanationView, ...problems(400, 401, 404) },
      },
    },
    async (request) =>
      toView(request, await explain(context, principalOf(request), request.params.id, request.query)),
  )
  app.post(
    '/event-types/:id/explain',
    {
      schema: {
        operationId: 'explainDraftStart',
        summary: 'The same with these settings; nothing is saved',
        description: 'What is left out is as saved.',
        tags: ['Event types'],
        params: IdPath,
        querystring: AskedStart,
        body: ChangeEventType,
        response: { 200: ExplanationView, ...problems(400, 401, 403, 404) },
      },
    },
    async (request) => {
      const draft = draftOf(request.params.id, request.body)
      return toView(request, await explainDraft(context, principalOf(request), draft, request.query))
    },
  )
}

const toView = (request: FastifyRequest, { startsAt, offered, groups }: Explanation) => ({
  startTime: formatInstant(startsAt),
  offered,
  groups: groups.map(({ hostIds, reasons }) => ({
    hostIds: [...hostIds],
    reasons: reasons.map((reason) => answerIn(request, reason).text),
  })),
})
