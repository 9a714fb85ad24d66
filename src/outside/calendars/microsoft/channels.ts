import { MINUTE } from '../../../domain/interval.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { askProvider, incomprehensible, objectOf } from '../../accounts/provider.ts'
import { NOT_FOUND, unless } from '../../kinds/event-calendar.ts'
import type { ChannelProtocol, Notice, ProviderChannel } from '../../kinds/event-channel.ts'

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
  receive: ({ body }) => {
    const { value } = objectOf(parse(body))
    if (!Array.isArray(value))
      throw new Problem('invalid', sentence`The body must be a collection of notifications.`)
    return value.slice(0, MAX_NOTICES).map((one) => {
      const { clientState, lifecycleEvent } = objectOf(one)
      const [channelId = '', token = ''] = String(clientState ?? '').split('.')
      return { channelId, token, what: WHAT[String(lifecycleEvent ?? '')] ?? 'changed' }
    })
  },
  // Graph opens a subscription only after its token came back.
  confirm: ({ query: { validationToken } }) => {
    if (typeof validationToken !== 'string') return undefined
    if (validationToken.length > MAX_VALIDATION) {
      throw new Problem('invalid', sentence`The validation token is too long.`)
    }
    return validationToken
  },
}

const MAX_NOTICES = 1000
const MAX_VALIDATION = 2048

const WHAT: Readonly<Record<string, Notice['what']>> = {
  reauthorizationRequired: 'renew',
  subscriptionRemoved: 'ended',
  missed: 'changed',
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const subscriptionUrl = (apiUrl: string, id: string) => `${apiUrl}/subscriptions/${encodeURIComponent(id)}`

function subscriptionOf(answer: unknown): ProviderChannel {
  const { id, expirationDateTime } = objectOf(answer)
  const expiresAt = Date.parse(String(expirationDateTime))
  if (typeof id !== 'string' || Number.isNaN(expiresAt)) throw incomprehensible('Microsoft')
  return { resourceId: id, expiresAt }
}
