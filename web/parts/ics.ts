export interface CalendarEntry {
  readonly id: string
  readonly title: string
  readonly startsAt: number
  readonly endsAt: number
  readonly place: string
  readonly description: string
}

const stamp = (instant: number) => new Date(instant).toISOString().replace(/[-:]|\.\d{3}/g, '')

/** The entry as an iCalendar file (RFC 5545). */
export function writeIcs(entry: CalendarEntry): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Punctual//Booking page//EN',
    'BEGIN:VEVENT',
    `UID:${entry.id}`,
    `DTSTAMP:${stamp(Date.now())}`,
    `DTSTART:${stamp(entry.startsAt)}`,
    `DTEND:${stamp(entry.endsAt)}`,
    `SUMMARY:${escapeText(entry.title)}`,
    ...(entry.place === '' ? [] : [`LOCATION:${escapeText(entry.place)}`]),
    ...(entry.description === '' ? [] : [`DESCRIPTION:${escapeText(entry.description)}`]),
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return `${lines.map(fold).join('\r\n')}\r\n`
}

function escapeText(text: string): string {
  return (
    text
      .replace(/[\\;,]/g, (character) => `\\${character}`)
      .replace(/\r\n|\r|\n/g, '\\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be in a line
      .replace(/[\u0000-\u001f\u007f]/g, '')
  )
}

const LONGEST_LINE = 75

/** A line has at most 75 bytes; what is more goes on in the next, after a space. */
function fold(line: string): string {
  const encoder = new TextEncoder()
  let folded = ''
  let length = 0
  for (const character of line) {
    const bytes = encoder.encode(character).length
    if (length + bytes > LONGEST_LINE) {
      folded += '\r\n '
      length = 1
    }
    folded += character
    length += bytes
  }
  return folded
}

export function googleLink({ title, startsAt, endsAt, place, description }: CalendarEntry): string {
  const query = new URLSearchParams({
    action: 'TEMPLATE',
    text: title,
    dates: `${stamp(startsAt)}/${stamp(endsAt)}`,
    location: place,
    details: description,
  })
  return `https://calendar.google.com/calendar/render?${query}`
}

export function outlookLink({ title, startsAt, endsAt, place, description }: CalendarEntry): string {
  const query = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    startdt: new Date(startsAt).toISOString(),
    enddt: new Date(endsAt).toISOString(),
    location: place,
    body: description,
  })
  return `https://outlook.live.com/calendar/0/action/compose?${query}`
}
