import type { Interval } from '../../../domain/interval.ts'
import type { FoundCalendar } from '../../kinds/calendar-source.ts'
import {
  ask,
  type CalendarServer,
  requireSuccess,
  type ServerAnswer,
  ServerRefusal,
} from '../calendar-server.ts'
import { CALDAV, CALENDARSERVER, DAV, type DavEntry, notCalDav } from '../multistatus.ts'
import { readEntriesApart } from '../reading-threads.ts'

// The part of RFC 4791 that a scheduling service needs.

/** An event on the server. */
export interface RemoteEvent {
  readonly url: string
  readonly etag: string
  readonly text: string
}

const NAMESPACES = `xmlns:d="${DAV}" xmlns:c="${CALDAV}" xmlns:s="${CALENDARSERVER}"`

const propfind = (props: string) =>
  `<?xml version="1.0" encoding="utf-8"?><d:propfind ${NAMESPACES}><d:prop>${props}</d:prop></d:propfind>`

/** One event, or the description of hundreds of calendars, has fewer bytes. */
const MAX_SHORT = 1024 * 1024

const XML = { 'content-type': 'application/xml; charset=utf-8' }

/** The calendars of an account that hold events. The URL may point anywhere in the account. */
export async function discoverCalendars(server: CalendarServer, url: string): Promise<FoundCalendar[]> {
  const starts = new Set([url, new URL('/.well-known/caldav', url).href, new URL('/', url).href])
  let failure: unknown
  for (const start of starts) {
    try {
      const found = await discoverFrom(server, start)
      if (found.length > 0) return found
    } catch (error) {
      if (error instanceof ServerRefusal) throw error
      // The error at the given URL says more than the error at a guessed one.
      failure ??= error
    }
  }
  if (failure !== undefined) throw failure
  return []
}

/** Each is asked in turn. People have one or two. */
const MAX_HOMES = 10

async function discoverFrom(server: CalendarServer, url: string): Promise<FoundCalendar[]> {
  const props = '<d:current-user-principal/><c:calendar-home-set/>'
  const here = await readProps(server, url, '0', props)
  const principal = here.flatMap(({ principals }) => principals)[0]
  let homes = here.flatMap((entry) => entry.homes)
  if (principal !== undefined) {
    const there = await readProps(server, principal, '0', '<c:calendar-home-set/>')
    homes = [...homes, ...there.flatMap((entry) => entry.homes)]
  }
  const found = new Map<string, FoundCalendar>()
  // Without a home, the URL may be a calendar itself, or a folder of calendars.
  for (const home of homes.length > 0 ? new Set(homes.slice(0, MAX_HOMES)) : [url]) {
    for (const calendar of await listCalendars(server, home)) found.set(calendar.url, calendar)
  }
  return [...found.values()]
}

async function listCalendars(server: CalendarServer, home: string): Promise<FoundCalendar[]> {
  const props =
    '<d:resourcetype/><d:displayname/><c:supported-calendar-component-set/><d:current-user-privilege-set/>'
  const entries = await readProps(server, home, '1', props)
  return entries
    .filter(({ isCalendar, components }) => {
      return isCalendar && (components.length === 0 || components.includes('VEVENT'))
    })
    .map((entry) => ({ url: entry.url, name: nameOf(entry), writable: entry.writable }))
}

