import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import { formatInstant } from '../../../domain/instant.ts'
import { oneOf } from '../../../format/schema.ts'
import { Type } from '../../../format/type.ts'
import { BUSY_SOURCES, listBusy } from '../../../services/bookings/reports/busy.ts'
import { severalIn } from '../../../services/bookings/reports/list.ts'
import type { Context } from '../../../services/context.ts'
import { instantIn } from '../../../services/period.ts'
import { problems } from '../../problems.ts'
import type { RequestOf } from '../../typed-route.ts'
import { principalOf } from '../principal.ts'

const Instant = Type.String({ description: 'ISO 8601, UTC.', examples: ['2030-01-31T09:30:00Z'] })

const BusyQuery = Type.Object({
  from: Type.String({ maxLength: 64, description: 'Ends after this UTC instant.' }),
  to: Type.String({ maxLength: 64, description: 'Starts before this UTC instant; at most 42 days later.' }),
  hostId: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 200 })], {
      description:
        'Only of these hosts: separated by commas, or repeated. Those whose bookings you may not see give nothing.',
    }),
  ),
})

export type BusyView = Static<typeof BusyView>
const BusyView = Type.Object({
  items: Type.Array(
    Type.Object({
      hostId: Type.String(),
      startTime: Instant,
      endTime: Instant,
      source: oneOf(BUSY_SOURCES),
    }),
  ),
})

/** When hosts are busy elsewhere. */
export const busyRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get('/busy', { schema: LIST }, (request) => list(context, request))
}

const LIST = {
  operationId: 'listBusy',
  summary: 'When hosts are busy elsewhere, earliest first',
  description:
    'Busy times of connected calendars, and time off, of you and of those whose bookings you may see. Titles are never shown. Spans are as they are, even if they begin before `from` or end after `to`.',
  tags: ['Calendars'],
  querystring: BusyQuery,
  response: { 200: BusyView, ...problems(400, 401, 403) },
}

async function list(context: Context, request: RequestOf<typeof LIST>) {
  const { from, to, hostId } = request.query
  const span = { start: instantIn('from', from), end: instantIn('to', to) }
  const hostIds = hostId === undefined ? undefined : severalIn(hostId)
  const found = await listBusy(context, principalOf(request), hostIds, span)
  return {
    items: found.map((one) => ({
      hostId: one.hostId,
      startTime: formatInstant(one.start),
      endTime: formatInstant(one.end),
      source: one.source,
    })),
  }
}
