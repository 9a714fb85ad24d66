import type { Calendar, Event, User } from '@microsoft/microsoft-graph-types'
import { type ChangeLog, createChangeLog } from './change-log.ts'
import { type GraphSubscriptions, graphSubscriptions } from './microsoft-subscriptions.ts'
import { type GraphEvents, graphEvents } from './microsoft-writing.ts'
import { CLIENT, type OAuthSide, type OutsideAccount, oauthSide } from './oauth.ts'
import { type Answer, type Asked, type Route, type StandIn, startStandIn } from './stand-in.ts'

/** A stand-in for Microsoft: the identity platform's OAuth, and Graph. */
export interface MicrosoftStandIn extends StandIn {
  readonly oauth: OAuthSide
  /** What we have written. */
  readonly written: GraphEvents
  /** Who is told of changes. */
  readonly subscriptions: GraphSubscriptions
  /** The calendars of each account, by its subject. */
  readonly calendars: Map<string, Calendar[]>
  /** The events of a calendar: single ones, repeating ones, and each occurrence of these. */
  eventsOf(calendarId: string): ChangeLog<Event>
  /** How often a calendar was read from the beginning, and how often only its changes; pages count once. */
  readonly readings: { full: number; changes: number }
  /** The most events on a page. Every page is followed by an empty one. */
  pageSize: number
  /** As the operator would set them. */
  readonly settings: {
    readonly clientId: string
    readonly clientSecret: string
    readonly tenant: string
    readonly loginUrl: string
    readonly graphUrl: string
  }
}

export const GRACE: OutsideAccount = {
  subject: '87d349ed-44d7-43e1-9a83-5f2406dee5bd',
  address: 'grace@outlook.example',
}

/** An error as Graph sends it. */
export const graphError = (status: number, code: string, message = code): Answer => ({
  status,
  body: { error: { code, message, innerError: { 'request-id': 'b0d4a4f2', date: '2027-01-11T12:00:00' } } },
})

