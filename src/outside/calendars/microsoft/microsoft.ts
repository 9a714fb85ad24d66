import {
  type Access,
  type AccountProvider,
  askProvider,
  incomprehensible,
  objectOf,
} from '../../accounts/provider.ts'

export interface MicrosoftSettings {
  readonly clientId: string
  readonly clientSecret: string
  readonly tenant: string
  readonly loginUrl: string
  readonly graphUrl: string
}

const TITLE = 'Microsoft'

/** A meeting on Teams needs no scope of its own: the event that asks for it is one of the calendar's. */
const GRAPH_SCOPES = ['User.Read', 'Calendars.ReadWrite']

/** Outlook and Microsoft 365 by Graph, for the client that the operator has registered. */
export function microsoftProvider(settings: MicrosoftSettings): AccountProvider {
  const { clientId, clientSecret, tenant, loginUrl, graphUrl } = settings
  const endpoint = `${loginUrl}/${tenant}/oauth2/v2.0`
  return {
    oauth: {
      title: TITLE,
      clientId,
      clientSecret,
      authorizeUrl: `${endpoint}/authorize`,
      tokenUrl: `${endpoint}/token`,
      // Microsoft has none for a single client: the host removes us at myaccount.microsoft.com.
      revokeUrl: '',
      scopes: ['openid', 'email', 'offline_access', ...GRAPH_SCOPES],
      requiredScopes: GRAPH_SCOPES.map((scope) => [scope]),
      authorizeParameters: { response_mode: 'query', prompt: 'select_account' },
      secretIn: 'body',
    },
    apiUrl: graphUrl,
    findAccount: async (access) => {
      const url = `${graphUrl}/me?$select=id,mail,userPrincipalName`
      const { id, mail, userPrincipalName } = objectOf(await get(url, access))
      // Personal accounts may have no mailbox address of their own.
      const address = mail ?? userPrincipalName
      if (typeof id !== 'string' || typeof address !== 'string') throw incomprehensible(TITLE)
      return { subject: id, address }
    },
    findCalendars: (access) => findCalendars(graphUrl, access),
  }
}

const get = (url: string, access: Access) => askProvider({ title: TITLE, url, access })

const MAX_PAGES = 40

async function findCalendars(graphUrl: string, access: Access) {
  let url = `${graphUrl}/me/calendars?$select=id,name,canEdit,isDefaultCalendar&$top=100`
  const found = []
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = objectOf(await get(url, access))
    if (!Array.isArray(answer.value)) throw incomprehensible(TITLE)
    found.push(...answer.value.map(objectOf))
    const next = answer['@odata.nextLink']
    if (typeof next !== 'string') break
    url = nextLink(graphUrl, next)
  }
  return found
    .filter(({ id }) => typeof id === 'string')
    .map((entry) => ({
      externalId: String(entry.id),
      name: String(entry.name ?? entry.id),
      primary: entry.isDefaultCalendar === true,
      writable: entry.canEdit === true,
    }))
}

/** A link in an answer, if it leads to Graph itself: the token must not go elsewhere. */
export function nextLink(graphUrl: string, link: string): string {
  if (URL.parse(link)?.origin !== new URL(graphUrl).origin) throw incomprehensible(TITLE)
  return link
}
