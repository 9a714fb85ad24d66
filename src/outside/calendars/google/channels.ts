import { DAY } from '../../../domain/interval.ts'
import { askProvider, incomprehensible, objectOf } from '../../accounts/provider.ts'
import { NOT_FOUND, unless } from '../../kinds/event-calendar.ts'
import type { ChannelProtocol } from '../../kinds/event-channel.ts'

/** Google's channels last a week unless one asks for less, and can't be renewed: another one follows. */
export const googleChannels: ChannelProtocol = {
  open: async (apiUrl, access, { externalId, channelId, token, address, now }) => {
    const url = `${apiUrl}/calendar/v3/calendars/${encodeURIComponent(externalId)}/events/watch`
    const expiration = String(now + 7 * DAY)
    const body = { id: channelId, type: 'web_hook', address, token, expiration }
    const answer = objectOf(await askProvider({ title: 'Google', method: 'POST', url, access, body }))
    const expiresAt = Number(answer.expiration ?? expiration)
    if (typeof answer.resourceId !== 'string' || !Number.isFinite(expiresAt)) throw incomprehensible('Google')
    return { resourceId: answer.resourceId, expiresAt }
  },
  extend: async () => undefined,
  close: async (apiUrl, access, { channelId, resourceId }) => {
    const url = `${apiUrl}/calendar/v3/channels/stop`
    const body = { id: channelId, resourceId }
    await unless(NOT_FOUND, askProvider({ title: 'Google', method: 'POST', url, access, body }))
  },
  // Everything that Google says about a channel is in the headers.
  receive: ({ headers }) => {
    const header = (name: string) => String(headers[name] ?? '')
    const what = header('x-goog-resource-state') === 'sync' ? 'opened' : 'changed'
    return [{ channelId: header('x-goog-channel-id'), token: header('x-goog-channel-token'), what }]
  },
}
