import type { Interval } from '../../domain/interval.ts'
import type { Access } from '../accounts/provider.ts'

/** Makes the links at which guests and hosts meet. */
export type LinkMaker = LinkOfEvent | LinkOfAccount | LinkAtOnce

interface NamedLink {
  /** In event types, in the database and in the API; permanent. */
  readonly name: string
  /** What people call it. */
  readonly title: string
}

/** The link comes with the event that we write to a calendar of this kind. */
interface LinkOfEvent extends NamedLink {
  readonly comes: 'with-event'
}

/** The link needs no account: an address that nobody can guess is a room. */
interface LinkAtOnce extends NamedLink {
  readonly comes: 'at-once'
  make(apiUrl: string): string
}

/** A host's account has a meeting for each of ours. */
export interface LinkOfAccount extends NamedLink {
  readonly comes: 'from-account'
  make(apiUrl: string, access: Access, wanted: WantedMeeting): Promise<MadeMeeting>
  /** Returns false if the meeting is gone. */
  change(apiUrl: string, access: Access, id: string, wanted: WantedMeeting): Promise<boolean>
  /** It may be gone already. */
  remove(apiUrl: string, access: Access, id: string): Promise<void>
  /** The account's meeting with this marker: one whose creation was never answered. */
  find(apiUrl: string, access: Access, marker: string): Promise<MadeMeeting | undefined>
  /** Milliseconds after which `find` must know a new meeting. */
  readonly foundWithin: number
}

/** What a meeting should say. */
export interface WantedMeeting extends Interval {
  readonly topic: string
  /** Has to be kept with the meeting, so that `find` finds it. */
  readonly marker: string
}

/** A meeting as the provider has it. */
export interface MadeMeeting {
  readonly id: string
  readonly joinUrl: string
}
