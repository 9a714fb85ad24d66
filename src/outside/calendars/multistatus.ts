import { createRequire } from 'node:module'
import type { Element } from '@xmldom/xmldom'
import { sentence } from '../../domain/sentence.ts'
import { lazily } from '../lazily.ts'
import { ServerFailure } from './calendar-server.ts'

// Reads a CalDAV server's XML. A hostile response can take seconds: go through `reading-threads.ts`.

export const DAV = 'DAV:'
export const CALDAV = 'urn:ietf:params:xml:ns:caldav'
export const CALENDARSERVER = 'http://calendarserver.org/ns/'

/** What a server says about one address: its properties, empty if it doesn't have them. */
export interface DavEntry {
  readonly href: string
  readonly name: string
  readonly isCalendar: boolean
  /** The kinds of entries that the calendar takes; none if the server doesn't say. */
  readonly components: readonly string[]
  /** False if the server says that this user cannot write there. */
  readonly writable: boolean
  /** Changes with every change in the calendar. */
  readonly version: string
  readonly principals: readonly string[]
  readonly homes: readonly string[]
  readonly etag: string
  readonly data: string
}

/** A server's answer, which describes one address or more. */
export function entriesOf(multistatus: string): DavEntry[] {
  return responsesIn(multistatus).map((response) => {
    // A missing property comes back empty, with another status.
    const props = children(response, 'propstat').filter((propstat) =>
      /\s2\d\d(?:\s|$)/.test(textOf(first(propstat, DAV, 'status'))),
    )
    const find = (namespace: string, name: string) =>
      props.map((propstat) => first(propstat, namespace, name)).find((found) => found !== undefined)
    const hrefs = (namespace: string, name: string) =>
      props
        .flatMap((propstat) => all(propstat, namespace, name))
        .flatMap((element) => all(element, DAV, 'href').map(textOf))
    const type = find(DAV, 'resourcetype')
    const privileges = find(DAV, 'current-user-privilege-set')
    return {
      href: textOf(children(response, 'href')[0]),
      name: textOf(find(DAV, 'displayname')),
      isCalendar: type !== undefined && first(type, CALDAV, 'calendar') !== undefined,
      components: props
        .flatMap((propstat) => all(propstat, CALDAV, 'comp'))
        .map((comp) => comp.getAttribute('name') ?? ''),
      writable:
        privileges === undefined ||
        ['all', 'write', 'write-content'].some((name) => first(privileges, DAV, name) !== undefined),
      version: textOf(find(CALENDARSERVER, 'getctag') ?? find(DAV, 'sync-token')),
      principals: hrefs(DAV, 'current-user-principal'),
      homes: hrefs(CALDAV, 'calendar-home-set'),
      etag: textOf(find(DAV, 'getetag')),
      data: find(CALDAV, 'calendar-data')?.textContent ?? '',
    }
  })
}

/** The iCalendar texts in a response to `queryEvents`; throws if the server left an event out. */
export function eventTextsOf(multistatus: string): string[] {
  return responsesIn(multistatus).flatMap((response) => {
    const data = first(response, CALDAV, 'calendar-data')?.textContent ?? ''
    if (data !== '') return data
    // Deleted while the server was answering.
    if (/\s(?:404|410)(?:\s|$)/.test(first(response, DAV, 'status')?.textContent ?? '')) return []
    throw new ServerFailure(sentence`The server sent only a part of the calendar.`)
  })
}

/** There is an answer, but not one of a CalDAV server. */
export const notCalDav = (cause?: unknown) =>
  new ServerFailure(sentence`There is no CalDAV server at this address.`, { cause })

// Only direct children: responses within responses would make the search quadratic.
const responsesIn = (multistatus: string) => children(parseMultistatus(multistatus), 'response')

const require = createRequire(import.meta.url)
const xml = lazily(() => require('@xmldom/xmldom') as typeof import('@xmldom/xmldom'))

function parseMultistatus(text: string): Element {
  checkShape(text)
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

/** A calendar of 20,000 events has fewer. */
const MAX_TAGS = 800_000
/** Servers need about eight. */
const MAX_DEPTH = 64

/** Refuses XML that no calendar server sends, before a parser builds objects from it. */
function checkShape(text: string): void {
  let tags = 0
  let depth = 0
  let at = text.indexOf('<')
  while (at >= 0) {
    if (++tags > MAX_TAGS) throw tooComplex()
    let end = at + 1
    if (text.startsWith('<![CDATA[', at)) end = text.indexOf(']]>', at)
    else if (text.startsWith('<!--', at)) end = text.indexOf('-->', at)
    else if (text.startsWith('<!DOCTYPE', at)) throw notCalDav()
    else if (text.startsWith('</', at)) depth--
    else if (!text.startsWith('<?', at)) {
      end = text.indexOf('>', at)
      if (text[end - 1] !== '/' && ++depth > MAX_DEPTH) throw tooComplex()
    }
    if (end < 0) throw notCalDav()
    at = text.indexOf('<', end)
  }
}

const tooComplex = () => new ServerFailure(sentence`The server’s response is too complex to read.`)

const children = (element: Element, name: string): Element[] =>
  Array.from(element.childNodes).filter(
    (node): node is Element => (node as Element).localName === name && (node as Element).namespaceURI === DAV,
  )

const all = (element: Element, namespace: string, name: string): Element[] =>
  Array.from(element.getElementsByTagNameNS(namespace, name))

const first = (element: Element, namespace: string, name: string): Element | undefined =>
  element.getElementsByTagNameNS(namespace, name)[0] ?? undefined

const textOf = (element: Element | undefined) => element?.textContent?.trim() ?? ''
