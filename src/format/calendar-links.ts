/** A meeting as web calendars take it. */
export interface CalendarEntry {
  readonly title: string
  readonly startsAt: number
  readonly endsAt: number
  readonly details: string
  readonly location: string
}

/** The web calendars that we link to, in this order. */
export const WEB_CALENDARS = ['Google', 'Outlook.com', 'Microsoft 365'] as const

export interface CalendarLink {
  readonly name: (typeof WEB_CALENDARS)[number]
  readonly url: string
}

/** For each web calendar, the page that adds this meeting to it. */
export function calendarLinks(entry: CalendarEntry): CalendarLink[] {
  const { title, startsAt, endsAt, details, location } = entry
  const google = {
    action: 'TEMPLATE',
    text: title,
    dates: `${compact(startsAt)}/${compact(endsAt)}`,
    details,
    location,
  }
  const outlook = {
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    startdt: new Date(startsAt).toISOString(),
    enddt: new Date(endsAt).toISOString(),
    body: details,
    location,
  }
  const urls: Record<CalendarLink['name'], string> = {
    Google: address('https://calendar.google.com/calendar/render', google),
    'Outlook.com': address('https://outlook.live.com/calendar/0/deeplink/compose', outlook),
    'Microsoft 365': address('https://outlook.office.com/calendar/0/deeplink/compose', outlook),
  }
  return WEB_CALENDARS.map((name) => ({ name, url: urls[name] }))
}

/** Turns 2027-01-11T12:00:00.000Z into 20270111T120000Z. */
const compact = (at: number) => new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '')

/** Encodes a space as `%20`: Outlook shows the `+` of URLSearchParams as a plus. */
const address = (page: string, values: Readonly<Record<string, string>>) =>
  `${page}?${Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&')}`
