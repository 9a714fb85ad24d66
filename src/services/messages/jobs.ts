import type { BookingChange } from '../../domain/bookings/change.ts'
import type { NewJob } from '../../domain/job.ts'
import type { Message } from '../../domain/messages/message.ts'
import { type Planned, type PlannedChange, planChange } from '../../domain/messages/schedule.ts'
import type { Trx } from '../../store/engine/database.ts'
import { findMessagesOf } from '../../store/messages/messages.ts'

/** What a `message` job sends: one message to all its recipients, when it is due. */
export interface MessageJobData {
  readonly messageId: string
  readonly bookingId: string
  readonly dueAt: number
}

/** What a `message-plan` job plans: a message that has begun to apply to bookings that there are. */
export interface MessagePlan {
  readonly messageId: string
}

/**
 * The job of a planned message.
 *
 * Its lane is its own, so that it holds up nothing, and so that planning it twice does not send it at the same time.
 */
export function messageJob({ message: { id }, dueAt }: Planned, bookingId: string): NewJob<MessageJobData> {
  return {
    kind: 'message',
    lane: `${messageLane(bookingId)}:${id}:${dueAt}`,
    data: { messageId: id, bookingId, dueAt },
    dueAt,
  }
}

/** What the lanes of a booking's messages begin with. */
export const messageLane = (bookingId: string) => `message:${bookingId}`

/** Plans the messages of these changes. Owners without any cost nothing. */
export async function messageJobsFor(trx: Trx, changes: readonly BookingChange[]): Promise<NewJob[]> {
  const owned = changes.filter(({ scheduler }) => scheduler.hasMessages)
  if (owned.length === 0) return []
  const messages = await findMessagesOf(trx, [...new Set(owned.map(({ scheduler }) => scheduler.id))])
  return owned.flatMap((change) =>
    plannedBy(change, messages).map((planned) => messageJob(planned, change.bookingId)),
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
