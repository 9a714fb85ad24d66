import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { formatInstant } from '../../../domain/instant.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import { explain } from '../../../services/event-types/explain-start.ts'
import { answerIn } from '../../language.ts'
import { problems } from '../../problems.ts'
import { principalOf } from '../principal.ts'
import { IdPath } from '../request.ts'
import { ExplanationView } from './schemas.ts'

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
        querystring: Type.Object({
          start: Type.String({ maxLength: 64, description: 'ISO 8601, UTC.' }),
          duration: Type.Optional(
            Type.String({ maxLength: 4, description: 'In minutes, one of `durations`; else the default.' }),
          ),
        }),
        response: { 200: ExplanationView, ...problems(400, 401, 404) },
      },
    },
    async (request) => {
      const { startsAt, offered, groups } = await explain(context, principalOf(request), request.params.id, {
        start: request.query.start,
        duration: request.query.duration,
      })
      return {
        startTime: formatInstant(startsAt),
        offered,
        groups: groups.map(({ hostIds, reasons }) => ({
          hostIds: [...hostIds],
          reasons: reasons.map((reason) => answerIn(request, reason).text),
        })),
      }
    },
  )
}
