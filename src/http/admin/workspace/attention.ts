import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import { formatInstant } from '../../../domain/instant.ts'
import { nullable, oneOf } from '../../../format/schema.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import { listAttention } from '../../../services/workspace/attention/attention.ts'
import { ATTENTION_KINDS, ATTENTION_SCOPES } from '../../../services/workspace/attention/audience.ts'
import { answerIn, varyBy } from '../../language.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { principalOf } from '../principal.ts'

const AttentionItemView = Type.Object({
  kind: oneOf(ATTENTION_KINDS),
  scope: oneOf(ATTENTION_SCOPES),
  sentence: Type.String({ description: 'What is wrong, in the language of the request.' }),
  url: Type.String({
    description: 'The page of the dashboard where it is mended, such as `/app/calendars`.',
  }),
  since: nullable(Type.String({ description: 'ISO 8601, UTC; null: not known.' })),
})

export type AttentionView = Static<typeof AttentionView>
const AttentionView = Type.Object({ items: Type.Array(AttentionItemView) })

/** What does not work until someone mends it. */
export const attentionRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get('/attention', { schema: LIST }, (request, reply) => list(context, request, reply))
}

const LIST = {
  operationId: 'listAttention',
  summary: 'What needs attention: calendars, links, webhooks, emails, invitations, backups',
  description:
    'What you can mend: your own, that of teams where you are admin or owner and, for admins, the instance’s. Empty when all is well. Hidden event types are left out.',
  tags: ['Instance'],
  response: { 200: AttentionView, ...problems(401) },
}

async function list(context: Context, request: RequestOf<typeof LIST>, reply: ReplyOf<typeof LIST>) {
  varyBy(reply, 'accept-language')
  const items = await listAttention(context, principalOf(request))
  return {
    items: items.map(({ sentence, since, ...item }) => ({
      ...item,
      sentence: answerIn(request, sentence).text,
      since: since === null ? null : formatInstant(since),
    })),
  }
}
