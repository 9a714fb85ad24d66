import type { Interval } from '../interval.ts'

/** What a host's calendar says about a meeting, where that is not what we wrote. */
export type CalendarDifference =
  | { readonly kind: 'moved'; readonly startsAt: number; readonly endsAt: number }
  | { readonly kind: 'deleted' }

/** A difference that is still there, and when it was first seen. */
export type SeenDifference = CalendarDifference & { readonly seenAt: number }

/** A meeting as we last wrote it to a calendar. */
export interface WrittenSpan extends Interval {
  /** What the calendar calls the event: its UID, or the provider's own id. */
  readonly eventId: string
}

/** One of our events as the calendar has it now. */
export interface OwnEvent extends Interval {
  readonly eventId: string
  /** Kept by the calendar, but crossed out. */
  readonly cancelled: boolean
  /** The host has marked it as free, so it blocks nothing. */
  readonly free: boolean
}

export interface ComparedEntry<Entry extends WrittenSpan> {
  readonly entry: Entry
  /** Null if the calendar says what we wrote. */
  readonly difference: CalendarDifference | null
  /** The time that the event takes besides the meeting's own. */
  readonly busy: Interval | undefined
}

/**
 * Finds our events in a calendar, and says which of them the host has moved or deleted.
 *
 * `events` has everything of ours that the calendar has. Other events don't matter.
 */
export function compareEntries<Entry extends WrittenSpan>(
  entries: readonly Entry[],
  events: readonly OwnEvent[],
): ComparedEntry<Entry>[] {
  const found = new Map(events.map((event) => [event.eventId, event]))
  return entries.map((entry) => {
    const event = found.get(entry.eventId)
    if (event === undefined || event.cancelled) {
      return { entry, difference: { kind: 'deleted' }, busy: undefined }
    }
    const { start, end } = event
    if (start === entry.start && end === entry.end) return { entry, difference: null, busy: undefined }
    const difference = { kind: 'moved', startsAt: start, endsAt: end } as const
    return { entry, difference, busy: event.free || start >= end ? undefined : { start, end } }
  })
}
