import type { BookingChange } from '../../domain/bookings/change.ts'
import type { NewJob } from '../../domain/job.ts'
import { isAboutForm, type Message } from '../../domain/messages/message.ts'
import {
  type Planned,
  type PlannedChange,
  planChange,
  unbookedDueAt,
} from '../../domain/messages/schedule.ts'
import type { Trx } from '../../store/engine/database.ts'
import { findMessagesOf } from '../../store/messages/messages.ts'
import type { AnnouncedResponse } from '../webhooks/announce-response.ts'

/** What a `message` job sends: one message to all its recipients, when it is due. */
export type MessageJobData = {
  readonly messageId: string
  readonly dueAt: number
} & ({ readonly bookingId: string } | { readonly responseId: string })

/** What a `message-plan` job plans: a message that has begun to apply to bookings that there are. */
export interface MessagePlan {
  readonly messageId: string
}

/**
 * The job of a planned message.
 *
 * Its lane is its own, so that it holds up nothing, and so that planning it twice does not send it at the same time.
 */
export function messageJob(
  { message: { id }, dueAt }: Planned,
  of: { readonly bookingId: string } | { readonly responseId: string },
): NewJob<MessageJobData> {
  return {
    kind: 'message',
    lane: `${messageLane('bookingId' in of ? of.bookingId : of.responseId)}:${id}:${dueAt}`,
    data: { messageId: id, dueAt, ...of },
    dueAt,
  }
}

/** What the lanes of a booking's or a response's messages begin with. */
export const messageLane = (bookingId: string) => `message:${bookingId}`

/** Plans the messages of these changes. Owners without any cost nothing. */
export async function messageJobsFor(trx: Trx, changes: readonly BookingChange[]): Promise<NewJob[]> {
  const owned = changes.filter(({ scheduler }) => scheduler.hasMessages)
  if (owned.length === 0) return []
  const messages = await findMessagesOf(trx, [...new Set(owned.map(({ scheduler }) => scheduler.id))])
  return owned.flatMap((change) =>
    plannedBy(change, messages).map((planned) => messageJob(planned, { bookingId: change.bookingId })),
  )
}

/** What a change plans of its owner's messages. */
export function plannedBy(change: BookingChange, messages: readonly Message[]): Planned[] {
  const { type, status, startsAt, endsAt, at, together, eventType, scheduler } = change
  const about: PlannedChange = {
    type,
    status,
    startsAt,
    endsAt,
    at,
    eventTypeId: eventType.id,
    isToldElsewhere: together?.length === 0,
  }
  return planChange(
    about,
    messages.filter(({ schedulerId }) => schedulerId === scheduler.id),
  )
}

/** Plans the messages for a visitor who was led to an event type, in case that they don't book. */
export async function unbookedJobsFor(
  trx: Trx,
  { response, form, scheduler }: AnnouncedResponse,
): Promise<NewJob[]> {
  if (!scheduler.hasMessages || response.route === null) return []
  const { id: responseId, createdAt } = response
  const messages = (await findMessagesOf(trx, [scheduler.id])).filter(
    (message) => message.enabled && isAboutForm(message, form.id),
  )
  return messages.map((message) =>
    messageJob({ message, dueAt: unbookedDueAt(message, createdAt) }, { responseId }),
  )
}
