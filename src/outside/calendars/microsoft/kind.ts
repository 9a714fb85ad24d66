import { readClient, SettingsError, text, variable, webAddress } from '../../../format/setting.ts'
import type { Kind } from '../../kinds/kind.ts'
import { contentOfItems, readByCursor } from '../item-content.ts'
import { microsoftChannels } from './channels.ts'
import { findMicrosoftEvents, readMicrosoftEvents } from './events.ts'
import { type MicrosoftSettings, microsoftProvider } from './microsoft.ts'
import { microsoftCalendar } from './writing.ts'

const VARIABLES = {
  microsoftClientId: variable(
    'MICROSOFT_CLIENT_ID',
    '',
    'OAuth client for Outlook and Microsoft 365; see `docs/providers.md`. Empty: hosts can’t connect Microsoft.',
    text,
  ),
  microsoftClientSecret: variable('MICROSOFT_CLIENT_SECRET', '', 'Its secret.', text),
  microsoftTenant: variable(
    'MICROSOFT_TENANT',
    'common',
    'Who may connect: `common` (everyone), `organizations`, `consumers`, or one tenant’s id or domain.',
    tenant,
  ),
  microsoftLoginUrl: variable(
    'MICROSOFT_LOGIN_URL',
    'https://login.microsoftonline.com',
    'Microsoft: where hosts give access and tokens are issued.',
    webAddress,
  ),
  microsoftGraphUrl: variable(
    'MICROSOFT_GRAPH_URL',
    'https://graph.microsoft.com/v1.0',
    'Microsoft Graph.',
    webAddress,
  ),
}

function tenant(value: string): string {
  if (!/^[\w-]+(?:\.[\w-]+)*$/.test(value)) {
    throw new SettingsError('must be common, organizations, consumers, a tenant id or its domain')
  }
  return value
}

/** Outlook and Microsoft 365, whose events come with a link to Teams. */
export const microsoft = {
  name: 'microsoft',
  title: 'Microsoft',
  setUp: {
    variables: VARIABLES,
    read: (read) => ({
      microsoft: {
        ...readClient(read, VARIABLES.microsoftClientId, VARIABLES.microsoftClientSecret),
        tenant: read(VARIABLES.microsoftTenant),
        loginUrl: read(VARIABLES.microsoftLoginUrl),
        graphUrl: read(VARIABLES.microsoftGraphUrl),
      },
    }),
    open: (settings) =>
      settings.microsoft.clientId === '' ? undefined : microsoftProvider(settings.microsoft),
  },
  calendar: {
    connect: 'account',
    read: readByCursor(readMicrosoftEvents),
    ask: async ({ apiUrl, access, externalId, tentative }, span) =>
      contentOfItems(await findMicrosoftEvents(apiUrl, access, { externalId, tentative, span })),
    write: microsoftCalendar,
    watch: microsoftChannels,
  },
  link: { name: 'microsoft-teams', title: 'Microsoft Teams', comes: 'with-event' },
} as const satisfies Kind<{ readonly microsoft: MicrosoftSettings }>
