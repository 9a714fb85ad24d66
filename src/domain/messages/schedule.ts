import type { Booking, BookingStatus } from '../bookings/booking.ts'
import type { BookingChangeType } from '../bookings/change.ts'
import { DAY, MINUTE } from '../interval.ts'
import { type Sentence, sentence } from '../sentence.ts'
import { isAbout, isAboutForm, type Message } from './message.ts'
import type { Moment } from './moments.ts'

/** What a message's times depend on. */
export type Timed = Pick<Booking, 'startsAt' | 'endsAt'>

/** The moment that a change is for those who hear of it; undefined if messages are about nothing of it. */
export function momentOf({
  type,
  status,
}: {
  readonly type: BookingChangeType
  readonly status: BookingStatus
}): Moment | undefined {
  switch (type) {
    case 'created':
      return status === 'PendingApproval' ? 'requested' : 'booked'
    case 'rescheduled':
      return status === 'PendingApproval' ? 'requested' : 'rescheduled'
    case 'no_show':
      return 'no-show'
    case 'approved':
    case 'declined':
    case 'cancelled':
      return type
    default:
      return undefined
  }
}

/** When a message of a booking is due: at a fixed time, or at the moment of the change itself. */
export function dueAtOf(
  { on, minutes }: Pick<Message, 'on' | 'minutes'>,
  { startsAt, endsAt }: Timed,
): number | undefined {
  if (on === 'before') return startsAt - (minutes ?? 0) * MINUTE
  if (on === 'after') return endsAt + (minutes ?? 0) * MINUTE
  return undefined
}

/** When a message to a visitor who has not booked is due, by when they answered the form. */
export const unbookedDueAt = ({ minutes }: Pick<Message, 'minutes'>, answeredAt: number): number =>
  answeredAt + (minutes ?? 0) * MINUTE

/** A message that will be due for a booking. */
export interface Planned {
  readonly message: Message
  readonly dueAt: number
}

/** A change as far as planning depends on it. */
export interface PlannedChange extends Timed {
  readonly type: BookingChangeType
  readonly status: BookingStatus
  readonly eventTypeId: string
  readonly at: number
  /** An earlier booking of its series tells of it. */
  readonly isToldElsewhere: boolean
}

/**
 * What a change makes due, and when. A message whose time has passed by then is left out.
 *
 * Words that replace those of a mail go with that mail, so they are not planned on their own.
 */
export function planChange(change: PlannedChange, messages: readonly Message[]): Planned[] {
  const moment = momentOf(change)
  const isConfirmed =
    change.status === 'Confirmed' &&
    (moment === 'booked' || moment === 'approved' || moment === 'rescheduled')
  return messages.flatMap((message) => {
    if (!message.enabled || !isAbout(message, change.eventTypeId)) return []
    const dueAt = dueAtOf(message, change)
    if (dueAt !== undefined) return isConfirmed && dueAt > change.at ? [{ message, dueAt }] : []
    if (message.on !== moment || message.replaces || change.isToldElsewhere) return []
    return [{ message, dueAt: change.at }]
  })
}

/** A message that began to apply to a booking then. Moments that had passed do not come again. */
export function planMessage(message: Message, booking: Booking, since: number): Planned[] {
  const dueAt = dueAtOf(message, booking)
  const isLive = message.enabled && isAbout(message, booking.eventTypeId)
  return isLive && dueAt !== undefined && dueAt > since ? [{ message, dueAt }] : []
}

/** Later than this, words about a meeting that is over are no longer welcome. */
const LATEST = DAY

/** What a due message depends on. */
export interface DueState {
  readonly booking: Pick<Booking, 'status' | 'startsAt' | 'endsAt' | 'eventTypeId'>
  readonly message: Message | undefined
  /** When it was planned to be sent. */
  readonly dueAt: number
  readonly now: number
}

/** `dropped`: it is no longer planned, and was never anything else. */
export type Verdict =
  | { readonly kind: 'send' }
  | { readonly kind: 'skip'; readonly reason: Sentence }
  | { readonly kind: 'dropped' }

/** What becomes of a message that is due, by the booking and the message as they are now. */
export function decideDue({ booking, message, dueAt, now }: DueState): Verdict {
  if (message === undefined || !message.enabled || !isAbout(message, booking.eventTypeId)) return DROPPED
  const due = dueAtOf(message, booking)
  // The meeting was moved, or the message has another time by now: what is due then was planned on its own.
  if (due !== undefined && due !== dueAt) return DROPPED
  if (!fits(message.on, booking.status)) return skip(booking.status)
  if (message.on === 'before' && booking.startsAt <= now)
    return { kind: 'skip', reason: sentence`The meeting had already started.` }
  if (message.on === 'after' && now - dueAt > LATEST)
    return { kind: 'skip', reason: sentence`It was more than 24 hours late.` }
  return { kind: 'send' }
}

/** What such a message depends on. */
export interface UnbookedState {
  readonly message: Message
  readonly formId: string
  readonly answeredAt: number
  /** Whether they booked since. */
  readonly hasBooked: boolean
  readonly dueAt: number
  readonly now: number
}

/** The same for a visitor who has answered a form. */
export function decideUnbooked(state: UnbookedState): Verdict {
  const { message, formId, answeredAt, hasBooked, dueAt, now } = state
  if (!message.enabled || !isAboutForm(message, formId)) return DROPPED
  if (unbookedDueAt(message, answeredAt) !== dueAt) return DROPPED
  if (hasBooked) return { kind: 'skip', reason: sentence`They have booked.` }
  return now - dueAt > LATEST
    ? { kind: 'skip', reason: sentence`It was more than 24 hours late.` }
    : { kind: 'send' }
}

const DROPPED: Verdict = { kind: 'dropped' }

/** Whether a booking in this state still gets what its moment promised. */
function fits(on: Moment, status: BookingStatus): boolean {
  switch (on) {
    case 'booked':
    case 'approved':
    case 'rescheduled':
    case 'after':
      return status === 'Confirmed' || status === 'Completed'
    case 'before':
      return status === 'Confirmed'
    case 'requested':
      return status === 'PendingApproval'
    case 'declined':
      return status === 'Declined'
    case 'cancelled':
      return status === 'Cancelled'
    case 'no-show':
      return status === 'NoShow'
    case 'unbooked':
      return false
  }
}

function skip(status: BookingStatus): Verdict {
  return { kind: 'skip', reason: REASONS[status] }
}

const REASONS: Readonly<Record<BookingStatus, Sentence>> = {
  PendingPayment: sentence`The booking was waiting for its payment.`,
  PendingApproval: sentence`The booking was waiting for approval.`,
  Confirmed: sentence`The booking was confirmed.`,
  Declined: sentence`The booking was declined.`,
  Cancelled: sentence`The booking was cancelled.`,
  Expired: sentence`The booking was not paid in time.`,
  Completed: sentence`The meeting was over.`,
  NoShow: sentence`The guest did not come.`,
}

/**
 * What a message is sent for at most once: each booking, message and recipient. A moved meeting has a new "before", and
 * words in one of the service's own mails go with each of them.
 */
export function occasionOf(
  { on, replaces }: Pick<Message, 'on' | 'replaces'>,
  startsAt: number,
  changeId: string,
): string {
  if (on === 'before') return `start:${startsAt}`
  return replaces ? `change:${changeId}` : ''
}
