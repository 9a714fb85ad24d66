import { type AccountProvider, askProvider, incomprehensible, objectOf } from '../../accounts/provider.ts'

export interface ZoomSettings {
  readonly clientId: string
  readonly clientSecret: string
  readonly oauthUrl: string
  readonly apiUrl: string
}

const TITLE = 'Zoom'

/** Zoom's app registration lists the scopes, so hosts are not asked for them. Older apps have the wider names. */
const REQUIRED_SCOPES = [
  ...['meeting:write:meeting', 'meeting:update:meeting', 'meeting:delete:meeting'].map((scope) => [
    scope,
    'meeting:write',
  ]),
  // Finds a meeting whose creation was never answered.
  ['meeting:read:list_meetings', 'meeting:read'],
]

/** Zoom meetings, for the client that the operator has registered. */
export function zoomProvider({ clientId, clientSecret, oauthUrl, apiUrl }: ZoomSettings): AccountProvider {
  return {
    oauth: {
      title: TITLE,
      clientId,
      clientSecret,
      authorizeUrl: `${oauthUrl}/authorize`,
      tokenUrl: `${oauthUrl}/token`,
      revokeUrl: `${oauthUrl}/revoke`,
      scopes: [],
      requiredScopes: REQUIRED_SCOPES,
      authorizeParameters: {},
      secretIn: 'header',
    },
    apiUrl,
    findAccount: async (access) => {
      const { id, email } = objectOf(await askProvider({ title: TITLE, url: `${apiUrl}/users/me`, access }))
      if (typeof id !== 'string' || typeof email !== 'string') throw incomprehensible(TITLE)
      return { subject: id, address: email }
    },
    findCalendars: async () => [],
  }
}
