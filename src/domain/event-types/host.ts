import type { Schedule } from './hours.ts'

/** A host of an event type, with the schedule that applies to it. */
export interface EventTypeHost {
  readonly hostId: string
  /** Attends every meeting; the others take turns. */
  readonly fixed: boolean
  /** The host's `revision` when the schedule was read. */
  readonly revision: number
  readonly schedule: Schedule
  /** False until the host has saved these hours once: until then, they offer nothing. */
  readonly confirmed: boolean
  /** Hosts no meetings; those that need this host can't take place. */
  readonly disabled: boolean
  /** Has calendars that block time and can be asked about a span. */
  readonly hasLiveCalendars: boolean
}
