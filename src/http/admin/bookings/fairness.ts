import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import { ASSIGNMENT_REASONS, type Assignment } from '../../../domain/bookings/assignment.ts'
import { Type } from '../../../format/type.ts'
import { getFairness, type NamedShare } from '../../../services/bookings/reports/fairness.ts'
import type { Context } from '../../../services/context.ts'
import { problems } from '../../problems.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import { InsightsQuery } from './schemas.ts'

const { from, to } = InsightsQuery.properties

export const AssignmentsQuery = Type.Object({ from, to })

const Shares = Type.Array(
  Type.Object({
    hostId: Type.String(),
    name: Type.String({ description: 'Empty if the account was deleted.' }),
    meetings: Type.Integer({ description: 'What they got.' }),
    due: Type.Number({
      description:
        'What was due to them: the sum of their shares, by weight, in all meetings for which they were free.',
    }),
    reasons: Type.Unsafe<Record<Assignment['reason'], number>>(
      Type.Object(Object.fromEntries(ASSIGNMENT_REASONS.map((reason) => [reason, Type.Integer()])), {
        description: 'The meetings they got, by the `reason` of the booking’s `assignment`.',
      }),
    ),
  }),
  { description: 'Each host who got a meeting or was free for one; who got most comes first.' },
)

export type AssignmentsView = Static<typeof AssignmentsView>
export const AssignmentsView = Type.Object({
  from: Type.String({ description: 'The first date.' }),
  to: Type.String({ description: 'The last date.' }),
  timezone: Type.String({ description: 'Your time zone, which the dates are in.' }),
  hosts: Shares,
  eventTypes: Type.Array(Type.Object({ eventTypeId: Type.String(), hosts: Shares }), {
    description: 'The same for each event type of a round robin.',
  }),
})

/** How a team's meetings were shared out. */
export const fairnessRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get(
    '/teams/:id/assignments',
    {
      schema: {
        operationId: 'getAssignments',
        summary: 'Who got a team’s meetings, and what was due to each host',
        description:
          'Meetings of round robins that start between two dates, without those that were cancelled or declined. The sum of `due` is the number of meetings.',
        tags: ['Teams'],
        params: IdPath,
        querystring: AssignmentsQuery,
        response: { 200: AssignmentsView, ...problems(400, 401, 404) },
      },
    },
    async (request) => {
      const query = pick(request.query, AssignmentsQuery)
      const found = await getFairness(context, principalOf(request), request.params.id, query)
      return {
        from: found.from,
        to: found.to,
        timezone: found.timeZone,
        hosts: found.hosts.map(toView),
        eventTypes: found.eventTypes.map(({ eventTypeId, hosts }) => ({
          eventTypeId,
          hosts: hosts.map(toView),
        })),
      }
    },
  )
}

const toView = ({ hostId, name, meetings, due, reasons }: NamedShare) => ({
  hostId,
  name,
  meetings,
  due,
  reasons: { ...reasons },
})
