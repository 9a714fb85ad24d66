import type { BookingWindow, EventType, Limits } from '../event-types/event-type.ts'
import { MINUTE } from '../interval.ts'

/** What an event type's settings say about starts, in milliseconds. */
export interface SlotRules {
  readonly eventTypeId: string
  readonly duration: number
  readonly step: number
  readonly bufferBefore: number
  readonly bufferAfter: number
  readonly notice: number
  readonly window: BookingWindow
  readonly limits: Limits
  readonly limitMinutes: Limits
  readonly seats: number
}

/** The rules for meetings of this length. */
export function slotRules(eventType: EventType, durationMinutes = eventType.durationMinutes): SlotRules {
  const duration = durationMinutes * MINUTE
  return {
    eventTypeId: eventType.id,
    duration,
    step: eventType.intervalMinutes === null ? duration : eventType.intervalMinutes * MINUTE,
    bufferBefore: eventType.bufferBeforeMinutes * MINUTE,
    bufferAfter: eventType.bufferAfterMinutes * MINUTE,
    notice: eventType.noticeMinutes * MINUTE,
    window: eventType.window,
    limits: eventType.limits,
    limitMinutes: eventType.limitMinutes,
    seats: eventType.seats,
  }
}
