import { addBusinessDays, parseDate } from '../calendar-date.ts'
import { checkPrice } from '../payments/check-price.ts'
import type { Price } from '../payments/price.ts'
import { checkSlug } from '../people/slug.ts'
import { invalidField, Problem } from '../problem.ts'
import { type Sentence, sentence } from '../sentence.ts'
import { checkName, checkProse } from '../text.ts'
import { checkBlocklist } from './blocklist.ts'
import { offeredDurations } from './durations.ts'
import { flag, initialValues, json, location, plain, shown, type ValuesOf } from './field.ts'
import { checkAllowedOrigins } from './framing.ts'
import { checkLocations, type OfferedLocation } from './location.ts'
import { checkQuestions, type Question } from './questions.ts'
import { checkKeepDays } from './retention.ts'
import { checkReturnUrl } from './return-url.ts'
import { checkSeriesOffer, type SeriesOffer } from './series-offer.ts'

export const ASSIGNMENTS = ['collective', 'round-robin'] as const
export const CAPTCHA_PROVIDERS = ['altcha', 'turnstile', 'hcaptcha', 'recaptcha'] as const

export type CaptchaProvider = (typeof CAPTCHA_PROVIDERS)[number]

/** Spam protection of an event type. */
export interface AbusePrevention {
  readonly honeypot: boolean
  /** Empty: no challenge. */
  readonly captcha: CaptchaProvider | ''
  /** Addresses (`a@b.example`) and domains (`b.example`, with its subdomains). */
  readonly blocklist: readonly string[]
  /** The same email address cannot book the same slot twice. */
  readonly detectDuplicates: boolean
  /** Attempts per minute and client address, if stricter than the service's own limit; null: the service's own. */
  readonly rateLimit: number | null
}

/** How far ahead guests may book, counted on the schedule's own calendar. */
export type BookingWindow =
  /** So many days after today; with `businessDays`, only Mondays to Fridays are counted. */
  | { readonly kind: 'rolling'; readonly days: number; readonly businessDays?: boolean }
  | { readonly kind: 'fixed'; readonly from: string; readonly to: string }
  | { readonly kind: 'unlimited' }

/** The spans of the calendar that limits are for. Weeks begin on Monday. */
export const PERIODS = ['day', 'week', 'month', 'year'] as const

export type Period = (typeof PERIODS)[number]

/** The most of the event type per host, in meetings or in minutes; null: no limit. */
export interface Limits {
  readonly day: number | null
  readonly week: number | null
  readonly month: number | null
  /** Left out where it was stored before there was one. */
  readonly year?: number | null
}

/** How a meeting gets its hosts: all attend, or they take turns. */
type Assignment = (typeof ASSIGNMENTS)[number]

/** Accept what is known of the calendar, or refuse the booking. */
export const LIVE_CHECKS = ['accept', 'refuse'] as const

type LiveCheck = (typeof LIVE_CHECKS)[number]

/**
 * What a host can set, in the order of exports. Everything else follows from this table: types, defaults, columns, and
 * what guests see. The compiler asks for the rest: a migration, a schema, a name, a control.
 */