function nameOf({ name, url }: Entry): string {
  if (name !== '') return name
  const last = new URL(url).pathname.split('/').findLast(Boolean) ?? url
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

/** The ctag: it changes with every change in the calendar. Empty if the server has none. */
export async function findCtag(server: CalendarServer, url: string): Promise<string> {
  const [entry] = await readProps(server, url, '0', '<s:getctag/><d:sync-token/>')
  return entry?.version ?? ''
}

/** The server's response with all events that touch `span`; `eventTextsOf` reads it. */
export async function queryEvents(server: CalendarServer, url: string, span: Interval): Promise<string> {
  const range = `<c:time-range start="${stamp(span.start)}" end="${stamp(span.end)}"/>`
  const answer = await report(server, url, range)
  return answer.text
}

/** Finds an event of the calendar by its UID. */
export async function findEvent(
  server: CalendarServer,
  url: string,
  uid: string,
): Promise<RemoteEvent | undefined> {
  const filter = `<c:prop-filter name="UID"><c:text-match collation="i;octet">${escapeXml(uid)}</c:text-match></c:prop-filter>`
  const answer = await report(server, url, filter, MAX_SHORT)
  for (const { url, etag, data } of await entriesIn(server, answer)) {
    // Servers may match parts of the text.
    if (data.includes(uid)) return { url, etag, text: data }
  }
  return undefined
}

async function report(
  server: CalendarServer,
  url: string,
  filter: string,
  most?: number,
): Promise<ServerAnswer> {
  const body = `<?xml version="1.0" encoding="utf-8"?><c:calendar-query ${NAMESPACES}>
    <d:prop><d:getetag/><c:calendar-data/></d:prop>
    <c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">${filter}</c:comp-filter></c:comp-filter></c:filter>
  </c:calendar-query>`
  const answer = await ask(server, { method: 'REPORT', url, headers: { ...XML, depth: '1' }, body, most })
  requireMultistatus(answer)
  return answer
}

export async function readEvent(server: CalendarServer, url: string): Promise<RemoteEvent | undefined> {
  const answer = await ask(server, { method: 'GET', url, most: MAX_SHORT })
  if (answer.status === 404 || answer.status === 410) return undefined
  requireSuccess(answer)
  return { url, etag: answer.headers.etag ?? '', text: answer.text }
}

/**
 * Writes an event, if the server still has `seen` (or nothing, if nothing was seen).
 *
 * Resolves to `changed` if the server has something else by now, and to `elsewhere` if it has this UID at another URL.
 */
export async function putEvent(
  server: CalendarServer,
  url: string,
  text: string,
  seen: RemoteEvent | undefined,
): Promise<'done' | 'changed' | 'elsewhere'> {
  const answer = await ask(server, {
    method: 'PUT',
    url,
    headers: { 'content-type': 'text/calendar; charset=utf-8', ...condition(seen) },
    body: text,
  })
  if (answer.status === 412) return 'changed'
  // RFC 4791 asks for 403 or 409 with `no-uid-conflict`, but not every server names the rule.
  if (answer.status === 409 || (answer.status === 403 && answer.text.includes('no-uid-conflict'))) {
    return 'elsewhere'
  }
  requireSuccess(answer)
  return 'done'
}

/** Deletes an event if it has not changed since it was seen. An event that is gone counts as deleted. */
export async function deleteEvent(server: CalendarServer, seen: RemoteEvent): Promise<'done' | 'changed'> {
  const answer = await ask(server, { method: 'DELETE', url: seen.url, headers: condition(seen) })
  if (answer.status === 412) return 'changed'
  requireSuccess(answer, 404, 410)
  return 'done'
}

function condition(seen: RemoteEvent | undefined): Record<string, string> {
  if (seen === undefined) return { 'if-none-match': '*' }
  return seen.etag === '' ? {} : { 'if-match': seen.etag }
}

/** What the server says about one address, with whole URLs. */
interface Entry extends DavEntry {
  readonly url: string
}

async function readProps(
  server: CalendarServer,
  url: string,
  depth: '0' | '1',
  props: string,
): Promise<Entry[]> {
  const headers = { ...XML, depth }
  const request = { method: 'PROPFIND', url, headers, body: propfind(props), most: MAX_SHORT } as const
  const answer = await ask(server, request)
  requireMultistatus(answer)
  return entriesIn(server, answer)
}

function requireMultistatus(answer: ServerAnswer): void {
  requireSuccess(answer)
  if (answer.status !== 207) throw notCalDav()
}

async function entriesIn({ owner }: CalendarServer, { text, url }: ServerAnswer): Promise<Entry[]> {
  const whole = (hrefs: readonly string[]) =>
    hrefs.map((href) => URL.parse(href, url)?.href).filter((href) => href !== undefined)
  const entries = await readEntriesApart(owner, text)
  return entries.map((entry) => ({
    ...entry,
    url: URL.parse(entry.href, url)?.href ?? url,
    principals: whole(entry.principals),
    homes: whole(entry.homes),
  }))
}

const stamp = (instant: number) => new Date(instant).toISOString().replace(/[-:]|\.\d{3}/g, '')

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
