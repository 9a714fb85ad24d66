import type { AccessTokens } from '../../domain/bookings/guest-access.ts'
import type { PrivateLink } from '../../domain/bookings/private-link.ts'
import type { CaptchaProvider } from '../../domain/event-types/event-type.ts'
import type { Framers } from '../../domain/event-types/framing.ts'
import type { PublicEventType } from '../../domain/event-types/public-event-type.ts'
import type { Question } from '../../domain/event-types/questions.ts'
import type { SeriesOffer } from '../../domain/event-types/series-offer.ts'
import type { FIELD_TYPES } from '../../domain/forms/routing.ts'
import type { Locale } from '../../domain/languages.ts'
import type { RefundRule } from '../../domain/payments/price.ts'
import type { Branding, GermanAddress, Scheduler } from '../../domain/people/scheduler.ts'

/** The data that the server writes into every page, so that it needs no second request. */
export interface CommonData {
  readonly locale: Locale
  /** How German speaks to the reader; left out: Sie. */
  readonly germanAddress?: GermanAddress
  /** The path of this service on its origin; empty at the root. */
  readonly base: string
  /** Set when the page is shown inside another site. */
  readonly embed: Embedding | false
}

export interface Embedding {
  /** The sites whose messages are accepted. */
  readonly framers: Framers
  /** Set for Cal.com's script: the numbers of the event types on this page, by slug. */
  readonly calcom?: Readonly<Record<string, number>>
  /** Set for sites that listen for Calendly's messages: the service's public address, for the URIs in them. */
  readonly calendly?: string
}

export interface HostData {
  readonly slug: string
  readonly kind: Scheduler['kind']
  readonly name: string
  readonly bio: string
  readonly avatarUrl: string
  readonly timeZone: string
  readonly branding: Branding
}

/** What pages show elsewhere than among the facts under its name. */
type Elsewhere = 'id' | 'slug' | 'name' | 'description' | 'durations' | 'locations' | 'maxGuests' | 'series'

/** What pages list under the name of an event type. A new field of guests is one of these, unless it is named above. */
export type FactName = Exclude<keyof PublicEventType, Elsewhere>

export type EventTypeFacts = Pick<PublicEventType, FactName | 'durations' | 'locations'>

export interface Slot {
  readonly startTime: string
  readonly endTime: string
  readonly seatsLeft?: number
}

export interface SlotDay {
  readonly date: string
  readonly slots: readonly Slot[]
}

export interface ProfileData extends CommonData {
  readonly page: 'profile'
  readonly host: HostData
  readonly eventTypes: readonly PublicEventType[]
}

export interface CaptchaData {
  /** Empty: no challenge. */
  readonly provider: CaptchaProvider | ''
  readonly siteKey: string
}

export interface BookingData extends CommonData {
  readonly page: 'booking'
  readonly host: HostData
  readonly eventType: Omit<PublicEventType, 'series'> & {
    readonly questions: readonly Question[]
    /** How meetings may repeat, and the zone whose wall time they keep; null: not at all. */
    readonly series: (SeriesOffer & { readonly timeZone: string }) | null
    /** How long before the start guests can still cancel and reschedule. */
    readonly cancelNoticeMinutes: number
    readonly rescheduleNoticeMinutes: number
    /** Where to go after booking; empty: nowhere. */
    readonly returnUrl: string
    /** Whether to ask if they want text messages. */
    readonly sms: boolean
    /** What a guest who cancels gets back; null: it is free. */
    readonly refund: RefundRule | null
  }
  /** The team members who come: all of them, or one. Empty unless it is a team's. */
  readonly members: { readonly names: readonly string[]; readonly all: boolean }
  /** Who stands in while the host is away; in the guest's language. */
  readonly standIns: readonly { readonly away: string; readonly book: string; readonly path: string }[]
  readonly honeypot: boolean
  readonly captcha: CaptchaData
  /** Whether the chosen time can be held. */
  readonly holds: boolean
  /** Whether guests prove their address with a code. */
  readonly confirmEmail: boolean
  /** The tokens that the guest came with, and what their private link fills in. */
  readonly access?: { readonly tokens: AccessTokens; readonly answers: PrivateLink['answers'] }
  /** The length that is chosen first, in minutes: `slots` are of that length. */
  readonly duration: number
  /** The first date with times, unless that is in this month or there is none. */
  readonly opensOn?: string
  /** The slots of the month that is shown first, with a day on either side, by UTC dates: enough for every time zone. */
  readonly slots: { readonly from: string; readonly to: string; readonly days: readonly SlotDay[] }
}

/** A private link that was used up, or has expired. */
export interface EndedLinkData extends CommonData {
  readonly page: 'ended-link'
  readonly host: HostData
  /** The token of the link, by which the browser may know a booking. */
  readonly token: string
  /** What happened, and whom to ask; in the guest's language. */
  readonly heading: string
  readonly hint: string
}

/** The booking page in the editor: the dashboard around it sends the rest, as it would be with the unsaved settings. */
export interface PreviewData extends CommonData {
  readonly page: 'preview'
  readonly host: HostData
}

export interface FormData extends CommonData {
  readonly page: 'forms'
  readonly host: HostData
  readonly form: {
    readonly id: string
    readonly slug: string
    readonly name: string
    readonly description: string | null
    readonly fields: readonly {
      readonly id: string
      readonly label: string
      readonly type: (typeof FIELD_TYPES)[number]
      readonly required: boolean
      readonly options: readonly { readonly id: string; readonly label: string }[]
    }[]
  }
  readonly honeypot: boolean
  readonly captcha: CaptchaData
}

export interface ManageData extends CommonData {
  readonly page: 'manage'
  readonly bookingId: string
}

/** The dashboard; the address decides which of its pages is shown. */
export interface DashboardData extends CommonData {
  readonly page: 'dashboard'
  /** The base of links to share. */
  readonly publicUrl: string
  /** What to call single sign-on; empty: there is none. */
  readonly singleSignOn: string
  /** Whether an emailed link signs in, too. */
  readonly signInByEmail: boolean
  /** Nobody has an account yet: whoever signs in first owns this service. */
  readonly unclaimed: boolean
  /** The CAPTCHAs whose keys the operator has set. */
  readonly captchas: readonly CaptchaProvider[]
  /** Whether this instance sends text messages. */
  readonly sms: boolean
}

export type PageData =
  | ProfileData
  | BookingData
  | EndedLinkData
  | PreviewData
  | FormData
  | ManageData
  | DashboardData