export const EVENT_TYPE_FIELDS = {
  description: shown(plain<string>('')),
  durationMinutes: shown(plain<number>(30)),
  /** The lengths that guests choose from, `durationMinutes` among them; empty: only that one. */
  durations: shown(json<readonly number[]>([])),
  /** Distance between starts; null: the duration of the meeting. */
  intervalMinutes: plain<number | null>(null),
  bufferBeforeMinutes: plain<number>(0),
  bufferAfterMinutes: plain<number>(0),
  noticeMinutes: plain<number>(120),
  window: json<BookingWindow>({ kind: 'rolling', days: 60 }),
  limits: json<Limits>({ day: null, week: null, month: null, year: null }),
  /** The same in minutes: all meetings of the period together. */
  limitMinutes: json<Limits>({ day: null, week: null, month: null, year: null }),
  seats: shown(plain<number>(1)),
  /** How many others a guest may bring. */
  maxGuests: shown(plain<number>(0)),
  requiresApproval: shown(flag(false)),
  hidden: flag(false),
  /** Only a private link opens it; without one, it is not there. */
  linkOnly: flag(false),
  /** Keeps a time for a guest while they fill in the form. */
  holds: flag(false),
  /** Guests prove their address with a code before they book. */
  confirmEmail: flag(false),
  location: shown(location({ type: 'Video', value: '' })),
  /** What guests choose from; `location` is the first. Empty: only `location`. */
  locations: shown(json<readonly OfferedLocation[]>([])),
  questions: json<readonly Question[]>([]),
  abuse: json<AbusePrevention>({
    honeypot: true,
    captcha: '',
    blocklist: [],
    detectDuplicates: true,
    rateLimit: null,
  }),
  assignment: plain<Assignment>('collective'),
  position: plain<number>(0),
  /** One of the owner's schedules; null: each host's default schedule. */
  scheduleId: plain<string | null>(null),
  /** How long before the start guests can still cancel; 0: until it starts. */
  cancelNoticeMinutes: plain<number>(0),
  /** The same for rescheduling. */
  rescheduleNoticeMinutes: plain<number>(0),
  /** How long before the start guests and hosts get a reminder. */
  reminderMinutes: json<readonly number[]>([1440, 60]),
  /** Sites that may embed its page; empty: all. */
  allowedOrigins: json<readonly string[]>([]),
  /** Where the booking page sends a guest who has booked; empty: nowhere. */
  returnUrl: plain<string>(''),
  /** What happens to a booking if a host's calendar can't be asked at that moment. */
  liveCheck: plain<LiveCheck>('accept'),
  /** A host's calendar that bookings are written to; null: the one that each host has chosen. */
  writeToCalendarId: plain<string | null>(null),
  /** How guests may repeat a meeting; null: not at all. */
  series: shown(json<SeriesOffer | null>(null)),
  /** Days after a meeting's end until its guest is erased; null: never. */
  keepPersonalDataDays: plain<number | null>(null),
  /** What it costs; null: nothing. */
  price: shown(json<Price | null>(null)),
}

export type EventTypeSettings = ValuesOf<typeof EVENT_TYPE_FIELDS>

/** Something that can be booked. */
export interface EventType extends EventTypeSettings {
  readonly id: string
  readonly schedulerId: string
  readonly slug: string
  readonly name: string
}

/** The settings of a new event type. */
export const EVENT_TYPE_DEFAULTS: EventTypeSettings = initialValues(EVENT_TYPE_FIELDS)

const DAY_MINUTES = 24 * 60
const MAX_DURATIONS = 10
const MAX_GUESTS = 10
const MAX_REMINDERS = 5

/** Throws `invalid` with the reason if these settings contradict each other or leave no slots. */
export function checkEventType(eventType: Omit<EventType, 'id' | 'schedulerId'>): void {
  checkSlug(eventType.slug)
  checkName(eventType.name)
  checkProse(eventType.description, 'description')
  checkWhole(eventType.position, 0, 1_000_000, 'position')
  checkMinutes(eventType.durationMinutes, 1, DAY_MINUTES, 'durationMinutes')
  checkDurations(eventType)
  if (eventType.intervalMinutes !== null) {
    checkMinutes(eventType.intervalMinutes, 5, DAY_MINUTES, 'intervalMinutes')
  }
  checkMinutes(eventType.bufferBeforeMinutes, 0, DAY_MINUTES, 'bufferBeforeMinutes')
  checkMinutes(eventType.bufferAfterMinutes, 0, DAY_MINUTES, 'bufferAfterMinutes')
  checkMinutes(eventType.noticeMinutes, 0, 365 * DAY_MINUTES, 'noticeMinutes')
  checkMinutes(eventType.cancelNoticeMinutes, 0, 365 * DAY_MINUTES, 'cancelNoticeMinutes')
  checkMinutes(eventType.rescheduleNoticeMinutes, 0, 365 * DAY_MINUTES, 'rescheduleNoticeMinutes')
  const { reminderMinutes } = eventType
  if (reminderMinutes.length > MAX_REMINDERS) {
    refuse('reminderMinutes', sentence`There can be at most ${MAX_REMINDERS} reminders.`)
  }
  for (const [index, minutes] of reminderMinutes.entries()) {
    checkMinutes(minutes, 5, 30 * DAY_MINUTES, `reminderMinutes.${index}`)
    if (reminderMinutes.indexOf(minutes) < index) {
      refuse(`reminderMinutes.${index}`, sentence`Two reminders have the same time.`)
    }
  }
  checkWhole(eventType.seats, 1, 10_000, 'seats')
  checkWhole(eventType.maxGuests, 0, MAX_GUESTS, 'maxGuests')
  checkLimits(eventType)
  if (eventType.seats > 1 && eventType.assignment === 'round-robin') {
    refuse(
      'seats',
      sentence`Guests who share a slot need the same hosts. Use 1 seat, or collective instead of round robin.`,
    )
  }
  if (eventType.holds && eventType.seats > 1) {
    refuse(
      'holds',
      sentence`A time with several seats can’t be held for one guest. Use 1 seat, or turn holds off.`,
    )
  }
  if (eventType.abuse.rateLimit !== null) checkWhole(eventType.abuse.rateLimit, 1, 15, 'abuse.rateLimit')
  checkWindow(eventType)
  checkLocations(eventType, eventType.seats)
  checkBlocklist(eventType.abuse.blocklist, 'abuse.blocklist')
  checkQuestions(eventType.questions)
  checkAllowedOrigins(eventType.allowedOrigins)
  checkReturnUrl(eventType.returnUrl)
  checkSeriesOffer(eventType.series)
  checkKeepDays(eventType.keepPersonalDataDays)
  checkPrice(eventType.price, offeredDurations(eventType))
}

