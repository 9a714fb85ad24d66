import { CLIENT, type OAuthSide, type OutsideAccount, oauthSide } from './oauth.ts'
import { type Answer, type Asked, jsonOf, type Route, type StandIn, startStandIn } from './stand-in.ts'

/** A stand-in for Zoom: OAuth, and the API, version 2. */
export interface ZoomStandIn extends StandIn {
  readonly oauth: OAuthSide
  /** The meetings that there are, oldest first. */
  readonly meetings: readonly OutsideMeeting[]
  /** Milliseconds until a new meeting is in the list. */
  listLag: number
  /** Deletes all meetings, as their host can. */
  deleteMeetings(): void
  /** As the operator would set them. */
  readonly settings: {
    readonly clientId: string
    readonly clientSecret: string
    readonly oauthUrl: string
    readonly apiUrl: string
  }
}

/** A meeting as Zoom keeps it. */
export interface OutsideMeeting {
  readonly id: number
  readonly hostId: string
  readonly topic: string
  readonly agenda: string
  readonly start_time: string
  readonly duration: number
  readonly timezone: string
  readonly createdAt: number
}

type MeetingBody = Partial<Omit<OutsideMeeting, 'id' | 'hostId' | 'createdAt'>> & { readonly type?: number }

/** The fields that we send, by the documentation of a scheduled meeting. */
const FIELDS = ['type', 'topic', 'agenda', 'start_time', 'duration', 'timezone']

/** Why Zoom would refuse such a meeting; undefined if it would not. */
function objectionTo(body: MeetingBody): string | undefined {
  const unknown = Object.keys(body).find((name) => !FIELDS.includes(name))
  if (unknown !== undefined) return `Unknown field: ${unknown}`
  if (body.type !== undefined && body.type !== 2) return 'Only scheduled meetings have a time.'
  if ((body.topic ?? '').length > 200) return 'topic: at most 200 characters'
  if ((body.agenda ?? '').length > 2000) return 'agenda: at most 2000 characters'
  const { start_time: start = '', duration = 0 } = body
  if (start !== '' && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(start))
    return 'start_time: yyyy-MM-ddTHH:mm:ssZ'
  return Number.isInteger(duration) ? undefined : 'duration: whole minutes'
}

export const ALAN: OutsideAccount = { subject: 'z8yAAAAA8bbbQ', address: 'alan@zoom.example' }

/** The scopes of the registered app, as `docs/providers.md` tells operators to choose them. */
const SCOPES = [
  'user:read:user',
  'meeting:write:meeting',
  'meeting:update:meeting',
  'meeting:delete:meeting',
  'meeting:read:list_meetings',
]

/** An error as Zoom's API sends it. */
export const zoomError = (status: number, message: string, code = status): Answer => ({
  status,
  body: { code, message },
})

