import { claimsOf } from '../../accounts/oauth.ts'
import {
  type Access,
  type AccountProvider,
  askProvider,
  incomprehensible,
  objectOf,
  ProviderFailure,
} from '../../accounts/provider.ts'

export interface GoogleSettings {
  readonly clientId: string
  readonly clientSecret: string
  readonly authorizeUrl: string
  readonly tokenUrl: string
  readonly revokeUrl: string
  readonly apiUrl: string
}

const TITLE = 'Google'
const SCOPE = 'https://www.googleapis.com/auth'

/** Never the full `calendar` scope, which could also share and delete calendars. */
const CALENDAR_SCOPES = [
  // Events of all calendars of the account, shared ones included: read, add, change.
  `${SCOPE}/calendar.events`,
  `${SCOPE}/calendar.calendarlist.readonly`,
  `${SCOPE}/calendar.freebusy`,
]

/** Accounts that come from another service may have given the wider ones, which include ours. */
const REQUIRED_SCOPES = CALENDAR_SCOPES.map((scope) =>
  scope.endsWith('.events')
    ? [scope, `${SCOPE}/calendar`]
    : [scope, `${SCOPE}/calendar.readonly`, `${SCOPE}/calendar`],
)

/** Google Calendar, for the client that the operator has registered. */
export function googleProvider(settings: GoogleSettings): AccountProvider {
  const { apiUrl, ...client } = settings
  return {
    oauth: {
      ...client,
      title: TITLE,
      scopes: ['openid', 'email', ...CALENDAR_SCOPES],
      requiredScopes: REQUIRED_SCOPES,
      // Without a new consent, an account that was connected before gets no refresh token.
      authorizeParameters: { access_type: 'offline', prompt: 'consent select_account' },
      secretIn: 'body',
    },
    apiUrl,
    findAccount: async (access, idToken) => {
      const claims = claimsOf(idToken)
      const said = claims.email === undefined ? await findPerson(apiUrl, access) : claims
      const { sub, id, email } = objectOf(said)
      const subject = sub ?? id
      if (typeof subject !== 'string' || typeof email !== 'string') throw incomprehensible(TITLE)
      return { subject, address: email }
    },
    findCalendars: (access) => findCalendars(apiUrl, access),
  }
}

/** Who gave access to their calendars alone is known by the primary one, whose id is the account's address. */
async function findPerson(apiUrl: string, access: Access): Promise<unknown> {
  const said = await get(`${apiUrl}/oauth2/v2/userinfo`, access).catch((error) => {
    const isKept = error instanceof ProviderFailure && ['refused', 'unauthorized'].includes(error.code)
    if (!isKept) throw error
    return {}
  })
  const { id, email } = objectOf(said)
  if (email !== undefined) return said
  const primary = (await findCalendars(apiUrl, access)).find((calendar) => calendar.primary)
  return { id: id ?? primary?.externalId, email: primary?.externalId }
}

const get = (url: string | URL, access: Access) => askProvider({ title: TITLE, url, access })

/** 250 calendars a page: more than any account may have. */
const MAX_PAGES = 40

async function findCalendars(apiUrl: string, access: Access) {
  const url = new URL(`${apiUrl}/calendar/v3/users/me/calendarList`)
  url.searchParams.set('maxResults', '250')
  const found = []
  for (let page = 0; page < MAX_PAGES; page++) {
    const { items, nextPageToken } = objectOf(await get(url, access))
    if (!Array.isArray(items)) throw incomprehensible(TITLE)
    found.push(...items.map(objectOf))
    if (typeof nextPageToken !== 'string') break
    url.searchParams.set('pageToken', nextPageToken)
  }
  return found
    .filter(({ id, deleted }) => typeof id === 'string' && deleted !== true)
    .map((entry) => ({
      externalId: String(entry.id),
      name: String(entry.summaryOverride ?? entry.summary ?? entry.id),
      primary: entry.primary === true,
      writable: WRITABLE.includes(String(entry.accessRole)),
    }))
}

const WRITABLE = ['owner', 'writer', 'writerWithoutPrivateAccess']
