import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static, TObject } from 'typebox'
import { readLink, readReason, readStart, readSuccessor } from '../../../domain/bookings/change-request.ts'
import type { Author } from '../../../domain/bookings/decisions/author.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import { UNDO_WINDOW } from '../../../domain/bookings/states.ts'
import { Type } from '../../../format/type.ts'
import { cancel } from '../../../services/bookings/cancel.ts'
import { reschedule } from '../../../services/bookings/guest/reschedule.ts'
import { addLink } from '../../../services/bookings/host/add-link.ts'
import { approve } from '../../../services/bookings/host/approve.ts'
import { followCalendar, restoreCalendar } from '../../../services/bookings/host/calendar-difference.ts'
import { changeAsHost } from '../../../services/bookings/host/change-as-host.ts'
import { decline } from '../../../services/bookings/host/decline.ts'
import { countChange, countForUser, type MailedChange } from '../../../services/bookings/host/host-mails.ts'
import { markNoShow } from '../../../services/bookings/host/mark-no-show.ts'
import { reassign } from '../../../services/bookings/host/reassign.ts'
import { undoAnswer } from '../../../services/bookings/host/undo-answer.ts'
import type { Context } from '../../../services/context.ts'
import { problems } from '../../problems.ts'
import { principalOf } from '../principal.ts'
import { IdPath } from '../request.ts'
import { sendVersioned, versionIn } from '../versions.ts'
import type { HostMailOptions } from './host-mail-options.ts'
import {
  AddLink,
  ApproveBooking,
  BookingView,
  CancelBooking,
  DeclineBooking,
  EndBooking,
  ReassignBooking,
  RescheduleBooking,
} from './schemas.ts'
import { toView } from './views.ts'

/** A route that changes a booking. What is given is read before the booking is. */
interface Action<Body extends TObject> {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly body: Body
  /** Whom it is mailed to; left out: no guest. */
  readonly mails?: MailedChange
  readonly change: (
    context: Context,
    given: Static<Body>,
  ) => (author: Author, seen: ListedBooking) => Promise<ListedBooking>
}

export function addAction<Body extends TObject>(
  app: Parameters<FastifyPluginAsyncTypebox>[0],
  { context, mailLimits }: HostMailOptions,
  { path, body, mails, change, ...about }: Action<Body>,
): void {
  app.post(
    `/bookings/:id/${path}`,
    {
      schema: {
        ...about,
        tags: ['Bookings'],
        params: IdPath,
        body: body as TObject,
        response: { 200: BookingView, ...problems(400, 401, 403, 404, 409, 412, ...(mails ? LIMITED : [])) },
      },
      // A request without a body gives no reason.
      preValidation: async (request) => {
        request.body ??= {}
      },
    },
    async (request, reply) => {
      const made = change(context, request.body as Static<Body>)
      const principal = principalOf(request)
      const changed = await changeAsHost(
        context,
        principal,
        versionIn(request, toView),
        async (author, seen) => {
          if (mails !== undefined) {
            await countForUser(mailLimits.changes, principal.userId)
            await countChange(context, mailLimits, seen, mails)
          }
          return made(author, seen)
        },
      )
      return sendVersioned(reply, toView(changed))
    },
  )
}

const LIMITED = [429, 503] as const

/** Infers what `change` is given from the body. */
const action = <Body extends TObject>(one: Action<Body>): Action<Body> => one

const NoBody = Type.Object({})

const undoFor = (undoable = false) => (undoable ? UNDO_WINDOW : 0)

export const APPROVE = action({
  path: 'approve',
  operationId: 'approveBooking',
  summary: 'Approve a request',
  description: 'A `PendingApproval` becomes `Confirmed`, unless its start has passed.',
  body: ApproveBooking,
  mails: { to: 'guest', ends: false },
  change:
    (context, { undoable }) =>
    (author, seen) =>
      approve(context, author, seen, { undoFor: undoFor(undoable) }),
})

