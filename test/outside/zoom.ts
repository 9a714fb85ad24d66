import { CLIENT, type OAuthSide, type OutsideAccount, oauthSide } from './oauth.ts'
import { type Answer, type Route, type StandIn, startStandIn } from './stand-in.ts'

/** A stand-in for Zoom: OAuth, and the API, version 2. */
export interface ZoomStandIn extends StandIn {
  readonly oauth: OAuthSide
  /** As the operator would set them. */
  readonly settings: {
    readonly clientId: string
    readonly clientSecret: string
    readonly oauthUrl: string
    readonly apiUrl: string
  }
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
  const server = await startStandIn({
    routes: () => routes,
    refuse: (status, reason) => zoomError(status, reason),
  })
  return {
    ...server,
    oauth,
    settings: { ...CLIENT, oauthUrl: `${server.url}/oauth`, apiUrl: `${server.url}/v2` },
  }
}
