import { DAY, HOUR, MINUTE } from '../interval.ts'
import { type Sentence, sentence } from '../sentence.ts'
import type { Channel } from './message.ts'
import { isAbout, type Message } from './message.ts'
import type { Moment, Recipient } from './moments.ts'
import { dueAtOf } from './schedule.ts'

/** What may become of a booking, besides taking place. */
export const BRANCHES = ['declined', 'cancelled', 'rescheduled', 'no-show'] as const

export type Branch = (typeof BRANCHES)[number]

/** The service's own mails, by the moment at which they are sent. */
export type Standard = Exclude<Moment, 'no-show' | 'after' | 'unbooked' | 'before'> | 'reminder'

/** Something that a guest or host gets. */
export interface TimelineEntry {
  readonly at: number
  readonly when: Sentence
  readonly to: Recipient
  readonly by: Channel
  /** Undefined: the service's own mail. */
  readonly message: Message | undefined
  /** The mail of the service that it is, or whose words it replaces. */
  readonly standard: Standard | undefined
  readonly minutes: number | null
}

/** The event type and the time that a timeline is about. */
export interface TimelineFor {
  readonly eventType: {
    readonly id: string
    readonly requiresApproval: boolean
    readonly reminderMinutes: readonly number[]
  }
  readonly startsAt: number
  readonly endsAt: number
  /** When it is booked. */
  readonly now: number
  readonly branch: Branch | undefined
}

/** All that guest and hosts will get, in order. */
export function timelineOf(given: TimelineFor, messages: readonly Message[]): TimelineEntry[] {
  const { eventType, branch, now, endsAt } = given
  const applying = messages.filter((message) => message.enabled && isAbout(message, eventType.id))
  const entries = firstMoments(given).flatMap((moment) => atMoment(moment, now, applying))
  if (isDeclined(given)) return entries
  if (branch === 'cancelled' || branch === 'rescheduled') entries.push(...atMoment(branch, now, applying))
  if (branch !== 'cancelled') entries.push(...before(given, applying))
  if (branch === 'no-show') entries.push(...atMoment('no-show', endsAt, applying))
  else if (branch !== 'cancelled') entries.push(...timed('after', given, applying))
  // A stable sort: what comes at the same time keeps the order of its moments.
  return entries.sort((a, b) => a.at - b.at)
}

/** Only what asks for approval can be declined. */
const isDeclined = ({ eventType, branch }: TimelineFor) => branch === 'declined' && eventType.requiresApproval

function firstMoments(given: TimelineFor): readonly Moment[] {
  if (!given.eventType.requiresApproval) return ['booked']
  return ['requested', isDeclined(given) ? 'declined' : 'approved']
}

/** The mails of the service, or what replaces them, and what comes beside them. */
function atMoment(moment: Moment, at: number, messages: readonly Message[]): TimelineEntry[] {
  const when = whenOf(moment, null)
  const here = messages.filter(({ on }) => on === moment)
  const standard = moment === 'no-show' ? undefined : (moment as Standard)
  const own = (['guest', 'hosts'] as const).flatMap((to): TimelineEntry[] => {
    if (standard === undefined || here.some((message) => message.replaces && message.to === to)) return []
    return [{ at, when, to, by: 'email', message: undefined, standard, minutes: null }]
  })
  return [...own, ...here.map((message) => entryOf(message, at, message.replaces ? standard : undefined))]
}

function before(given: TimelineFor, messages: readonly Message[]): TimelineEntry[] {
  const { eventType, startsAt, now } = given
  const replacing = messages.filter(({ on, replaces }) => on === 'before' && replaces)
  const reminders = eventType.reminderMinutes.flatMap((minutes) =>
    (['guest', 'hosts'] as const).flatMap((to): TimelineEntry[] => {
      const at = startsAt - minutes * MINUTE
      if (at <= now || replacing.some((message) => message.to === to && message.minutes === minutes))
        return []
      const when = whenOf('before', minutes)
      return [{ at, when, to, by: 'email', message: undefined, standard: 'reminder', minutes }]
    }),
  )
  return [...reminders, ...timed('before', given, messages)]
}

function timed(on: 'before' | 'after', given: TimelineFor, messages: readonly Message[]): TimelineEntry[] {
  return messages
    .filter((message) => message.on === on)
    .flatMap((message) => {
      const at = dueAtOf(message, given) ?? given.now
      const isReminder =
        message.replaces &&
        message.minutes !== null &&
        given.eventType.reminderMinutes.includes(message.minutes)
      return at > given.now ? [entryOf(message, at, isReminder ? 'reminder' : undefined)] : []
    })
}

function entryOf(message: Message, at: number, standard: Standard | undefined): TimelineEntry {
  const { to, by, minutes, on } = message
  return { at, when: whenOf(on, minutes), to, by, message, standard, minutes }
}

/** When a message comes, in words. */
export function whenOf(on: Moment, minutes: number | null): Sentence {
  if (on === 'before') return spanOf(minutes ?? 0, BEFORE)
  if (on === 'after') return spanOf(minutes ?? 0, AFTER)
  if (on === 'unbooked') return spanOf(minutes ?? 0, UNBOOKED)
  return WHEN[on]
}

const WHEN: Readonly<Record<Exclude<Moment, 'before' | 'after' | 'unbooked'>, Sentence>> = {
  booked: sentence`When it is booked`,
  requested: sentence`When it is requested`,
  approved: sentence`When it is approved`,
  declined: sentence`When it is declined`,
  cancelled: sentence`When it is cancelled`,
  rescheduled: sentence`When it is moved`,
  'no-show': sentence`When the guest did not come`,
}

/** A length of time before or after something: one and many of each unit. */
type SpanWords = Readonly<Record<'minutes' | 'hour' | 'hours' | 'day' | 'days', (count: number) => Sentence>>

const BEFORE: SpanWords = {
  minutes: (count) => sentence`${count} minutes before the start`,
  hour: () => sentence`An hour before the start`,
  hours: (count) => sentence`${count} hours before the start`,
  day: () => sentence`A day before the start`,
  days: (count) => sentence`${count} days before the start`,
}

const AFTER: SpanWords = {
  minutes: (count) => sentence`${count} minutes after the end`,
  hour: () => sentence`An hour after the end`,
  hours: (count) => sentence`${count} hours after the end`,
  day: () => sentence`A day after the end`,
  days: (count) => sentence`${count} days after the end`,
}

const UNBOOKED: SpanWords = {
  minutes: (count) => sentence`${count} minutes after the answers, without a booking`,
  hour: () => sentence`An hour after the answers, without a booking`,
  hours: (count) => sentence`${count} hours after the answers, without a booking`,
  day: () => sentence`A day after the answers, without a booking`,
  days: (count) => sentence`${count} days after the answers, without a booking`,
}

function spanOf(minutes: number, words: SpanWords): Sentence {
  const length = minutes * MINUTE
  if (length === DAY) return words.day(1)
  if (length % DAY === 0) return words.days(length / DAY)
  if (length === HOUR) return words.hour(1)
  if (length % HOUR === 0) return words.hours(length / HOUR)
  return words.minutes(minutes)
}
