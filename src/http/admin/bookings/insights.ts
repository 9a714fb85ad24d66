import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { getInsights } from '../../../services/bookings/reports/insights.ts'
import type { Context } from '../../../services/context.ts'
import { problems } from '../../problems.ts'
import { toTargetView } from '../forms/forms.ts'
import { principalOf } from '../principal.ts'
import { pick } from '../request.ts'
import { InsightsQuery, InsightsView } from './schemas.ts'

/** Statistics about bookings. */
export const insightsRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get(
    '/insights',
    {
      schema: {
        operationId: 'getInsights',
        summary: 'Bookings that start between two dates, counted by day, hour, event type and lead time',
        tags: ['Insights'],
        querystring: InsightsQuery,
        response: { 200: InsightsView, ...problems(400, 401, 404) },
      },
    },
    async (request) => {
      const found = await getInsights(context, principalOf(request), pick(request.query, InsightsQuery))
      const { timeZone, routes, ...rest } = found
      return {
        from: rest.from,
        to: rest.to,
        timezone: timeZone,
        totals: rest.totals,
        byDay: [...rest.byDay],
        byEventType: [...rest.byEventType],
        byHour: [...rest.byHour],
        leadTimes: [...rest.leadTimes],
        payments: [...rest.payments],
        routes: routes.map(({ formId, target, count }) => ({ formId, result: toTargetView(target), count })),
      }
    },
  )
}
