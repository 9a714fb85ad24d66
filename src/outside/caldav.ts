import { createRequire } from 'node:module'
import type { Element } from '@xmldom/xmldom'
import type { Interval } from '../domain/interval.ts'
import {
  ask,
  type CalendarServer,
  requireSuccess,
  type ServerAnswer,
  ServerFailure,
  ServerRefusal,
} from './calendar-server.ts'
import { lazily } from './lazily.ts'

// The part of RFC 4791 that a scheduling service needs.

export interface FoundCalendar {
  readonly url: string
  readonly name: string
  /** False if the server says that this user cannot write there. */
  readonly writable: boolean
}

/** An event on the server. */
export interface RemoteEvent {
  readonly url: string
  readonly etag: string
  readonly text: string
}

const DAV = 'DAV:'
const CALDAV = 'urn:ietf:params:xml:ns:caldav'
const CALENDARSERVER = 'http://calendarserver.org/ns/'

const NAMESPACES = `xmlns:d="${DAV}" xmlns:c="${CALDAV}" xmlns:s="${CALENDARSERVER}"`

const propfind = (props: string) =>
  `<?xml version="1.0" encoding="utf-8"?><d:propfind ${NAMESPACES}><d:prop>${props}</d:prop></d:propfind>`

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

async function discoverFrom(server: CalendarServer, url: string): Promise<FoundCalendar[]> {
  const props = '<d:current-user-principal/><c:calendar-home-set/>'
  const here = await readProps(server, url, '0', props)
  const principal = here.map((entry) => hrefIn(entry, DAV, 'current-user-principal')).find(Boolean)
  const homes = here.flatMap((entry) => hrefsIn(entry, CALDAV, 'calendar-home-set'))
  if (principal !== undefined) {
    for (const entry of await readProps(server, principal, '0', '<c:calendar-home-set/>')) {
      homes.push(...hrefsIn(entry, CALDAV, 'calendar-home-set'))
    }
  }
  const found = new Map<string, FoundCalendar>()
  // Without a home, the URL may be a calendar itself, or a folder of calendars.
  for (const home of homes.length > 0 ? new Set(homes) : [url]) {
    for (const calendar of await listCalendars(server, home)) found.set(calendar.url, calendar)
  }
  return [...found.values()]
}

async function listCalendars(server: CalendarServer, home: string): Promise<FoundCalendar[]> {
  const props =
    '<d:resourcetype/><d:displayname/><c:supported-calendar-component-set/><d:current-user-privilege-set/>'
  const entries = await readProps(server, home, '1', props)
  return entries
    .filter((entry) => {
      const type = first(entry.props, DAV, 'resourcetype')
      if (type === undefined || first(type, CALDAV, 'calendar') === undefined) return false
      const components = all(entry.props, CALDAV, 'comp').map((comp) => comp.getAttribute('name'))
      return components.length === 0 || components.includes('VEVENT')
    })
    .map((entry) => ({ url: entry.url, name: nameOf(entry), writable: isWritable(entry) }))
}

function nameOf({ props, url }: Entry): string {
  const name = first(props, DAV, 'displayname')?.textContent?.trim() ?? ''
  return name !== '' ? name : decodeURIComponent(new URL(url).pathname.split('/').findLast(Boolean) ?? url)
}

function isWritable({ props }: Entry): boolean {
  const privileges = first(props, DAV, 'current-user-privilege-set')
  if (privileges === undefined) return true
  return ['all', 'write', 'write-content'].some((name) => first(privileges, DAV, name) !== undefined)
}

/** The ctag: it changes with every change in the calendar. Empty if the server has none. */
export async function findCtag(server: CalendarServer, url: string): Promise<string> {
  const [entry] = await readProps(server, url, '0', '<s:getctag/><d:sync-token/>')
  if (entry === undefined) return ''
  const ctag =
    first(entry.props, CALENDARSERVER, 'getctag') ?? first(entry.props, DAV, 'sync-token') ?? undefined
  return ctag?.textContent?.trim() ?? ''
}

/** The server's response with all events that touch `span`; `eventTextsOf` reads it. */
export async function queryEvents(server: CalendarServer, url: string, span: Interval): Promise<string> {
  const range = `<c:time-range start="${stamp(span.start)}" end="${stamp(span.end)}"/>`
  const answer = await report(server, url, range)
  return answer.text
}

