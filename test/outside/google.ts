import type { calendar_v3 } from '@googleapis/calendar'
import { type ChangeLog, createChangeLog } from './change-log.ts'
import { type GoogleChannels, googleChannels } from './google-channels.ts'
import { type GoogleEvents, googleEvents } from './google-writing.ts'
import { CLIENT, type OAuthSide, type OutsideAccount, oauthSide } from './oauth.ts'
import { type Answer, type Asked, jsonOf, type Route, type StandIn, startStandIn } from './stand-in.ts'

/** A stand-in for Google: OAuth and the Calendar API, version 3. */
export interface GoogleStandIn extends StandIn {
  readonly oauth: OAuthSide
  /** What we have written. */
  readonly written: GoogleEvents
  /** Who is told of changes. */
  readonly channels: GoogleChannels
  /** The calendar list of each account, by its subject. */
  readonly calendars: Map<string, calendar_v3.Schema$CalendarListEntry[]>
  /** The events of a calendar, with repeating ones as single instances; `timeZone` is that of all calendars. */
  eventsOf(calendarId: string): ChangeLog<calendar_v3.Schema$Event>
  timeZone: string
  /** How often a calendar was read from the beginning, and how often only its changes; pages count once. */
  readonly readings: { full: number; changes: number }
  /** The most events on a page. Every page is followed by an empty one. */
  pageSize: number
  /** As the operator would set them. */
  readonly settings: {
    readonly clientId: string
    readonly clientSecret: string
    readonly authorizeUrl: string
    readonly tokenUrl: string
    readonly revokeUrl: string
    readonly apiUrl: string
  }
}

export const ADA: OutsideAccount = { subject: '1000000000000000001', address: 'ada@gmail.example' }

const SCOPE = 'https://www.googleapis.com/auth'
/** Parameters that every method of the API takes. */
const STANDARD = ['alt', 'fields', 'key', 'prettyPrint', 'quotaUser']

/** An error as Google's JSON APIs send it. */
export const googleError = (status: number, reason: string, message = reason): Answer => ({
  status,
  body: { error: { code: status, message, errors: [{ domain: 'global', reason, message }] } },
})

/** Too many requests, as Google may also say it. */
export const RATE_LIMITED = googleError(403, 'rateLimitExceeded', 'Rate Limit Exceeded')

