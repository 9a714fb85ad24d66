import type { BookingStatus, Invitee } from '../bookings/booking.ts'
import type { SeriesPlace } from '../bookings/series.ts'
import type { EventTypeSettings } from '../event-types/event-type.ts'
import type { Schedule } from '../event-types/hours.ts'
import type { Location } from '../event-types/location.ts'
import type { CustomFields } from '../event-types/questions.ts'
import type { FormContent } from '../forms/routing.ts'
import type { Interval } from '../interval.ts'
import type { MessageContent } from '../messages/message.ts'
import type { Attribute, AttributeValues } from '../people/attributes.ts'
import type { Scheduler } from '../people/scheduler.ts'
import type { Preferences, Role } from '../people/user.ts'
import type { Sentence } from '../sentence.ts'
import type { WebhookFormat } from '../webhooks/formats.ts'
import type { SubscribedEvent } from '../webhooks/webhook.ts'
import type { SourceKey } from './source.ts'

// What becomes of the rows of a source. Planned things refer to each other by the keys of their rows; ids of ours come with
// `apply`. Where a type of the domain has ids (`eventTypeIds`, `eventTypeId`), a plan has keys in their place.

export const LINE_STATES = ['new', 'changed', 'same', 'left-out'] as const

/** Comes over as it is; comes over, but not as it was; nothing to do; stays there. */
export type LineState = (typeof LINE_STATES)[number]

/** What a plan says of one row of the source. */
export interface PlanLine {
  readonly state: LineState
  readonly key: SourceKey
  /** What people call it there. */
  readonly name: string
  /** Why it is changed or left out; `NOTHING` where there is nothing to say. */
  readonly sentence: Sentence
}

/** What can be decided before a plan is applied, with the answer that is taken otherwise. */
export type OfferedChoice =
  | { readonly kind: 'slug'; readonly key: SourceKey; readonly wanted: string; readonly suggested: string }
  | {
      readonly kind: 'video'
      /** Such as `integrations:daily`. */
      readonly from: string
      /** How many event types have it. */
      readonly eventTypes: number
      /** Names of our providers; empty: a video call without a link. */
      readonly options: readonly string[]
      readonly suggested: string
    }

export interface Choices {
  readonly slugs?: Readonly<Record<string, string>>
  readonly video?: Readonly<Record<string, string>>
  readonly leaveOut?: readonly string[]
}

interface Item<Kind extends string, Content> {
  readonly kind: Kind
  readonly key: SourceKey
  /** The person or team with whom it is applied, in one transaction. */
  readonly unit: SourceKey
  readonly name: string
  /** How it differs from what it was there, for its line; empty: not at all. */
  readonly notes: readonly Sentence[]
  readonly content: Content
}

type Page = Pick<
  Scheduler,
  'slug' | 'name' | 'bio' | 'avatarUrl' | 'timeZone' | 'locale' | 'theme' | 'branding'
>

export type PlannedUser = Item<
  'user',
  Page &
    Preferences & {
      readonly email: string
      readonly admin: boolean
      readonly disabled: boolean
      /** Has an account here already, whose page and slug stay. */
      readonly exists: boolean
      /** Its names there, which lead here. */
      readonly oldSlugs: readonly string[]
    }
>

export type PlannedTeam = Item<
  'team',
  Page & {
    readonly members: readonly {
      readonly user: SourceKey
      readonly role: Role
      readonly attributes: AttributeValues
    }[]
    readonly attributes: readonly Attribute[]
    readonly oldSlugs: readonly string[]
  }
>

export type PlannedSchedule = Item<
  'schedule',
  Schedule & { readonly user: SourceKey; readonly name: string; readonly isDefault: boolean }
>

export type PlannedAbsence = Item<
  'absence',
  Interval & { readonly user: SourceKey; readonly note: string; readonly redirectTo: SourceKey | null }
>

export type PlannedEventType = Item<
  'event-type',
  {
    /** A user or team. */
    readonly owner: SourceKey
    readonly slug: string
    readonly name: string
    /** `scheduleId` and `writeToCalendarId` are null. */
    readonly settings: EventTypeSettings
    readonly schedule: SourceKey | null
    readonly hosts: readonly { readonly user: SourceKey; readonly fixed: boolean; readonly weight: number }[]
    readonly oldSlugs: readonly string[]
  }
>

/** Its targets have keys of event types for ids. */
export type PlannedForm = Item<'form', { readonly owner: SourceKey; readonly form: FormContent }>

