import { CLIENT, type OAuthSide, type OutsideAccount, oauthSide } from './oauth.ts'
import { createPushes, type Pushes } from './pushes.ts'
import { type Answer, type Asked, jsonOf, type Route, type StandIn, startStandIn } from './stand-in.ts'

/** An event as Orbit keeps it. */
export interface OrbitEvent {
  readonly id: string
  readonly revision: number
  /** The order of changes. */
  readonly changed: number
  readonly meeting: string
  readonly title: string
  readonly from: number
  readonly to: number
  readonly room: string
  readonly gone: boolean
}

interface Watch {
  readonly id: string
  readonly calendar: string
  readonly name: string
  readonly secret: string
  readonly address: string
}

/** A stand-in for Orbit, a provider that exists in the tests alone: OAuth, calendars, rooms and notices. */
export interface OrbitStandIn extends StandIn {
  readonly oauth: OAuthSide
  readonly pushes: Pushes
  /** What the calendar has, oldest first. */
  readonly events: readonly OrbitEvent[]
  readonly watches: readonly Watch[]
  /** Adds an event, as its owner can. */
  add(id: string, from: number, to: number): void
  /** Moves an event, as its owner can. */
  move(id: string, from: number, to: number): void
  /** As the operator would set them. */
  readonly environment: Readonly<Record<string, string>>
}

export const NEIL: OutsideAccount = { subject: 'orbit-11', address: 'neil@orbit.example' }
export const ORBIT_CALENDAR = 'tranquility'

const refuse = (status: number, error: string): Answer => ({ status, body: { error } })

export async function startOrbit({ now = Date.now } = {}): Promise<OrbitStandIn> {
  const oauth = oauthSide(
    {
      authorizePath: '/authorize',
      tokenPath: '/token',
      revokePath: '/revoke',
      secretIn: 'body',
      parameters: [],
      rotates: true,
      isOffline: () => true,
      refuse,
      now,
    },
    NEIL,
  )
  const pushes = createPushes()
  let events: OrbitEvent[] = []
  let watches: Watch[] = []
  let changes = 0

  function put(event: Omit<OrbitEvent, 'changed' | 'revision'>): OrbitEvent {
    const before = events.find(({ id }) => id === event.id)
    const after = { ...event, changed: ++changes, revision: (before?.revision ?? 0) + 1 }
    events = [...events.filter(({ id }) => id !== event.id), after]
    for (const { address, name, secret } of watches) {
      const headers = { 'content-type': 'application/json' }
      pushes.send({ address, headers, body: JSON.stringify({ watch: name, secret }) })
    }
    return after
  }
  const find = (id: string) => events.find((event) => event.id === id && !event.gone)

  const allowed =
    (answer: (asked: Asked, ...parameters: string[]) => Answer): Route['answer'] =>
    (asked, ...parameters) =>
      oauth.accessOf(asked)?.scopes.includes('calendar') ? answer(asked, ...parameters) : refuse(401, 'token')
  const ofCalendar = (answer: (asked: Asked, id: string) => Answer) =>
    allowed((asked, calendar = '', id = '') =>
      calendar === ORBIT_CALENDAR ? answer(asked, id) : refuse(404, 'calendar'),
    )

  const EVENTS = /^\/calendars\/([^/]+)\/events$/
  const EVENT = /^\/calendars\/([^/]+)\/events\/([^/]+)$/
  const routes: Route[] = [
    ...oauth.routes,
    {
      method: 'GET',
      path: /^\/me$/,
      answer: (asked) => {
        const access = oauth.accessOf(asked)
        if (access === undefined) return refuse(401, 'token')
        return { status: 200, body: { id: access.account.subject, email: access.account.address } }
      },
    },
    {
      method: 'GET',
      path: /^\/calendars$/,
      answer: allowed(() => ({
        status: 200,
        body: { calendars: [{ id: ORBIT_CALENDAR, name: 'Tranquility', main: true, canWrite: true }] },
      })),
    },
    {
      method: 'GET',
      path: EVENTS,
      query: ['from', 'to', 'since', 'meeting'],
      answer: ofCalendar(({ query }) => {
        const [from, to, since] = ['from', 'to', 'since'].map((name) => Number(query.get(name)))
        const meeting = query.get('meeting')
        const there = events.filter((event) => {
          if (meeting !== null) return !event.gone && event.meeting === meeting
          if (query.has('since')) return event.changed > (since ?? 0)
          return !event.gone && event.from < (to ?? 0) && event.to > (from ?? 0)
        })
        return { status: 200, body: { events: there, cursor: String(changes) } }
      }),
    },
    {
      method: 'POST',
      path: EVENTS,
      answer: ofCalendar((asked) => {
        const { meeting = '', title = '', from, to, wantsRoom = false } = jsonOf<Body>(asked)
        if (from === undefined || to === undefined) return refuse(400, 'time')
        if (events.some((event) => !event.gone && event.meeting === meeting)) return refuse(409, 'exists')
        const id = `orbit-${changes + 1}`
        const room = wantsRoom ? `https://rooms.orbit.example/${id}` : ''
        return { status: 201, body: put({ id, meeting, title, from, to, room, gone: false }) }
      }),
    },
    {
      method: 'GET',
      path: EVENT,
      answer: ofCalendar((_, id) => {
        const event = find(id)
        return event === undefined ? refuse(404, 'event') : { status: 200, body: event }
      }),
    },
    {
      method: 'PATCH',
      path: EVENT,
      answer: ofCalendar((asked, id) => {
        const event = find(id)
        if (event === undefined) return refuse(404, 'event')
        if (asked.headers['if-match'] !== String(event.revision)) return refuse(412, 'revision')
        const { title = event.title, from = event.from, to = event.to } = jsonOf<Body>(asked)
        return { status: 200, body: put({ ...event, title, from, to }) }
      }),
    },
    {
      method: 'DELETE',
      path: EVENT,
      answer: ofCalendar((_, id) => {
        const event = find(id)
        if (event === undefined) return refuse(404, 'event')
        put({ ...event, gone: true })
        return { status: 204 }
      }),
    },
    {
      method: 'POST',
      path: /^\/watches$/,
      answer: allowed((asked) => {
        const watch = { ...jsonOf<Omit<Watch, 'id'>>(asked), id: `watch-${watches.length + 1}` }
        if (!watch.address.startsWith('https:')) return refuse(400, 'address')
        watches.push(watch)
        return { status: 201, body: { id: watch.id } }
      }),
    },
    {
      method: 'DELETE',
      path: /^\/watches\/([^/]+)$/,
      answer: allowed((_, id = '') => {
        if (!watches.some((watch) => watch.id === id)) return refuse(404, 'watch')
        watches = watches.filter((watch) => watch.id !== id)
        return { status: 204 }
      }),
    },
  ]
  const server = await startStandIn({ routes: () => routes, refuse })
  const free = { meeting: '', title: 'Busy', room: '', gone: false }
  return {
    ...server,
    oauth,
    pushes,
    get events() {
      return events.filter(({ gone }) => !gone)
    },
    get watches() {
      return watches
    },
    add: (id, from, to) => void put({ ...free, id, from, to }),
    move: (id, from, to) => {
      const event = find(id)
      if (event !== undefined) put({ ...event, from, to })
    },
    environment: {
      ORBIT_CLIENT_ID: CLIENT.clientId,
      ORBIT_CLIENT_SECRET: CLIENT.clientSecret,
      ORBIT_URL: server.url,
    },
  }
}

interface Body {
  readonly meeting?: string
  readonly title?: string
  readonly from?: number
  readonly to?: number
  readonly wantsRoom?: boolean
}
