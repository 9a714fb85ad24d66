import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { BOOKING_STATUSES, type BookingStatus } from '../../../domain/bookings/booking.ts'
import { getInsights } from '../../../services/bookings/insights.ts'
import type { Context } from '../../../services/context.ts'
import { problems } from '../../problems.ts'
import { pick, principalOf } from '../desk.ts'
import { TargetView, toTargetView } from '../forms/forms.ts'

const Count = Type.Integer()
const counts = {
  held: Type.Integer({ description: 'Neither cancelled nor declined.' }),
  calledOff: Type.Integer({ description: 'Cancelled or declined.' }),
}

const InsightsView = Type.Object({
  from: Type.String({ description: 'The first date.' }),
  to: Type.String({ description: 'The last date.' }),
  timezone: Type.String({ description: 'Yours: dates and hours are on its clock.' }),
  totals: Type.Unsafe<Record<BookingStatus, number>>(
    Type.Object(Object.fromEntries(BOOKING_STATUSES.map((status) => [status, Count]))),
  ),
  byDay: Type.Array(Type.Object({ date: Type.String(), ...counts }), { description: 'Every date.' }),
  byEventType: Type.Array(Type.Object({ eventTypeId: Type.String(), ...counts }), {
    description: 'The most booked first.',
  }),
  byHour: Type.Array(
    Type.Object({
      weekday: Type.Integer({ description: '1 is Monday.' }),
      hour: Type.Integer({ description: '0 to 23: when meetings start.' }),
      count: Count,
    }),
    { description: 'Without hours in which nothing starts.' },
  ),
  leadTimes: Type.Array(
    Type.Object({
      hours: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Booked less than so many hours ahead, and no less than those before; null: longer.',
      }),
      count: Count,
    }),
  ),
  routes: Type.Array(Type.Object({ formId: Type.String(), result: TargetView, count: Count }), {
    description: 'Where routing forms led in that time, most often first; at most 200.',
  }),
})

const InsightsQuery = Type.Object({
  from: Type.Optional(
    Type.String({ maxLength: 10, description: 'A date; 30 days before the last by default.' }),
  ),
  to: Type.Optional(
    Type.String({ maxLength: 10, description: 'A date, included; today by default. At most 366 days.' }),
  ),
  ownerId: Type.Optional(Type.String({ description: 'Yourself, or one of your teams.' })),
})

/** What has been booked, counted. */
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
        routes: routes.map(({ formId, target, count }) => ({ formId, result: toTargetView(target), count })),
      }
    },
  )
}
