import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import { listSavedFilters, saveFilters } from '../../../services/people/saved-filters.ts'
import { problems } from '../../problems.ts'
import type { RequestOf } from '../../typed-route.ts'
import { principalOf } from '../principal.ts'

export type SavedFiltersView = Static<typeof SavedFilters>
const SavedFilters = Type.Array(
  Type.Object({
    name: Type.String({ maxLength: 100 }),
    query: Type.String({ maxLength: 2000, description: 'Of the list of bookings, without `?`.' }),
  }),
  { maxItems: 20 },
)

/** The filters of bookings that the user keeps. */
export const savedFilterRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (
  app,
  { context },
) => {
  app.get('/me/saved-filters', { schema: LIST }, (request) => listSavedFilters(context, principalOf(request)))
  app.put('/me/saved-filters', { schema: SAVE }, (request) => save(context, request))
}

const tags = ['Me']

const LIST = {
  operationId: 'listSavedFilters',
  summary: 'The filters of bookings that you have saved',
  tags,
  response: { 200: SavedFilters, ...problems(401, 403) },
}

const SAVE = {
  operationId: 'saveFilters',
  summary: 'Replace the filters of bookings that you have saved',
  tags,
  body: SavedFilters,
  response: { 200: SavedFilters, ...problems(400, 401, 403) },
}

function save(context: Context, request: RequestOf<typeof SAVE>) {
  return saveFilters(context, principalOf(request), request.body)
}