export async function startZoom({ now = Date.now } = {}): Promise<ZoomStandIn> {
  const oauth = oauthSide(
    {
      authorizePath: '/oauth/authorize',
      tokenPath: '/oauth/token',
      revokePath: '/oauth/revoke',
      secretIn: 'header',
      parameters: [],
      rotates: true,
      registeredScopes: SCOPES,
      isOffline: () => true,
      refuse: (status, error) => ({
        status,
        body: { reason: error === 'invalid_grant' ? 'Invalid Token!' : 'Bad Request', error },
      }),
      now,
    },
    ALAN,
  )
  const routes: Route[] = [
    ...oauth.routes,
    {
      method: 'GET',
      path: /^\/v2\/users\/me$/,
      answer: (asked) => {
        const access = oauth.accessOf(asked)
        if (access === undefined) return zoomError(401, 'Invalid access token.', 124)
        const { subject, address } = access.account
        return { status: 200, body: { id: subject, email: address, type: 2, status: 'active' } }
      },
    },
  ]
  let meetings: OutsideMeeting[] = []
  const state = { listLag: 0 }
  let lastId = 85_746_065_432

  /** Answers if the token has this scope. */
  const allowed = (asked: Asked, scope: string, answer: (hostId: string) => Answer): Answer => {
    const access = oauth.accessOf(asked)
    if (access === undefined) return zoomError(401, 'Invalid access token.', 124)
    if (!access.scopes.includes(scope)) return zoomError(400, `Invalid access token, needs ${scope}.`, 4711)
    return answer(access.account.subject)
  }
  const view = ({ hostId, createdAt, ...meeting }: OutsideMeeting) => ({
    ...meeting,
    type: 2,
    host_id: hostId,
    join_url: `https://zoom.example/j/${meeting.id}?pwd=secret`,
  })
  const own = (hostId: string, id: string) =>
    meetings.find((one) => one.hostId === hostId && String(one.id) === id)
  const missing = zoomError(404, 'Meeting does not exist.', 3001)
  routes.push(
    {
      method: 'POST',
      path: /^\/v2\/users\/me\/meetings$/,
      answer: (asked) =>
        allowed(asked, 'meeting:write:meeting', (hostId) => {
          const body = jsonOf<MeetingBody>(asked)
          const objection = objectionTo(body)
          if (objection !== undefined) return zoomError(400, objection, 300)
          const { topic = '', agenda = '', start_time = '', duration = 60, timezone = 'UTC' } = body
          const meeting = {
            id: ++lastId,
            hostId,
            topic,
            agenda,
            start_time,
            duration,
            timezone,
            createdAt: now(),
          }
          meetings.push(meeting)
          return { status: 201, body: { ...view(meeting), start_url: 'https://zoom.example/s/host-only' } }
        }),
    },
    {
      method: 'GET',
      path: /^\/v2\/users\/me\/meetings$/,
      query: ['type', 'page_size', 'next_page_token'],
      answer: (asked) =>
        allowed(asked, 'meeting:read:list_meetings', (hostId) => {
          if (Number(asked.query.get('page_size') ?? 30) > 300)
            return zoomError(400, 'page_size: at most 300', 300)
          // One a page: whoever reads only the first misses the others.
          const from = Number(asked.query.get('next_page_token') || 0)
          const all = meetings.filter(
            (one) => one.hostId === hostId && one.createdAt + state.listLag <= now(),
          )
          const page = all.slice(from, from + 1).map((one) => {
            return { ...view(one), agenda: one.agenda.slice(0, 250) }
          })
          const next = from + 1 < all.length ? String(from + 1) : ''
          return { status: 200, body: { page_size: 1, next_page_token: next, meetings: page } }
        }),
    },
    {
      method: 'PATCH',
      path: /^\/v2\/meetings\/(\d+)$/,
      answer: (asked, id = '') =>
        allowed(asked, 'meeting:update:meeting', (hostId) => {
          const body = jsonOf<MeetingBody>(asked)
          const objection = objectionTo(body)
          if (objection !== undefined) return zoomError(400, objection, 300)
          const found = own(hostId, id)
          if (found === undefined) return missing
          const { type, ...changes } = body
          meetings = meetings.map((one) => (one === found ? { ...one, ...changes } : one))
          return { status: 204 }
        }),
    },
    {
      method: 'DELETE',
      path: /^\/v2\/meetings\/(\d+)$/,
      query: ['schedule_for_reminder', 'cancel_meeting_reminder'],
      answer: (asked, id = '') =>
        allowed(asked, 'meeting:delete:meeting', (hostId) => {
          const found = own(hostId, id)
          if (found === undefined) return missing
          meetings = meetings.filter((one) => one !== found)
          return { status: 204 }
        }),
    },
  )
  const server = await startStandIn({
    routes: () => routes,
    refuse: (status, reason) => zoomError(status, reason),
  })
  return {
    ...server,
    oauth,
    get meetings() {
      return meetings
    },
    get listLag() {
      return state.listLag
    },
    set listLag(milliseconds) {
      state.listLag = milliseconds
    },
    deleteMeetings: () => {
      meetings = []
    },
    settings: { ...CLIENT, oauthUrl: `${server.url}/oauth`, apiUrl: `${server.url}/v2` },
  }
}
