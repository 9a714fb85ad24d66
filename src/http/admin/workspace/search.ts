import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import { oneOf } from '../../../format/schema.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import { FOUND_KINDS, search } from '../../../services/workspace/search.ts'
import { answerIn, varyBy } from '../../language.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { principalOf } from '../principal.ts'

const FoundItemView = Type.Object({
  kind: oneOf(FOUND_KINDS),
  id: Type.String(),
  title: Type.String({ description: 'Its name; of a booking, the guest’s.' }),
  detail: Type.String({ description: 'What tells it from others of that name.' }),
  url: Type.String({ description: 'Its page in the dashboard, such as `/app/event-types/…`.' }),
})

export type FoundView = Static<typeof FoundView>
const FoundView = Type.Object({ items: Type.Array(FoundItemView) })

/** One search for everything that a user may see. */
export const searchRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get('/search', { schema: SEARCH }, (request, reply) => find(context, request, reply))
}

const SEARCH = {
  operationId: 'search',
  summary: 'Event types, forms, teams, people and bookings by name or address',
  description:
    'At most 20, the best first: a whole name before a part of one. Case and accents don’t matter. Bookings are found by guest. Admins of the instance find everyone, and only bookings that they may see.',
  tags: ['Instance'],
  querystring: Type.Object({
    q: Type.String({ maxLength: 100, description: '1 to 100 characters of a name or an address.' }),
  }),
  response: { 200: FoundView, ...problems(400, 401) },
}

async function find(context: Context, request: RequestOf<typeof SEARCH>, reply: ReplyOf<typeof SEARCH>) {
  varyBy(reply, 'accept-language')
  const found = await search(context, principalOf(request), request.query.q)
  return { items: found.map(({ detail, ...one }) => ({ ...one, detail: answerIn(request, detail).text })) }
}