/** The iCalendar texts in a response to `queryEvents`; throws if the server left an event out. */
export function eventTextsOf(multistatus: string): string[] {
  return all(parseMultistatus(multistatus), DAV, 'response').flatMap((response) => {
    const data = first(response, CALDAV, 'calendar-data')?.textContent ?? ''
    if (data !== '') return data
    // Deleted while the server was answering.
    if (/\s(?:404|410)(?:\s|$)/.test(first(response, DAV, 'status')?.textContent ?? '')) return []
    throw new ServerFailure('The server sent only a part of the calendar.')
  })
}

/** Finds an event of the calendar by its UID. */
export async function findEvent(
  server: CalendarServer,
  url: string,
  uid: string,
): Promise<RemoteEvent | undefined> {
  const filter = `<c:prop-filter name="UID"><c:text-match collation="i;octet">${escapeXml(uid)}</c:text-match></c:prop-filter>`
  const answer = await report(server, url, filter)
  for (const entry of entriesOf(answer)) {
    const text = first(entry.props, CALDAV, 'calendar-data')?.textContent ?? ''
    // Servers may match parts of the text.
    if (!text.includes(uid)) continue
    return { url: entry.url, etag: first(entry.props, DAV, 'getetag')?.textContent?.trim() ?? '', text }
  }
  return undefined
}

async function report(server: CalendarServer, url: string, filter: string): Promise<ServerAnswer> {
  const body = `<?xml version="1.0" encoding="utf-8"?><c:calendar-query ${NAMESPACES}>
    <d:prop><d:getetag/><c:calendar-data/></d:prop>
    <c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">${filter}</c:comp-filter></c:comp-filter></c:filter>
  </c:calendar-query>`
  const answer = await ask(server, { method: 'REPORT', url, headers: { ...XML, depth: '1' }, body })
  requireMultistatus(answer)
  return answer
}

export async function readEvent(server: CalendarServer, url: string): Promise<RemoteEvent | undefined> {
  const answer = await ask(server, { method: 'GET', url })
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

interface Entry {
  readonly url: string
  /** The properties that the server has. */
  readonly props: Element
}

async function readProps(
  server: CalendarServer,
  url: string,
  depth: '0' | '1',
  props: string,
): Promise<Entry[]> {
  const headers = { ...XML, depth }
  const answer = await ask(server, { method: 'PROPFIND', url, headers, body: propfind(props) })
  requireMultistatus(answer)
  return entriesOf(answer)
}

function requireMultistatus(answer: ServerAnswer): void {
  requireSuccess(answer)
  if (answer.status !== 207) throw notCalDav()
}

function entriesOf({ text, url }: ServerAnswer): Entry[] {
  return all(parseMultistatus(text), DAV, 'response').map((response) => {
    const href = first(response, DAV, 'href')?.textContent?.trim() ?? ''
    // A missing property comes back empty, with another status.
    for (const propstat of all(response, DAV, 'propstat')) {
      const status = first(propstat, DAV, 'status')?.textContent ?? ''
      if (!/\s2\d\d(?:\s|$)/.test(status)) propstat.parentNode?.removeChild(propstat)
    }
    return { url: URL.parse(href, url)?.href ?? url, props: response }
  })
}

function hrefsIn({ props, url }: Entry, namespace: string, name: string): string[] {
  return all(props, namespace, name)
    .flatMap((element) => all(element, DAV, 'href'))
    .map((href) => URL.parse(href.textContent?.trim() ?? '', url)?.href)
    .filter((href) => href !== undefined)
}

const hrefIn = (entry: Entry, namespace: string, name: string) => hrefsIn(entry, namespace, name)[0]

const require = createRequire(import.meta.url)
const xml = lazily(() => require('@xmldom/xmldom') as typeof import('@xmldom/xmldom'))

function parseMultistatus(text: string): Element {
  let root: Element | null = null
  try {
    const { DOMParser } = xml()
    const parser = new DOMParser({
      onError: (level, message) => {
        if (level !== 'warning') throw new Error(message)
      },
    })
    root = parser.parseFromString(text, 'text/xml').documentElement
  } catch (error) {
    throw notCalDav(error)
  }
  if (root?.localName !== 'multistatus' || root.namespaceURI !== DAV) throw notCalDav()
  return root
}

const notCalDav = (cause?: unknown) =>
  new ServerFailure('There is no CalDAV server at this address.', { cause })

const all = (element: Element, namespace: string, name: string): Element[] =>
  Array.from(element.getElementsByTagNameNS(namespace, name))

const first = (element: Element, namespace: string, name: string): Element | undefined =>
  element.getElementsByTagNameNS(namespace, name)[0] ?? undefined

const stamp = (instant: number) => new Date(instant).toISOString().replace(/[-:]|\.\d{3}/g, '')

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
