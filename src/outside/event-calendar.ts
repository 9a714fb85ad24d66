import type { Interval } from '../domain/interval.ts'
import { ProviderFailure } from './provider.ts'

/** What an event in a provider's calendar should say. */
export interface WantedEvent extends Interval {
  readonly meetingId: string
  readonly title: string
  readonly details: string
  readonly location: string
  /** The event stays at the time that its host has chosen. */
  readonly keepTime: boolean
  /** The event comes with a meeting link. */
  readonly wantsLink: boolean
  /** Grows with every writing: a new event must not be taken for a deleted one. */
  readonly version: number
}

/** An event as the provider has it. */
export interface WrittenEvent {
  readonly id: string
  readonly etag: string
  readonly isCancelled: boolean
  /** Where people join; empty without a link. */
  readonly link: string
  /** The provider is still making the link. */
  readonly isLinkPending: boolean
}

/** A calendar at a provider, as far as we write to it. */
export interface EventCalendar {
  find(id: string): Promise<WrittenEvent | undefined>
  /** The event of a meeting that was written, although its answer may have been lost. */
  findByMeeting(meetingId: string): Promise<WrittenEvent | undefined>
  /** Undefined: there is one already. */
  insert(wanted: WantedEvent): Promise<WrittenEvent | undefined>
  /** Undefined: it has been changed or deleted since it was seen. */
  update(seen: WrittenEvent, wanted: WantedEvent): Promise<WrittenEvent | undefined>
  /** It may be gone already. */
  remove(id: string): Promise<void>
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

export const NOT_FOUND = [404, 410]
export const CONFLICT = [404, 410, 412]
