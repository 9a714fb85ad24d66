/** When a meeting is, in the words and on the clock of whoever reads it. */
export interface MeetingTime {
  /** With the weekday, in full. */
  readonly date: string
  /** From and to; when it ends on another day, with that day. */
  readonly time: string
  readonly zone: string
  /** Weekday, date and time of the start, short enough for a subject. */
  readonly short: string
}

export function meetingTime(startsAt: number, endsAt: number, timeZone: string, tag: string): MeetingTime {
  const write = (at: number, options: Intl.DateTimeFormatOptions) =>
    // The narrow spaces that some languages put before AM and PM are boxes in some mail programs.
    formatterFor(tag, timeZone, options)
      .format(at)
      .replaceAll(/[\u202f\u2009]/g, ' ')

  const date = write(startsAt, DATE)
  const lastDate = write(endsAt, DATE)
  const [from, to] = [startsAt, endsAt].map((at) => write(at, TIME)) as [string, string]
  return {
    date,
    time: lastDate === date ? `${from} – ${to}` : `${from} – ${lastDate}, ${to}`,
    zone: zoneName(startsAt, timeZone, tag),
    short: write(startsAt, SHORT),
  }
}

const DATE = { dateStyle: 'full' } as const
const TIME = { timeStyle: 'short' } as const
const ZONE = { timeZoneName: 'long' } as const
const SHORT = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
} as const

/** What people call it at that time of the year, and what it is called wherever programs speak of it. */
function zoneName(at: number, timeZone: string, tag: string): string {
  const name = formatterFor(tag, timeZone, ZONE)
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value
  return name === undefined || name === timeZone ? timeZone : `${name} (${timeZone})`
}

const MOST_FORMATTERS = 200
const formatters = new Map<Intl.DateTimeFormatOptions, Map<string, Intl.DateTimeFormat>>()

/** Making one takes longer than all the rest of a mail, so the last ones are kept. */
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