export async function startMicrosoft({ now = Date.now } = {}): Promise<MicrosoftStandIn> {
  const calendars: MicrosoftStandIn['calendars'] = new Map([
    [
      GRACE.subject,
      [
        { id: 'AAMkAGI2-calendar=', name: 'Calendar', isDefaultCalendar: true, canEdit: true },
        { id: 'AAMkAGI2-birthdays=', name: 'Birthdays', isDefaultCalendar: false, canEdit: false },
      ],
    ],
  ])
  const oauth = oauthSide(
    {
      authorizePath: '/common/oauth2/v2.0/authorize',
      tokenPath: '/common/oauth2/v2.0/token',
      secretIn: 'body',
      parameters: ['response_mode', 'prompt', 'login_hint', 'domain_hint'],
      rotates: true,
      isOffline: (_query, scopes) => scopes.includes('offline_access'),
      refuse: (status, error) => ({
        status,
        body: { error, error_description: `AADSTS70000: ${error}.`, error_codes: [70000] },
      }),
      now,
    },
    GRACE,
  )

  /** A request to Graph that needs this scope. */
  const method = (
    verb: Route['method'],
    path: RegExp,
    query: readonly string[],
    scope: string,
    answer: (asked: Asked, account: OutsideAccount, ...parameters: string[]) => Answer | Promise<Answer>,
  ): Route => ({
    method: verb,
    path,
    query,
    answer: (asked, ...parameters) => {
      const access = oauth.accessOf(asked)
      if (access === undefined) return graphError(401, 'InvalidAuthenticationToken')
      if (!access.scopes.includes(scope)) return graphError(403, 'ErrorAccessDenied')
      return answer(asked, access.account, ...parameters)
    },
  })

  const subscriptions = graphSubscriptions(now, graphError)
  const logs = new Map<string, ChangeLog<Event>>()
  const eventsOf = (calendarId: string) => {
    const log = logs.get(calendarId) ?? createChangeLog<Event>(() => subscriptions.changed(calendarId))
    logs.set(calendarId, log)
    return log
  }
  const written = graphEvents(eventsOf)
  const readings = { full: 0, changes: 0 }
  const state = { pageSize: Number.POSITIVE_INFINITY }

  const isListed = (subject: string, calendarId: string) =>
    (calendars.get(subject) ?? []).some(({ id }) => id === calendarId)

  function delta(url: string, { query, headers }: Asked, subject: string, calendarId: string): Answer {
    if (!isListed(subject, calendarId)) return graphError(404, 'ErrorItemNotFound')
    if (!String(headers.prefer).includes('outlook.timezone="UTC"')) {
      return graphError(400, 'ErrorInvalidRequest', 'This stand-in speaks UTC alone.')
    }
    const log = eventsOf(calendarId)
    const token = query.get('$deltatoken') ?? query.get('$skiptoken')
    if (token !== null && query.size > 1) return graphError(400, 'ErrorInvalidUrlQuery')
    // Tokens hold the range of the first request, and where its list goes on.
    const [start, end, since, begun, from] = (
      token ??
      [query.get('startDateTime'), query.get('endDateTime')].map((time) => Date.parse(time ?? '')).join('|') +
        `|-1|${log.revision}|0`
    )
      .split('|')
      .map(Number) as [number, number, number, number, number]
    if (Number.isNaN(start) || Number.isNaN(end)) return graphError(400, 'ErrorInvalidParameter')
    if (since >= 0 && !log.knows(since)) return graphError(410, 'syncStateNotFound')
    if (!query.has('$skiptoken')) readings[since < 0 ? 'full' : 'changes']++
    const within = (event: Event) => {
      const at = (time: Event['start']) => Date.parse(`${time?.dateTime}Z`)
      return event.type === 'seriesMaster' || (at(event.end) > start && at(event.start) < end)
    }
    const gone = (id: string) => ({ id, '@removed': { reason: 'deleted' } })
    const all =
      since < 0
        ? log.events.filter(within)
        : log.since(since).map(({ id, event }) => (event !== undefined && within(event) ? event : gone(id)))
    const wanted = Number(/odata\.maxpagesize=(\d+)/.exec(String(headers.prefer))?.[1] ?? 10)
    const size = Math.min(wanted, state.pageSize)
    const isEmptyPage = from % 1 !== 0
    const next = isEmptyPage ? from + 0.5 : from + size - 0.5
    const link = `${url}/v1.0/me/calendars/${encodeURIComponent(calendarId)}/calendarView/delta`
    const tokenOf = (...parts: number[]) => encodeURIComponent([start, end, ...parts].join('|'))
    const body = {
      value: isEmptyPage ? [] : all.slice(from, from + size),
      ...(Math.ceil(next) < all.length
        ? { '@odata.nextLink': `${link}?$skiptoken=${tokenOf(since, begun, next)}` }
        : { '@odata.deltaLink': `${link}?$deltatoken=${tokenOf(begun, begun, 0)}` }),
    }
    return { status: 200, body }
  }

  const routes = (url: string): Route[] => [
    ...oauth.routes,
    ...written.methods.map(({ verb, path, query, answer }) =>
      method(verb, path, query, 'Calendars.ReadWrite', (asked, { subject }, id = '') => {
        const isOfCalendar = path.source.includes('calendars')
        if (isOfCalendar && !isListed(subject, id)) return graphError(404, 'ErrorItemNotFound')
        return answer(asked, id)
      }),
    ),
    method(
      'GET',
      /^\/v1\.0\/me\/calendars\/([^/]+)\/calendarView\/delta$/,
      ['startDateTime', 'endDateTime', '$deltatoken', '$skiptoken'],
      'Calendars.ReadWrite',
      (asked, { subject }, calendarId = '') => delta(url, asked, subject, calendarId),
    ),
    method(
      'GET',
      /^\/v1\.0\/me\/calendars\/([^/]+)\/calendarView$/,
      ['startDateTime', 'endDateTime', '$select', '$top', '$skip', '$orderby', '$filter'],
      'Calendars.ReadWrite',
      ({ query, headers }, { subject }, calendarId = '') => {
        if (!isListed(subject, calendarId)) return graphError(404, 'ErrorItemNotFound')
        if (!String(headers.prefer).includes('outlook.timezone="UTC"')) {
          return graphError(400, 'ErrorInvalidRequest', 'This stand-in speaks UTC alone.')
        }
        const [start, end] = ['startDateTime', 'endDateTime'].map((name) =>
          Date.parse(query.get(name) ?? ''),
        ) as [number, number]
        if (Number.isNaN(start) || Number.isNaN(end)) return graphError(400, 'ErrorInvalidParameter')
        const at = (time: Event['start']) => Date.parse(`${time?.dateTime}Z`)
        const value = eventsOf(calendarId).events.filter(
          (event) => event.type !== 'seriesMaster' && at(event.end) > start && at(event.start) < end,
        )
        return { status: 200, body: { value } }
      },
    ),
    method('POST', /^\/v1\.0\/subscriptions$/, [], 'Calendars.ReadWrite', (asked, { subject }) =>
      subscriptions.create(asked, subject, (calendarId) => isListed(subject, calendarId)),
    ),
    method(
      'PATCH',
      /^\/v1\.0\/subscriptions\/([^/]+)$/,
      [],
      'Calendars.ReadWrite',
      (asked, { subject }, id = '') => subscriptions.renew(asked, subject, id),
    ),
    method(
      'DELETE',
      /^\/v1\.0\/subscriptions\/([^/]+)$/,
      [],
      'Calendars.ReadWrite',
      (_asked, { subject }, id = '') => subscriptions.remove(subject, id),
    ),
    method('GET', /^\/v1\.0\/me$/, ['$select'], 'User.Read', (_asked, { subject, address }) => {
      const body: User = { id: subject, mail: address, userPrincipalName: address }
      return { status: 200, body }
    }),
    method(
      'GET',
      /^\/v1\.0\/me\/calendars$/,
      ['$select', '$top', '$skip', '$filter', '$orderby'],
      'Calendars.ReadWrite',
      ({ query }, { subject }) => {
        const all = calendars.get(subject) ?? []
        const from = Number(query.get('$skip') ?? 0)
        const size = Number(query.get('$top') ?? 10)
        const next = new URLSearchParams([...query, ['$skip', String(from + size)]])
        const more = from + size < all.length && { '@odata.nextLink': `${url}/v1.0/me/calendars?${next}` }
        return { status: 200, body: { value: all.slice(from, from + size), ...more } }
      },
    ),
  ]
  const server = await startStandIn({ routes, refuse: graphError })
  const { url } = server
  return {
    ...server,
    oauth,
    calendars,
    written,
    subscriptions,
    eventsOf,
    readings,
    get pageSize() {
      return state.pageSize
    },
    set pageSize(size) {
      state.pageSize = size
    },
    settings: { ...CLIENT, tenant: 'common', loginUrl: url, graphUrl: `${url}/v1.0` },
  }
}
