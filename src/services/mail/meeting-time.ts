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
    new Intl.DateTimeFormat(tag, { ...options, timeZone }).format(at).replaceAll(/[\u202f\u2009]/g, ' ')

  const date = write(startsAt, { dateStyle: 'full' })
  const lastDate = write(endsAt, { dateStyle: 'full' })
  const [from, to] = [startsAt, endsAt].map((at) => write(at, { timeStyle: 'short' })) as [string, string]
  return {
    date,
    time: lastDate === date ? `${from} – ${to}` : `${from} – ${lastDate}, ${to}`,
    zone: zoneName(startsAt, timeZone, tag),
    short: write(startsAt, SHORT),
  }
}

const SHORT = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
} as const

/** What people call it at that time of the year, and what it is called wherever programs speak of it. */
function zoneName(at: number, timeZone: string, tag: string): string {
  const name = new Intl.DateTimeFormat(tag, { timeZone, timeZoneName: 'long' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value
  return name === undefined || name === timeZone ? timeZone : `${name} (${timeZone})`
}