export const DECLINE = action({
  path: 'decline',
  operationId: 'declineBooking',
  summary: 'Decline a request',
  description: 'A `PendingApproval` becomes `Declined`, and its time is available again.',
  body: DeclineBooking,
  mails: { to: 'guest', ends: true },
  change: (context, { reason, undoable }) => {
    const said = readReason(reason)
    return (author, seen) => decline(context, author, seen, { reason: said, undoFor: undoFor(undoable) })
  },
})

export const UNDO = action({
  path: 'undo',
  operationId: 'undoAnswer',
  summary: 'Undo an approval or a decline',
  description:
    'The request is `PendingApproval` again. Possible until it is announced, and after a decline while the time is free.',
  body: NoBody,
  change: (context) => (author, seen) => undoAnswer(context, author, seen),
})

export const CANCEL = action({
  path: 'cancel',
  operationId: 'cancelBooking',
  summary: 'Cancel a booking',
  description: 'Its time is available again, unless other guests share the meeting.',
  body: CancelBooking,
  mails: { to: 'guest', ends: true },
  change: (context, { reason, scope, refund }) => {
    const said = readReason(reason)
    return (author, seen) => cancel(context, author, seen, { reason: said, scope, refund })
  },
})

export const RESCHEDULE = action({
  path: 'reschedule',
  operationId: 'rescheduleBooking',
  summary: 'Reschedule a booking',
  description:
    'The id stays the same. Hours, buffers, limits and seats apply as they do to guests; the minimum notice and the booking window do not.',
  body: RescheduleBooking,
  mails: { to: 'guest', ends: false },
  change: (context, { startTime, reason, scope }) => {
    const move = { startsAt: readStart(startTime), reason: readReason(reason), scope }
    return (author, seen) => reschedule(context, author, seen, move)
  },
})

export const REASSIGN = action({
  path: 'reassign',
  operationId: 'reassignBooking',
  summary: 'Hand a meeting over to another host',
  description:
    'Give `hostId`, or `automatic: true` for the next host whose turn it is. The time stays the same. The host must be free: other meetings, time off and busy calendars count, by `automatic` also hours, buffers and limits (409 otherwise). All guests of a seated meeting go along. Guests, both hosts, calendars and the meeting link follow.',
  body: ReassignBooking,
  mails: { to: 'everyone in the meeting', ends: false },
  change: (context, { reason, scope, ...given }) => {
    const said = readReason(reason)
    return (author, seen) =>
      reassign(context, author, seen, { hostId: readSuccessor(given), reason: said, scope })
  },
})

export const FOLLOW_CALENDAR = action({
  path: 'follow-calendar',
  operationId: 'followCalendar',
  summary: 'Move the meeting to the calendar’s time',
  description:
    'Where `calendarDifference` is `moved`, the meeting and all its guests move to that time. Hours, buffers and limits don’t apply, but it can’t overlap another meeting. Where it is `deleted`, the meeting is cancelled. Guests are notified by email.',
  body: EndBooking,
  mails: { to: 'everyone in the meeting', ends: false },
  change: (context, { reason }) => {
    const said = readReason(reason)
    return (author, seen) => followCalendar(context, author, seen, said)
  },
})

export const RESTORE_CALENDAR = action({
  path: 'restore-calendar',
  operationId: 'restoreCalendar',
  summary: 'Put the calendar back',
  description:
    'Writes the meeting’s entry again, where the meeting is. It takes some seconds; `calendarDifference` is null once it is done.',
  body: NoBody,
  change: (context) => (author, seen) => restoreCalendar(context, author, seen),
})

export const ADD_LINK = action({
  path: 'link',
  operationId: 'addLink',
  summary: 'Add the link of a video call',
  description:
    'For an upcoming video call whose link no service makes. All its guests get it by email, and a later one replaces it.',
  body: AddLink,
  change: (context, { link }) => {
    const read = readLink(link)
    return (author, seen) => addLink(context, author, seen, read)
  },
})

export const NO_SHOW = action({
  path: 'no-show',
  operationId: 'markNoShow',
  summary: 'Mark a booking as a no-show',
  description: 'Possible once the meeting has started, even when it is already `Completed`. Sends no email.',
  body: NoBody,
  change: (context) => (author, seen) => markNoShow(context, author, seen),
})