/** Its `eventTypeIds` and `formIds` are keys. */
export type PlannedMessage = Item<'message', { readonly owner: SourceKey; readonly message: MessageContent }>

export type PlannedWebhook = Item<
  'webhook',
  {
    readonly owner: SourceKey
    readonly url: string
    /** Left out: ours. */
    readonly format?: WebhookFormat
    readonly events: readonly SubscribedEvent[]
    readonly eventTypes: readonly SourceKey[]
    readonly active: boolean
    /** As it signs there; empty: a new one. */
    readonly secret: string
  }
>

export type PlannedLink = Item<
  'link',
  {
    readonly eventType: SourceKey
    /** As it is in its address there. */
    readonly token: string
    readonly uses: number | null
    readonly used: number
    readonly expiresAt: number | null
  }
>

/** To every person and team. */
export type PlannedBlock = Item<'block', { readonly entry: string }>

/** A connected account with its calendars. What it signs in with stays in the source's row. */
export type PlannedConnection = Item<
  'connection',
  {
    readonly user: SourceKey
    /** A kind of ours: `google`, `microsoft`, `caldav`. */
    readonly provider: string
    /** Addresses or ids of calendars that block time. */
    readonly read: readonly string[]
    /** The one that bookings are written to. */
    readonly write: string | null
  }
>

/** All that is not a booking. */
export type PlannedSetting =
  | PlannedUser
  | PlannedTeam
  | PlannedSchedule
  | PlannedAbsence
  | PlannedEventType
  | PlannedForm
  | PlannedMessage
  | PlannedWebhook
  | PlannedLink
  | PlannedBlock
  | PlannedConnection

/** A meeting of the source, with a booking of ours for each guest who booked. */
export type PlannedMeeting = Item<
  'meeting',
  Interval & {
    readonly eventType: SourceKey
    readonly host: SourceKey
    /** All hosts who attend, the first among them. */
    readonly hosts: readonly SourceKey[]
    /** What is claimed of their time; where two meetings of a host overlap, less than the whole. */
    readonly claims: readonly (Interval & {
      readonly user: SourceKey
      readonly bufferBefore: number
      readonly bufferAfter: number
    })[]
    readonly seats: number
    readonly bookings: readonly PlannedBooking[]
    /** The `UID` of its calendar entry, which stays. */
    readonly uid: string
    /** Its old id in addresses; empty: it had none. A seated meeting's opens no booking. */
    readonly oldUid: string
    readonly location: Location
    readonly createdAt: number
    readonly sequence: number
    /** Its events in calendars of hosts. */
    readonly events: readonly {
      /** A kind of ours. */
      readonly provider: string
      readonly eventId: string
      readonly calendar: string
    }[]
    readonly hostNotes: string
  }
>

export interface PlannedBooking {
  /** The row of the seat or of the booking. */
  readonly key: SourceKey
  /** A seat's own id in addresses; empty: the meeting's. */
  readonly oldUid: string
  readonly status: BookingStatus
  readonly seat: number
  readonly invitee: Invitee
  readonly guests: readonly string[]
  readonly notes: string
  readonly customFields: CustomFields
  readonly utm: Readonly<Record<string, string>>
  readonly reason: string
  /** `id` is the key of the series there. */
  readonly series: SeriesPlace | null
}

/** An address of the source that leads to a new place here. Paths begin with a slash. */
export interface OldLink {
  readonly path: string
  /** What it leads to. */
  readonly key: SourceKey
}

export interface SettingsPlan {
  readonly lines: readonly PlanLine[]
  readonly choices: readonly OfferedChoice[]
  /** In the order in which they can be made: people, schedules, absences, teams, event types, the rest. */
  readonly settings: readonly PlannedSetting[]
  readonly oldLinks: readonly OldLink[]
}

/** What a plan needs to know of this instance. */
export interface Here {
  readonly now: number
  /** Lower-case addresses that have accounts here, with their slugs. */
  readonly accounts: ReadonlyMap<string, { readonly slug: string; readonly admin: boolean }>
  /** Slugs of users and teams here that are not of this source. */
  readonly slugs: ReadonlySet<string>
  /** Slugs of event types and forms of accounts here, as `owner/slug` and `owner/forms/slug`, that are not of this source. */
  readonly slugsOfOwners: ReadonlySet<string>
  /** Names of the providers of meeting links that the operator has set up. */
  readonly linkProviders: readonly string[]
  /** Names of the kinds of calendars whose accounts can be taken over: the OAuth client is the same, or the key is known. */
  readonly calendarKinds: readonly string[]
  readonly smsOffered: boolean
}
