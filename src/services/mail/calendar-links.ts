/** A meeting as the pages of web calendars take it. */
export interface CalendarEntry {
  readonly title: string
  readonly startsAt: number
  readonly endsAt: number
  readonly details: string
  readonly location: string
}

export interface CalendarLink {
  readonly name: string
  readonly href: string
}

/** Pages that offer to enter a meeting, each with its own calendar's name. */
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
  return [
    { name: 'Google', href: address('https://calendar.google.com/calendar/render', google) },
    { name: 'Outlook.com', href: address('https://outlook.live.com/calendar/0/deeplink/compose', outlook) },
    {
      name: 'Microsoft 365',
      href: address('https://outlook.office.com/calendar/0/deeplink/compose', outlook),
    },
  ]
}

/** 2027-01-11T12:00:00.000Z as 20270111T120000Z. */
const compact = (at: number) => new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '')

/** Outlook would show the `+` that forms have for a space. */
const address = (page: string, values: Readonly<Record<string, string>>) =>
  `${page}?${Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&')}`
