import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import { formatCursor } from '../../../domain/cursor.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { LEDGER_KINDS } from '../../../domain/payments/payment.ts'
import { oneOf } from '../../../format/schema.ts'
import { Type } from '../../../format/type.ts'
import { exportPayments, listPayments } from '../../../services/bookings/reports/payments.ts'
import type { Context } from '../../../services/context.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { sendCsv } from '../csv.ts'
import { answerPage, PageQuery, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { pick } from '../request.ts'

/** The ledger: what guests have paid, and what went back to them. */
export const paymentRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get('/payments', { schema: LIST }, (request) => list(context, request))
  app.get('/payments.csv', { schema: EXPORT_CSV }, (request, reply) => exportCsv(context, request, reply))
}

const tags = ['Payments']

const several = (description: string) =>
  Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 200 })], {
      description: `${description} Several are separated by commas, or repeated.`,
    }),
  )

const FilterQuery = Type.Object({
  bookingId: Type.Optional(Type.String({ maxLength: 64, description: 'Only lines about this booking.' })),
  kind: several(`One of ${LEDGER_KINDS.join(', ')}.`),
  from: Type.Optional(Type.String({ maxLength: 64, description: 'At or after this UTC instant.' })),
  to: Type.Optional(Type.String({ maxLength: 64, description: 'Before this UTC instant.' })),
  eventTypeId: several('An event type.'),
  ownerId: Type.Optional(Type.String({ description: 'You, or one of your teams.' })),
})

const ListQuery = Type.Object({ ...FilterQuery.properties, ...PageQuery.properties })

export type EntryView = Static<typeof EntryView>
export const EntryView = Type.Object({
  id: Type.String(),
  kind: oneOf(
    LEDGER_KINDS,
    '`authorised`: reserved until the host answers, then `captured` or `released`; `disputed`: the guest’s bank asks for it back; `expired`: never paid.',
  ),
  bookingId: Type.String(),
  amount: Type.Integer({ description: 'Positive, in the smallest unit of the currency.' }),
  currency: Type.String({ examples: ['EUR'] }),
  at: Type.String({ description: 'ISO 8601, UTC.', examples: ['2030-01-31T09:30:00Z'] }),
})

const LIST = {
  operationId: 'listPayments',
  summary:
    'What guests have paid for bookings that you may see, and what went back to them, the latest first',
  description: 'Lines are only added, never changed. They outlive the guest, of whom they say nothing.',
  tags,
  querystring: ListQuery,
  response: { 200: pageOf(EntryView), ...problems(400, 401, 403, 404) },
}

async function list(context: Context, request: RequestOf<typeof LIST>) {
  const query = pick(request.query, ListQuery)
  return answerPage(
    query,
    (page) => listPayments(context, principalOf(request), query, page),
    formatCursor,
    ({ id, kind, bookingId, amount, currency, at }) => ({
      id,
      kind,
      bookingId,
      amount,
      currency,
      at: formatInstant(at),
    }),
  )
}

const EXPORT_CSV = {
  operationId: 'exportPayments',
  summary: 'All of the ledger that a filter finds, as CSV',
  description:
    'Takes the filters of the list. `reference` is what the provider calls the payment, refund or dispute.',
  tags,
  querystring: FilterQuery,
  response: {
    200: {
      description: 'CSV (RFC 4180), in UTF-8.',
      content: { 'text/csv': { schema: Type.String() } },
    },
    ...problems(400, 401, 403, 404),
  },
}

async function exportCsv(
  context: Context,
  request: RequestOf<typeof EXPORT_CSV>,
  reply: ReplyOf<typeof EXPORT_CSV>,
) {
  const query = pick(request.query, FilterQuery)
  return sendCsv(reply, 'payments.csv', await exportPayments(context, principalOf(request), query))
}
