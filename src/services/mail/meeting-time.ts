import { LANGUAGES } from '../../domain/languages.ts'
import type { TimeFormat } from '../../domain/people/user.ts'
import { cityOf, isPlaceless } from '../../domain/zone-names.ts'
import { readTexts } from '../../texts/read.ts'

/** The time of a meeting, in the reader's language and time zone. */
export interface MeetingTime {
  /** The full date, with the weekday. */
  readonly date: string
  /** Start and end; with the date of the end if that is another day. */
  readonly time: string
  readonly zone: string
  /** Weekday, date and time of the start, short enough for a subject. */
  readonly short: string
}

let latest: { readonly of: string; readonly time: MeetingTime } | undefined

/** Keeps the latest: a mail, its rows and its calendar entry tell the same time, and that is most of their cost. */
export function meetingTime(startsAt: number, endsAt: number, timeZone: string, tag: string): MeetingTime {
  const of = `${startsAt} ${endsAt} ${timeZone} ${tag}`
  if (latest?.of !== of) latest = { of, time: writeTime(startsAt, endsAt, timeZone, tag) }
  return latest.time
}

function writeTime(startsAt: number, endsAt: number, timeZone: string, tag: string): MeetingTime {
  const write = (at: number, options: Intl.DateTimeFormatOptions) =>
    plainSpaces(formatterFor(tag, timeZone, options).format(at))

  const date = write(startsAt, DATE)
  const lastDate = write(endsAt, DATE)
  const [from, to] = [startsAt, endsAt].map((at) => write(at, TIME)) as [string, string]
  return {
    date,
    time: lastDate === date ? `${from} – ${to}` : `${from} – ${lastDate}, ${to}`,
    zone: zoneName(startsAt, timeZone, tag),
    short: shortMoment(startsAt, timeZone, tag),
  }
}

/** Weekday, date and time, short enough for a subject. */
export const shortMoment = (at: number, timeZone: string, tag: string): string =>
  plainSpaces(formatterFor(tag, timeZone, SHORT).format(at))

/** One instant in words: its date, its time of day, or both. */
export function momentText(
  at: number,
  timeZone: string,
  tag: string,
  part: 'date' | 'time' | undefined,
): string {
  const options = part === 'date' ? DATE : part === 'time' ? TIME : BOTH
  return plainSpaces(formatterFor(tag, timeZone, options).format(at))
}

/** Some mail programs show the narrow space before AM and PM as a box. */
const plainSpaces = (text: string) => text.replaceAll(/[\u202f\u2009]/g, ' ')

const DATE = { dateStyle: 'full' } as const
const TIME = { timeStyle: 'short' } as const
const BOTH = { dateStyle: 'full', timeStyle: 'short' } as const
const ZONE = { timeZoneName: 'long' } as const
const SHORT = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
} as const

/** The zone's name at that time of the year, with its city. */
function zoneName(at: number, timeZone: string, tag: string): string {
  const name = formatterFor(tag, timeZone, ZONE)
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value
  const language = LANGUAGES.find((one) => one === tag.split('-')[0]) ?? 'en'
  const city = cityOf(timeZone, readTexts(language, 'cities'))
  if (name === undefined) return city
  return isPlaceless(timeZone) || name === city ? name : `${name} (${city})`
}

/** The tag for times that someone reads on a clock of this format. */
export function tagOfClock(tag: string, format: TimeFormat = 'auto'): string {
  return format === 'auto' ? tag : `${tag}-u-hc-${format === '12h' ? 'h12' : 'h23'}`
}

const MOST_FORMATTERS = 200
const formatters = new Map<Intl.DateTimeFormatOptions, Map<string, Intl.DateTimeFormat>>()

/** Creating a formatter takes longer than the rest of a mail, so the latest are kept. */
function formatterFor(
  tag: string,
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  let kept = formatters.get(options)
  if (kept === undefined) {
    kept = new Map()
    formatters.set(options, kept)
  }
  const key = `${tag} ${timeZone}`
  let formatter = kept.get(key)
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat(tag, { ...options, timeZone })
    if (kept.size >= MOST_FORMATTERS) kept.clear()
    kept.set(key, formatter)
  }
  return formatter
}