function checkLimits(eventType: Omit<EventType, 'id' | 'schedulerId'>): void {
  const { limits, limitMinutes } = eventType
  const shortest = Math.min(...offeredDurations(eventType))
  for (const period of PERIODS) {
    const [limit, minutes] = [limits[period] ?? null, limitMinutes[period] ?? null]
    if (limit !== null) checkWhole(limit, 1, 10_000, `limits.${period}`)
    if (minutes === null) continue
    checkMinutes(minutes, 1, 366 * DAY_MINUTES, `limitMinutes.${period}`)
    if (minutes < shortest) {
      const reason = sentence`This limit is shorter than a meeting, so nothing could ever be booked.`
      refuse(`limitMinutes.${period}`, reason)
    }
  }
}

function checkDurations({
  durationMinutes,
  durations,
}: Pick<EventType, 'durationMinutes' | 'durations'>): void {
  if (durations.length > MAX_DURATIONS) {
    refuse('durations', sentence`Guests can choose from at most ${MAX_DURATIONS} durations.`)
  }
  for (const [index, minutes] of durations.entries()) {
    checkMinutes(minutes, 1, DAY_MINUTES, `durations.${index}`)
    if (durations.indexOf(minutes) < index)
      refuse(`durations.${index}`, sentence`Two durations are the same.`)
  }
  if (durations.length > 0 && !durations.includes(durationMinutes)) {
    refuse('durations', sentence`The durations must include the default of ${durationMinutes} minutes.`)
  }
}

function refuse(field: string, reason: Sentence): never {
  throw new Problem('invalid', reason, { field })
}

function checkWhole(value: number, least: number, most: number, field: string): void {
  if (isWhole(value, least, most)) return
  throw invalidField(field, sentence`{field} must be a whole number from ${least} to ${most}.`)
}

const isWhole = (value: number, least: number, most: number) =>
  Number.isInteger(value) && value >= least && value <= most

function checkMinutes(value: number, least: number, most: number, field: string): void {
  if (isWhole(value, least, most)) return
  throw invalidField(field, sentence`{field} must be a whole number of minutes from ${least} to ${most}.`)
}

const MAX_WINDOW = 3650

/** 1970-01-02 */
const A_FRIDAY = 1

function checkWindow({ window, noticeMinutes }: Pick<EventType, 'window' | 'noticeMinutes'>): void {
  if (window.kind === 'rolling') {
    if (!isWhole(window.days, 0, MAX_WINDOW)) {
      const complaint = sentence`{field} must be a whole number of days from ${0} to ${MAX_WINDOW}.`
      throw invalidField('window.days', complaint)
    }
    // From a Friday on, business days reach furthest.
    const reach = window.businessDays ? addBusinessDays(A_FRIDAY, window.days) - A_FRIDAY : window.days
    if (noticeMinutes >= (reach + 1) * DAY_MINUTES) {
      const reason = sentence`The minimum notice is longer than the booking window, so nothing could ever be booked.`
      refuse('noticeMinutes', reason)
    }
  }
  if (window.kind === 'fixed') {
    const [from, to] = [parseDate(window.from), parseDate(window.to)]
    if (from === undefined || to === undefined) {
      const field = from === undefined ? 'window.from' : 'window.to'
      refuse(field, sentence`A fixed booking window needs two dates (YYYY-MM-DD).`)
    } else if (to < from) refuse('window.to', sentence`The booking window ends before it begins.`)
  }
}