export async function startGoogle({ now = Date.now } = {}): Promise<GoogleStandIn> {
  const calendars: GoogleStandIn['calendars'] = new Map([
    [
      ADA.subject,
      [
        {
          kind: 'calendar#calendarListEntry',
          id: ADA.address,
          summary: ADA.address,
          primary: true,
          accessRole: 'owner',
        },
        {
          kind: 'calendar#calendarListEntry',
          id: 'team@group.example',
          summary: 'Team',
          accessRole: 'writer',
        },
        {
          kind: 'calendar#calendarListEntry',
          id: 'holidays@group.example',
          summary: 'Holidays',
          accessRole: 'reader',
        },
      ],
    ],
  ])
  const oauth = oauthSide(
    {
      authorizePath: '/o/oauth2/v2/auth',
      tokenPath: '/token',
      revokePath: '/revoke',
      secretIn: 'body',
      parameters: ['access_type', 'prompt', 'include_granted_scopes', 'login_hint'],
      rotates: false,
      claims: ({ subject, address }) => ({ sub: subject, email: address, email_verified: true }),
      isOffline: (query) => query.get('access_type') === 'offline',
      refuse: (status, error) => ({ status, body: { error, error_description: 'Bad Request' } }),
      now,
    },
    ADA,
  )

  /** A method of the API that needs one of these scopes. */
  const method = (
    verb: Route['method'],
    path: RegExp,
    query: readonly string[],
    scopes: readonly string[],
    answer: (asked: Asked, account: OutsideAccount, ...parameters: string[]) => Answer | Promise<Answer>,
  ): Route => ({
    method: verb,
    path,
    query: [...STANDARD, ...query],
    answer: (asked, ...parameters) => {
      const access = oauth.accessOf(asked)
      if (access === undefined) return googleError(401, 'authError', 'Invalid Credentials')
      if (!scopes.some((scope) => access.scopes.includes(scope))) {
        return googleError(403, 'insufficientPermissions', 'Insufficient Permission')
      }
      return answer(asked, access.account, ...parameters)
    },
  })

  const channels = googleChannels(now, googleError)
  const logs = new Map<string, ChangeLog<calendar_v3.Schema$Event>>()
  const eventsOf = (calendarId: string) => {
    const log =
      logs.get(calendarId) ?? createChangeLog<calendar_v3.Schema$Event>(() => channels.changed(calendarId))
    logs.set(calendarId, log)
    return log
  }
  const written = googleEvents(eventsOf)
  const readings = { full: 0, changes: 0 }
  const state = { timeZone: 'Europe/Berlin', pageSize: MAX_EVENTS }
  const isListed = (subject: string, calendarId: string) =>
    (calendars.get(subject) ?? []).some(({ id }) => id === calendarId)

  function listEvents({ query }: Asked, subject: string, calendarId: string): Answer {
    if (!isListed(subject, calendarId)) return googleError(404, 'notFound', 'Not Found')
    const token = query.get('syncToken')
    const filter = NOT_WITH_SYNC_TOKEN.find((name) => query.has(name))
    if (token !== null && filter !== undefined) {
      return googleError(400, 'invalid', `Sync token cannot be used with ${filter}.`)
    }
    if (query.get('singleEvents') !== 'true') return googleError(400, 'invalid', 'Not in this stand-in.')
    const log = eventsOf(calendarId)
    // A page belongs to the list that its first page began.
    const [begun, from] = (query.get('pageToken') ?? `${log.revision}:0`).split(':').map(Number) as [
      number,
      number,
    ]
    if (token !== null && !log.knows(Number(token))) {
      return googleError(410, 'fullSyncRequired', 'Sync token is no longer valid, a full sync is required.')
    }
    if (!query.has('pageToken')) readings[token === null ? 'full' : 'changes']++
    const all: calendar_v3.Schema$Event[] =
      token === null
        ? log.events.filter((event) => isWithin(event, query.get('timeMin'), query.get('timeMax')))
        : log.since(Number(token)).map(({ id, event }) => event ?? { id, status: 'cancelled' })
    const size = Math.min(Number(query.get('maxResults') ?? 250), state.pageSize)
    const isEmptyPage = from % 1 !== 0
    const next = isEmptyPage ? from + 0.5 : from + size - 0.5
    const items = isEmptyPage ? [] : all.slice(from, from + size)
    const body: calendar_v3.Schema$Events = {
      kind: 'calendar#events',
      timeZone: state.timeZone,
      items,
      ...(Math.ceil(next) < all.length
        ? { nextPageToken: `${begun}:${next}` }
        : { nextSyncToken: String(begun) }),
    }
    return { status: 200, body }
  }

  /** As Google merges and cuts it: nothing of the events but their times. Ours are busy, too. */
  function busyOf(subject: string, id: string, timeMin: string, timeMax: string) {
    if (!isListed(subject, id)) return { errors: [{ domain: 'global', reason: 'notFound' }], busy: [] }
    const others = eventsOf(id).events.filter(({ status, transparency, attendees = [] }) => {
      const declined = attendees.some(({ self, responseStatus }) => self && responseStatus === 'declined')
      return status !== 'cancelled' && transparency !== 'transparent' && !declined
    })
    return {
      busy: others
        .filter((event) => isWithin(event, timeMin, timeMax))
        .map(({ start, end }) => ({
          start: start?.dateTime ?? start?.date,
          end: end?.dateTime ?? end?.date,
        })),
    }
  }

  const routes: Route[] = [
    ...oauth.routes,
    ...written.methods.map(({ verb, path, query, answer }) =>
      method(
        verb,
        path,
        query,
        [`${SCOPE}/calendar.events`],
        (asked, { subject }, calendarId = '', id = '') => {
          const listed = (calendars.get(subject) ?? []).find((one) => one.id === calendarId)
          if (listed === undefined) return googleError(404, 'notFound', 'Not Found')
          if (verb !== 'GET' && listed.accessRole === 'reader')
            return googleError(403, 'forbidden', 'Forbidden')
          return answer(asked, calendarId, id)
        },
      ),
    ),
    method(
      'GET',
      EVENTS,
      LIST_PARAMETERS,
      [`${SCOPE}/calendar.events`],
      (asked, { subject }, calendarId = '') => listEvents(asked, subject, calendarId),
    ),
    method(
      'POST',
      /^\/calendar\/v3\/calendars\/([^/]+)\/events\/watch$/,
      ['eventTypes'],
      [`${SCOPE}/calendar.events`],
      (asked, { subject }, calendarId = '') =>
        isListed(subject, calendarId)
          ? channels.watch(asked, calendarId)
          : googleError(404, 'notFound', 'Not Found'),
    ),
    method('POST', /^\/calendar\/v3\/channels\/stop$/, [], [`${SCOPE}/calendar.events`], (asked) =>
      channels.stop(asked),
    ),
    method(
      'POST',
      /^\/calendar\/v3\/freeBusy$/,
      [],
      [`${SCOPE}/calendar.freebusy`, `${SCOPE}/calendar.readonly`, `${SCOPE}/calendar`],
      (asked, { subject }) => {
        const { timeMin, timeMax, items = [], ...others } = jsonOf<calendar_v3.Schema$FreeBusyRequest>(asked)
        const unknown = Object.keys(others).find((name) => !FREE_BUSY_FIELDS.includes(name))
        if (unknown !== undefined) return googleError(400, 'badRequest', `Unknown name "${unknown}"`)
        if (!timeMin || !timeMax) return googleError(400, 'required', 'Required')
        const body: calendar_v3.Schema$FreeBusyResponse = {
          kind: 'calendar#freeBusy',
          timeMin,
          timeMax,
          calendars: Object.fromEntries(
            items.map(({ id }) => [id, busyOf(subject, id ?? '', timeMin, timeMax)] as const),
          ),
        }
        return { status: 200, body }
      },
    ),
    method('GET', /^\/oauth2\/v2\/userinfo$/, [], ['openid'], (_asked, { subject, address }) => ({
      status: 200,
      body: { id: subject, email: address, verified_email: true },
    })),
    method(
      'GET',
      /^\/calendar\/v3\/users\/me\/calendarList$/,
      ['maxResults', 'minAccessRole', 'pageToken', 'showDeleted', 'showHidden', 'syncToken'],
      [`${SCOPE}/calendar.calendarlist.readonly`, `${SCOPE}/calendar.readonly`, `${SCOPE}/calendar`],
      ({ query }, { subject }) => {
        const all = calendars.get(subject) ?? []
        const from = Number(query.get('pageToken') ?? 0)
        const size = Math.min(Number(query.get('maxResults') ?? 100), MAX_PAGE)
        const next = from + size < all.length ? { nextPageToken: String(from + size) } : {}
        const body: calendar_v3.Schema$CalendarList = {
          kind: 'calendar#calendarList',
          items: all.slice(from, from + size),
          ...next,
        }
        return { status: 200, body }
      },
    ),
  ]
  const server = await startStandIn({ routes: () => routes, refuse: googleError })
  const { url } = server
  return {
    ...server,
    oauth,
    calendars,
    written,
    channels,
    eventsOf,
    readings,
    get timeZone() {
      return state.timeZone
    },
    set timeZone(zone) {
      state.timeZone = zone
    },
    get pageSize() {
      return state.pageSize
    },
    set pageSize(size) {
      state.pageSize = size
    },
    settings: {
      ...CLIENT,
      authorizeUrl: `${url}/o/oauth2/v2/auth`,
      tokenUrl: `${url}/token`,
      revokeUrl: `${url}/revoke`,
      apiUrl: url,
    },
  }
}

