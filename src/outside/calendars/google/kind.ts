import { merge, overlaps, without } from '../../../domain/interval.ts'
import { readClient, text, variable, webAddress } from '../../../format/setting.ts'
import type { Kind } from '../../kinds/kind.ts'
import { contentOfItems, readByCursor } from '../item-content.ts'
import { googleChannels } from './channels.ts'
import { findGoogleBusy, readGoogleEvents } from './events.ts'
import { type GoogleSettings, googleProvider } from './google.ts'
import { googleCalendar } from './writing.ts'

const VARIABLES = {
  googleClientId: variable(
    'GOOGLE_CLIENT_ID',
    '',
    'OAuth client for Google Calendar; see `docs/providers.md`. Empty: hosts can’t connect Google.',
    text,
  ),
  googleClientSecret: variable('GOOGLE_CLIENT_SECRET', '', 'Its secret.', text),
  googleAuthorizeUrl: variable(
    'GOOGLE_AUTHORIZE_URL',
    'https://accounts.google.com/o/oauth2/v2/auth',
    'Google: where hosts give access.',
    webAddress,
  ),
  googleTokenUrl: variable(
    'GOOGLE_TOKEN_URL',
    'https://oauth2.googleapis.com/token',
    'Google: where tokens are issued.',
    webAddress,
  ),
  googleRevokeUrl: variable(
    'GOOGLE_REVOKE_URL',
    'https://oauth2.googleapis.com/revoke',
    'Google: where tokens are revoked.',
    webAddress,
  ),
  googleApiUrl: variable('GOOGLE_API_URL', 'https://www.googleapis.com', 'Google: its APIs.', webAddress),
}

/** Google Calendar, whose events come with a link to Google Meet. */
export const google = {
  name: 'google',
  title: 'Google',
  setUp: {
    variables: VARIABLES,
    read: (read) => ({
      google: {
        ...readClient(read, VARIABLES.googleClientId, VARIABLES.googleClientSecret),
        authorizeUrl: read(VARIABLES.googleAuthorizeUrl),
        tokenUrl: read(VARIABLES.googleTokenUrl),
        revokeUrl: read(VARIABLES.googleRevokeUrl),
        apiUrl: read(VARIABLES.googleApiUrl),
      },
    }),
    open: (settings) => (settings.google.clientId === '' ? undefined : googleProvider(settings.google)),
  },
  calendar: {
    connect: 'account',
    read: readByCursor(readGoogleEvents),
    ask: async ({ apiUrl, access, externalId, tentative }, span) => {
      // Google's free/busy times include tentative events, and don't tell them apart.
      if (tentative === 'free') {
        const question = { externalId, tentative, cursor: '', span }
        const { items, timeZone } = await readGoogleEvents(apiUrl, access, question)
        return contentOfItems(items, timeZone)
      }
      const busy = await findGoogleBusy(apiUrl, access, { externalId, span })
      return {
        ...contentOfItems([]),
        // Google doesn't say which events these are. Meetings that we wrote there take their time by their claims.
        busyIn: ({ entries }) => ({
          busy: without(merge(busy), merge(entries)).filter((one) => overlaps(one, span)),
          own: [],
          skipped: 0,
        }),
      }
    },
    write: googleCalendar,
    watch: googleChannels,
  },
  link: { name: 'google-meet', title: 'Google Meet', comes: 'with-event' },
} as const satisfies Kind<{ readonly google: GoogleSettings }>
