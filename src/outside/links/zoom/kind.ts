import { MINUTE } from '../../../domain/interval.ts'
import { readClient, text, variable, webAddress } from '../../../format/setting.ts'
import type { Kind } from '../../kinds/kind.ts'
import { createMeeting, deleteMeeting, findMeeting, updateMeeting } from './meetings.ts'
import { type ZoomSettings, zoomProvider } from './zoom.ts'

const VARIABLES = {
  zoomClientId: variable(
    'ZOOM_CLIENT_ID',
    '',
    'OAuth client for Zoom; see `docs/providers.md`. Empty: hosts can’t connect Zoom.',
    text,
  ),
  zoomClientSecret: variable('ZOOM_CLIENT_SECRET', '', 'Its secret.', text),
  zoomOauthUrl: variable(
    'ZOOM_OAUTH_URL',
    'https://zoom.us/oauth',
    'Zoom: where hosts give access, and tokens are issued and revoked.',
    webAddress,
  ),
  zoomApiUrl: variable('ZOOM_API_URL', 'https://api.zoom.us/v2', 'Zoom: its API.', webAddress),
}

/** Zoom meetings. */
export const zoom = {
  name: 'zoom',
  title: 'Zoom',
  setUp: {
    variables: VARIABLES,
    read: (read) => ({
      zoom: {
        ...readClient(read, VARIABLES.zoomClientId, VARIABLES.zoomClientSecret),
        oauthUrl: read(VARIABLES.zoomOauthUrl),
        apiUrl: read(VARIABLES.zoomApiUrl),
      },
    }),
    open: (settings) => (settings.zoom.clientId === '' ? undefined : zoomProvider(settings.zoom)),
  },
  link: {
    name: 'zoom',
    title: 'Zoom',
    comes: 'from-account',
    make: createMeeting,
    change: updateMeeting,
    remove: deleteMeeting,
    find: findMeeting,
    // Zoom does not promise that its list has a new meeting at once.
    foundWithin: MINUTE,
  },
} as const satisfies Kind<{ readonly zoom: ZoomSettings }>
