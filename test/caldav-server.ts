import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A CalDAV server on this machine with one user, who has two calendars for events and one for tasks. */
export interface CalDavServer {
  readonly url: string
  readonly username: string
  readonly password: string
  readonly work: string
  readonly home: string
  /** Sends one request, as another program of the user would. */
  request(method: string, url: string, body?: string): Promise<{ status: number; text: string; etag: string }>
  stop(): Promise<void>
}

const ANSWER_LIMIT = 120_000
export const USER = 'ada'
// Beyond ASCII, and with what separates it from a user name.
export const PASSWORD = 'a pass:wörd'

/** Starts the small server of these tests. */
export async function startCalDav(): Promise<CalDavServer> {
  return withCalendars(await startOwn())
}

/** Where a server listens, before its user has calendars. */
export type Running = Pick<CalDavServer, 'url' | 'stop'>

/** Makes the calendars of the user. */
export async function withCalendars(running: Running): Promise<CalDavServer> {
  const authorization = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`
  const request: CalDavServer['request'] = async (method, url, body) => {
    const response = await fetch(url, {
      method,
      headers: { authorization, 'content-type': body?.startsWith('BEGIN') ? 'text/calendar' : 'text/xml' },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(ANSWER_LIMIT),
    })
    const etag = response.headers.get('etag') ?? ''
    return { status: response.status, text: await response.text(), etag }
  }
  const server: CalDavServer = {
    ...running,
    username: USER,
    password: PASSWORD,
    work: `${running.url}/${USER}/work/`,
    home: `${running.url}/${USER}/home/`,
    request,
  }
  for (const [name, component] of [
    ['work', 'VEVENT'],
    ['home', 'VEVENT'],
    ['tasks', 'VTODO'],
  ]) {
    const made = await request(
      'MKCALENDAR',
      `${running.url}/${USER}/${name}/`,
      `<?xml version="1.0"?><c:mkcalendar xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:set><d:prop>
        <d:displayname>${name} &amp; more</d:displayname>
        <c:supported-calendar-component-set><c:comp name="${component}"/></c:supported-calendar-component-set>
      </d:prop></d:set></c:mkcalendar>`,
    )
    if (made.status !== 201) throw new Error(`MKCALENDAR: ${made.status} ${made.text}`)
  }
  return server
}

interface Collection {
  readonly name: string
  readonly component: string
  readonly events: Map<string, string>
}

/** The needed part of RFC 4791, as strict as the real ones are about conditions and credentials. */
async function startOwn(): Promise<Running> {
  const collections = new Map<string, Collection>()
  const server = createServer((request, response) => {
    answer(collections, request, response).catch(() => response.writeHead(500).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function answer(
  collections: Map<string, Collection>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()
  const send = (status: number, text = '', headers: Record<string, string> = {}) =>
    response.writeHead(status, headers).end(text)
  const expected = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`
  if (request.headers.authorization !== expected) return void send(401)
  const path = new URL(request.url ?? '/', 'http://localhost').pathname
  const collection = collections.get(path)
  const folder = path.slice(0, path.lastIndexOf('/') + 1)

  if (request.method === 'MKCALENDAR') {
    const name = /<d:displayname>(.*?)<\/d:displayname>/.exec(body)?.[1] ?? ''
    const component = /comp name="(\w+)"/.exec(body)?.[1] ?? 'VEVENT'
    collections.set(path, { name, component, events: new Map() })
    return void send(201)
  }
  if (request.method === 'PROPFIND') {
    if (path === '/.well-known/caldav') return void send(301, '', { location: '/' })
    const principal = `<d:current-user-principal><d:href>/${USER}/</d:href></d:current-user-principal>`
    const isHome = path === `/${USER}/`
    const home = `<c:calendar-home-set><d:href>/${USER}/</d:href></c:calendar-home-set>`
    const listed = isHome && request.headers.depth === '1' ? [...collections] : []
    const entries = listed.map(([href, found]) => entryOf(href, propsOf(found)))
    const here = (collection ? propsOf(collection) : '') + principal + (isHome ? home : '')
    return void send(207, multistatus([entryOf(path, here), ...entries]))
  }
  if (request.method === 'REPORT') {
    const uid = /<c:text-match[^>]*>(.*?)<\/c:text-match>/.exec(body)?.[1]
    const found = [...(collection?.events ?? [])].filter(
      ([, text]) => uid === undefined || text.includes(uid),
    )
    const entries = found.map(([href, text]) =>
      entryOf(
        href,
        `<d:getetag>${etagOf(text)}</d:getetag><c:calendar-data>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</c:calendar-data>`,
      ),
    )
    return void send(207, multistatus(entries))
  }
  const events = collections.get(folder)
  if (events === undefined) return void send(404)
  const present = events.events.get(path)
  if (request.method === 'GET') {
    return void (present === undefined ? send(404) : send(200, present, { etag: etagOf(present) }))
  }
  if (request.method === 'DELETE' && present === undefined) return void send(404)
  const { 'if-match': match, 'if-none-match': none } = request.headers
  if (
    (none === '*' && present !== undefined) ||
    (match !== undefined && (present === undefined || match !== etagOf(present)))
  ) {
    return void send(412)
  }
  if (request.method === 'DELETE') {
    events.events.delete(path)
  } else {
    const uid = /^UID:(.*)$/m.exec(body)?.[1] ?? ''
    const twin = [...events.events].some(([href, text]) => href !== path && text.includes(`UID:${uid}`))
    if (twin) return void send(409, '<d:error xmlns:d="DAV:"/>')
    events.events.set(path, body)
  }
  send(present === undefined ? 201 : 204)
}

const propsOf = ({ name, component, events }: Collection) =>
  `<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>${name}</d:displayname>
  <c:supported-calendar-component-set><c:comp name="${component}"/></c:supported-calendar-component-set>
  <s:getctag>${ctagOf(events)}</s:getctag>
  <d:current-user-privilege-set><d:privilege><d:all/></d:privilege></d:current-user-privilege-set>`

/** Computed from the events, as by Radicale: a calendar in which a change is undone has the ctag from before again. */
const ctagOf = (events: ReadonlyMap<string, string>) =>
  etagOf(JSON.stringify([...events].toSorted(([a], [b]) => (a < b ? -1 : 1))))

const etagOf = (text: string) => `"${createHash('sha256').update(text).digest('hex').slice(0, 16)}"`

const entryOf = (href: string, props: string) =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>
  <d:propstat><d:prop><d:sync-token/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat></d:response>`

const multistatus = (entries: readonly string[]) =>
  `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:s="http://calendarserver.org/ns/">${entries.join('')}</d:multistatus>`