/** "The page size can never be larger than 250 entries." */
const MAX_PAGE = 250

/** "By default the value is 250 events. The page size can never be larger than 2500 events." */
const MAX_EVENTS = 2500

const FREE_BUSY_FIELDS = ['timeZone', 'groupExpansionMax', 'calendarExpansionMax']

const EVENTS = /^\/calendar\/v3\/calendars\/([^/]+)\/events$/

const NOT_WITH_SYNC_TOKEN = [
  'iCalUID',
  'orderBy',
  'privateExtendedProperty',
  'q',
  'sharedExtendedProperty',
  'timeMin',
  'timeMax',
  'updatedMin',
]

const LIST_PARAMETERS = [
  ...NOT_WITH_SYNC_TOKEN,
  'alwaysIncludeEmail',
  'eventTypes',
  'maxAttendees',
  'maxResults',
  'pageToken',
  'showDeleted',
  'showHiddenInvitations',
  'singleEvents',
  'syncToken',
  'timeZone',
]

/** `timeMin` is a bound for the end of an event, `timeMax` for its start; both are exclusive. */
function isWithin({ start, end }: calendar_v3.Schema$Event, from: string | null, to: string | null): boolean {
  const at = (time?: calendar_v3.Schema$EventDateTime) => Date.parse(time?.dateTime ?? time?.date ?? '')
  return (from === null || at(end) > Date.parse(from)) && (to === null || at(start) < Date.parse(to))
}
