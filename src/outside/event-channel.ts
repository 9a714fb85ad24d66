import { NOT_FOUND, unless } from './event-calendar.ts'
import { type Access, askProvider, incomprehensible, objectOf } from './provider.ts'

/** What a provider needs to tell us that a calendar has changed. */
export interface WantedChannel {
  readonly externalId: string
  readonly channelId: string
  /** Sent back with every notice, so that we know whom it is from. */
  readonly token: string
  /** Where notices go. */
  readonly address: string
  readonly now: number
}

/** A channel as the provider has it. */
export interface ProviderChannel {
  readonly resourceId: string
  readonly expiresAt: number
}

/** How one provider tells of changes. */
export interface ChannelProtocol {
  open(apiUrl: string, access: Access, wanted: WantedChannel): Promise<ProviderChannel>
  /** Puts off a channel's end. Undefined: the provider can't, or the channel is gone. */
  extend(
    apiUrl: string,
    access: Access,
    resourceId: string,
    now: number,
  ): Promise<ProviderChannel | undefined>
  /** Ends a channel. It may be gone already. */
  close(
    apiUrl: string,
    access: Access,
    channel: { readonly channelId: string; readonly resourceId: string },
  ): Promise<void>
}

const [MINUTE, DAY] = [60_000, 86_400_000]

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
}

/** Less than 4,230 minutes, the shortest maximum that Microsoft has documented for calendars. */
const LASTS = 4200 * MINUTE

/**
 * Graph's subscriptions. Their secret begins with our id of the channel: Graph chooses its own, and may send notices
 * before it has told us.
 */
export const microsoftChannels: ChannelProtocol = {
  open: async (apiUrl, access, { externalId, channelId, token, address, now }) => {
    const body = {
      changeType: 'created,updated,deleted',
      notificationUrl: address,
      lifecycleNotificationUrl: address,
      resource: `me/calendars/${externalId}/events`,
      expirationDateTime: new Date(now + LASTS).toISOString(),
      clientState: `${channelId}.${token}`,
    }
    const url = `${apiUrl}/subscriptions`
    return subscriptionOf(await askProvider({ title: 'Microsoft', method: 'POST', url, access, body }))
  },
  extend: async (apiUrl, access, resourceId, now) => {
    const url = subscriptionUrl(apiUrl, resourceId)
    const body = { expirationDateTime: new Date(now + LASTS).toISOString() }
    const answer = askProvider({ title: 'Microsoft', method: 'PATCH', url, access, body })
    const extended = await unless(NOT_FOUND, answer)
    return extended === undefined ? undefined : subscriptionOf(extended)
  },
  close: async (apiUrl, access, { resourceId }) => {
    const url = subscriptionUrl(apiUrl, resourceId)
    await unless(NOT_FOUND, askProvider({ title: 'Microsoft', method: 'DELETE', url, access }))
  },
}

const subscriptionUrl = (apiUrl: string, id: string) => `${apiUrl}/subscriptions/${encodeURIComponent(id)}`

function subscriptionOf(answer: unknown): ProviderChannel {
  const { id, expirationDateTime } = objectOf(answer)
  const expiresAt = Date.parse(String(expirationDateTime))
  if (typeof id !== 'string' || Number.isNaN(expiresAt)) throw incomprehensible('Microsoft')
  return { resourceId: id, expiresAt }
}
