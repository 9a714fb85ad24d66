import { CALENDAR_DELETED } from '../../domain/calendars/calendar.ts'
import type { Interval } from '../../domain/interval.ts'
import type { CalendarEvent } from '../../format/icalendar/event.ts'
import { ProviderFailure } from '../accounts/provider.ts'

/** What an event in a host's calendar should say. */
export interface WantedEvent extends Interval {
  readonly meetingId: string
  readonly event: CalendarEvent
  /** The event stays at the time that its host has chosen. */
  readonly keepTime: boolean
  /** The event comes with a meeting link. */
  readonly wantsLink: boolean
  /** Grows with every writing: a new event must not be taken for a deleted one. */
  readonly version: number
}

/** An event as the calendar has it. */
export interface WrittenEvent {
  /** The provider's id, or its address. */
  readonly id: string
  readonly etag: string
  readonly isCancelled: boolean
  /** Where people join; empty without a link. */
  readonly link: string
  /** The provider is still making the link. */
  readonly isLinkPending: boolean
}

/** A calendar as far as we write to it. `Seen` is what it tells of an event. */
export interface EventCalendar<Seen extends WrittenEvent = WrittenEvent> {
  find(id: string): Promise<Seen | undefined>
  /**
   * The event of a meeting that was written, although its answer may have been lost. Its iCalendar UID is not ours if it was
   * written before the meeting came over.
   */
  findByMeeting(meetingId: string, uid: string): Promise<Seen | undefined>
  /** Undefined: there is one already. */
  insert(wanted: WantedEvent): Promise<WrittenEvent | undefined>
  /** Undefined: it has been changed or deleted since it was seen. */
  update(seen: Seen, wanted: WantedEvent): Promise<WrittenEvent | undefined>
  /** Removes a meeting's event; the id is empty if it is not known. False: it was changed meanwhile, so look again. */
  remove(id: string, meetingId: string, uid: string): Promise<boolean>
}

/** The answer, or undefined if the provider refuses with one of these statuses. */
export async function unless<T>(statuses: readonly number[], asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ProviderFailure && statuses.includes(error.status ?? 0)) return undefined
    throw error
  }
}

/** The answer to a request about a calendar itself. If there is none any more, it throws a failure that says so. */
export async function orDeleted<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof ProviderFailure) || !NOT_FOUND.includes(error.status ?? 0)) throw error
    throw new ProviderFailure('refused', CALENDAR_DELETED, { cause: error, status: 404 })
  }
}

/** Whether a calendar was found to be deleted. */
export const isCalendarDeleted = (error: unknown): boolean =>
  error instanceof ProviderFailure && error.sentence === CALENDAR_DELETED

export const NOT_FOUND = [404, 410]
export const CONFLICT = [404, 410, 412]
