import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import { readReason } from '../../../domain/bookings/change-request.ts'
import { UNDO_WINDOW } from '../../../domain/bookings/states.ts'
import { invalidField } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { nullable, oneOf } from '../../../format/schema.ts'
import { Type } from '../../../format/type.ts'
import { cancel } from '../../../services/bookings/cancel.ts'
import { approve } from '../../../services/bookings/host/approve.ts'
import { changeMany } from '../../../services/bookings/host/change-many.ts'
import { decline } from '../../../services/bookings/host/decline.ts'
import { countChange, countForUser, type MailedChange } from '../../../services/bookings/host/host-mails.ts'
import { markNoShow } from '../../../services/bookings/host/mark-no-show.ts'
import { reassign } from '../../../services/bookings/host/reassign.ts'
import type { Context } from '../../../services/context.ts'
import { answerIn } from '../../language.ts'
import { problems } from '../../problems.ts'
import type { RequestOf } from '../../typed-route.ts'
import { principalOf } from '../principal.ts'
import { APPROVE, CANCEL, DECLINE, NO_SHOW, REASSIGN } from './actions.ts'
import type { HostMailOptions } from './host-mail-options.ts'
import { reason, undoable } from './schemas.ts'

const BULK_ACTIONS = ['approve', 'decline', 'cancel', 'hand-over', 'no-show'] as const

const MOST = 200

const ChangeBookings = Type.Object({
  action: oneOf(BULK_ACTIONS),
  ids: Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: MOST }),
  reason,
  hostId: Type.Optional(Type.String({ maxLength: 64, description: 'Who takes over: for `hand-over`.' })),
  undoable,
})

export type ChangedBookingsView = Static<typeof ChangedBookingsView>
const ChangedBookingsView = Type.Object({
  results: Type.Array(
    Type.Object({
      id: Type.String(),
      ok: Type.Boolean({ description: 'The booking is as asked for; what was so before, too.' }),
      error: nullable(Type.String(), 'Why not, in a sentence.'),
    }),
    { description: 'In the order of the ids.' },
  ),
})

/** Changes to many bookings at once. */
export const bulkRoutes: FastifyPluginAsyncTypebox<HostMailOptions> = async (app, options) => {
  app.post('/bookings/bulk', { schema: CHANGE_MANY }, (request) => changeAll(options, request))
}

const CHANGE_MANY = {
  operationId: 'changeBookings',
  summary: 'Change up to 200 bookings at once',
  description:
    'Each booking on its own, with the rights and rules of the single change: what is refused stays as it is, and `error` says why. Of a series, `cancel` and `hand-over` change one meeting, `approve` and `decline` all of it. `hand-over` needs `hostId`. Safe to repeat.',
  tags: ['Bookings'],
  body: ChangeBookings,
  response: { 200: ChangedBookingsView, ...problems(400, 401, 403, 429, 503) },
}

async function changeAll({ context, mailLimits }: HostMailOptions, request: RequestOf<typeof CHANGE_MANY>) {
  const { ids, ...asked } = request.body
  const principal = principalOf(request)
  const { change, isDone } = changeOf(context, asked)
  const mails = MAILED[asked.action]
  if (mails !== undefined) await countForUser(mailLimits.changes, principal.userId)
  const results = await changeMany(context, principal, ids, {
    change: async (author, seen) => {
      if (mails !== undefined) await countChange(context, mailLimits, seen, mails)
      return change(author, seen)
    },
    isDone,
  })
  return {
    results: results.map(({ id, refusal }) => ({
      id,
      ok: refusal === undefined,
      error: refusal === undefined ? null : answerIn(request, refusal).text,
    })),
  }
}

/** Whom each change is mailed to, as when it is made alone. */
const MAILED: Readonly<Record<(typeof BULK_ACTIONS)[number], MailedChange | undefined>> = {
  approve: APPROVE.mails,
  decline: DECLINE.mails,
  cancel: CANCEL.mails,
  'hand-over': REASSIGN.mails,
  'no-show': NO_SHOW.mails,
}

function changeOf(
  context: Context,
  { action, reason: said, hostId, undoable: mayUndo = false }: Omit<Static<typeof ChangeBookings>, 'ids'>,
): Parameters<typeof changeMany>[3] {
  const why = readReason(said)
  const undoFor = mayUndo ? UNDO_WINDOW : 0
  switch (action) {
    case 'approve':
      return {
        change: (author, seen) => approve(context, author, seen, { undoFor }),
        isDone: ({ booking }) => booking.status === 'Confirmed',
      }
    case 'decline':
      return {
        change: (author, seen) => decline(context, author, seen, { reason: why, undoFor }),
        isDone: ({ booking }) => booking.status === 'Declined',
      }
    case 'cancel':
      return {
        change: (author, seen) => cancel(context, author, seen, { reason: why }),
        isDone: ({ booking }) => booking.status === 'Cancelled',
      }
    case 'no-show':
      return {
        change: (author, seen) => markNoShow(context, author, seen),
        isDone: ({ booking }) => booking.status === 'NoShow',
      }
    case 'hand-over':
      if (hostId === undefined) throw invalidField('hostId', sentence`Choose who takes these meetings over.`)
      return {
        change: (author, seen) => reassign(context, author, seen, { hostId, reason: why }),
        isDone: (current) => current.hostId === hostId,
      }
  }
}
