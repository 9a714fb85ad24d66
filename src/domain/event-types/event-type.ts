import { parseDate } from '../calendar-date.ts'
import { checkSlug } from '../people/slug.ts'
import { invalidField, Problem } from '../problem.ts'
import { type Sentence, sentence } from '../sentence.ts'
import { checkName, checkProse } from '../text.ts'
import { checkBlocklist } from './blocklist.ts'
import { checkAllowedOrigins } from './framing.ts'
import { checkLocations, type Locations } from './location.ts'
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
  | { readonly kind: 'rolling'; readonly days: number }
  | { readonly kind: 'fixed'; readonly from: string; readonly to: string }
  | { readonly kind: 'unlimited' }

/** The most meetings of the event type per host; null: no limit. Weeks begin on Monday. */
export interface Limits {
  readonly day: number | null
  readonly week: number | null
  readonly month: number | null
}

/** How a meeting gets its hosts: all attend, or they take turns. */
export type Assignment = (typeof ASSIGNMENTS)[number]

/** Accept what is known of the calendar, or refuse the booking. */
export const LIVE_CHECKS = ['accept', 'refuse'] as const

export type LiveCheck = (typeof LIVE_CHECKS)[number]

/** Something that can be booked. */
export interface EventType extends Locations {
  readonly id: string
  readonly schedulerId: string
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly durationMinutes: number
  /** The lengths that guests choose from, `durationMinutes` among them; empty: only that one. */
  readonly durations: readonly number[]
  /** Distance between starts; null: the duration of the meeting. */
  readonly intervalMinutes: number | null
  readonly bufferBeforeMinutes: number
  readonly bufferAfterMinutes: number
  readonly noticeMinutes: number
  readonly window: BookingWindow
  readonly limits: Limits
  readonly seats: number
  /** How many others a guest may bring. */
  readonly maxGuests: number
  readonly requiresApproval: boolean
  readonly hidden: boolean
  /** Only a private link opens it; without one, it is not there. */
  readonly linkOnly: boolean
  /** Keeps a time for a guest while they fill in the form. */
  readonly holds: boolean
  /** Guests prove their address with a code before they book. */
  readonly confirmEmail: boolean
  readonly questions: readonly Question[]
  readonly abuse: AbusePrevention
  readonly assignment: Assignment
  readonly position: number
  /** One of the owner's schedules; null: each host's default schedule. */
  readonly scheduleId: string | null
  /** How long before the start guests can still cancel; 0: until it starts. */
  readonly cancelNoticeMinutes: number
  /** The same for rescheduling. */
  readonly rescheduleNoticeMinutes: number
  /** How long before the start guests and hosts get a reminder. */
  readonly reminderMinutes: readonly number[]
  /** Sites that may embed its page; empty: all. */
  readonly allowedOrigins: readonly string[]
  /** Where the booking page sends a guest who has booked; empty: nowhere. */
  readonly returnUrl: string
  /** What happens to a booking if a host's calendar can't be asked at that moment. */
  readonly liveCheck: LiveCheck
  /** A host's calendar that bookings are written to; null: the one that each host has chosen. */
  readonly writeToCalendarId: string | null
  /** How guests may repeat a meeting; null: not at all. */
  readonly series: SeriesOffer | null
  /** Days after a meeting's end until its guest is erased; null: never. */
  readonly keepPersonalDataDays: number | null
}

/** The settings of a new event type. */
export const EVENT_TYPE_DEFAULTS: Omit<EventType, 'id' | 'schedulerId' | 'slug' | 'name'> = {
  description: '',
  durationMinutes: 30,
  durations: [],
  intervalMinutes: null,
  bufferBeforeMinutes: 0,
  bufferAfterMinutes: 0,
  noticeMinutes: 120,
  window: { kind: 'rolling', days: 60 },
  limits: { day: null, week: null, month: null },
  seats: 1,
  maxGuests: 0,
  requiresApproval: false,
  hidden: false,
  linkOnly: false,
  holds: false,
  confirmEmail: false,
  location: { type: 'Video', value: '' },
  locations: [],
  questions: [],
  abuse: { honeypot: true, captcha: '', blocklist: [], detectDuplicates: true, rateLimit: null },
  assignment: 'collective',
  position: 0,
  scheduleId: null,
  cancelNoticeMinutes: 0,
  rescheduleNoticeMinutes: 0,
  reminderMinutes: [1440, 60],
  allowedOrigins: [],
  returnUrl: '',
  liveCheck: 'accept',
  writeToCalendarId: null,
  series: null,
  keepPersonalDataDays: null,
}

/** The lengths that guests can choose, in minutes. */
export const offeredDurations = ({
  durationMinutes,
  durations,
}: Pick<EventType, 'durationMinutes' | 'durations'>): readonly number[] =>
  durations.length === 0 ? [durationMinutes] : durations

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
  for (const period of ['day', 'week', 'month'] as const) {
    const limit = eventType.limits[period]
    if (limit !== null) checkWhole(limit, 1, 10_000, `limits.${period}`)
  }
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

function checkWindow({ window, noticeMinutes }: Pick<EventType, 'window' | 'noticeMinutes'>): void {
  if (window.kind === 'rolling') {
    if (!isWhole(window.days, 0, MAX_WINDOW)) {
      const complaint = sentence`{field} must be a whole number of days from ${0} to ${MAX_WINDOW}.`
      throw invalidField('window.days', complaint)
    }
    if (noticeMinutes >= (window.days + 1) * DAY_MINUTES) {
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
