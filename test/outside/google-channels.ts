import { randomUUID } from 'node:crypto'
import type { calendar_v3 } from '@googleapis/calendar'
import { createPushes, type Pushes } from './pushes.ts'
import { type Answer, type Asked, jsonOf } from './stand-in.ts'

/** A channel that is open. */
export interface GoogleChannel {
  readonly id: string
  readonly resourceId: string
  readonly calendarId: string
  readonly address: string
  readonly token: string
  readonly expiresAt: number
}

/** `events.watch` and `channels.stop`, as the guide on push notifications describes them. */
export interface GoogleChannels {
  readonly pushes: Pushes
  readonly open: readonly GoogleChannel[]
  watch(asked: Asked, calendarId: string): Promise<Answer>
  stop(asked: Asked): Answer
  /** Tells everyone who watches this calendar. */
  changed(calendarId: string): void
  /** Forgets all channels. */
  endAll(): void
}

const FIELDS = ['id', 'type', 'address', 'token', 'expiration', 'params', 'payload']
const MONTH = 30 * 86_400_000

export function googleChannels(
  now: () => number,
  refuse: (status: number, reason: string) => Answer,
): GoogleChannels {
  const pushes = createPushes()
  const used = new Set<string>()
  let open: GoogleChannel[] = []
  let messages = 0

  function tell(channel: GoogleChannel, state: 'sync' | 'exists'): void {
    pushes.send({
      address: channel.address,
      headers: {
        'content-type': 'application/json; utf-8',
        'x-goog-channel-id': channel.id,
        'x-goog-channel-token': channel.token,
        'x-goog-channel-expiration': new Date(channel.expiresAt).toUTCString(),
        'x-goog-resource-id': channel.resourceId,
        'x-goog-resource-uri': `https://www.googleapis.com/calendar/v3/calendars/${channel.calendarId}/events?alt=json`,
        'x-goog-resource-state': state,
        'x-goog-message-number': String(++messages),
      },
      body: '',
    })
  }

  return {
    pushes,
    get open() {
      return open.filter(({ expiresAt }) => expiresAt > now())
    },
    async watch(asked, calendarId) {
      const given = jsonOf<calendar_v3.Schema$Channel>(asked)
      const { id, type, address, token = '', expiration } = given
      const unknown = Object.keys(given).find((name) => !FIELDS.includes(name))
      if (unknown !== undefined) return refuse(400, `unknown ${unknown}`)
      if (!/^[\w\-+/=]{1,64}$/.test(id ?? '') || type !== 'web_hook') return refuse(400, 'required')
      if (!address?.startsWith('https://')) return refuse(400, 'push.webhookUrlNotHttps')
      if (used.has(id ?? '')) return refuse(400, 'channelIdNotUnique')
      if ((token ?? '').length > 256) return refuse(400, 'invalid')
      // Calendars that Google publishes can't be watched.
      if (calendarId.startsWith('holidays@')) return refuse(400, 'pushNotSupportedForRequestedResource')
      const wanted = Number(expiration ?? now() + MONTH)
      if (!(wanted > now())) return refuse(400, 'channelExpirationInvalid')
      used.add(id ?? '')
      const expiresAt = Math.min(wanted, now() + MONTH)
      const channel = {
        id: id ?? '',
        resourceId: randomUUID(),
        calendarId,
        address,
        token: token ?? '',
        expiresAt,
      }
      open.push(channel)
      // It may come before the answer does.
      tell(channel, 'sync')
      await pushes.beforeAnswer()
      const body: calendar_v3.Schema$Channel = {
        kind: 'api#channel',
        id: channel.id,
        resourceId: channel.resourceId,
        resourceUri: `https://www.googleapis.com/calendar/v3/calendars/${calendarId}/events?alt=json`,
        token: channel.token,
        expiration: String(expiresAt),
      }
      return { status: 200, body }
    },
    stop(asked) {
      const { id, resourceId } = jsonOf<calendar_v3.Schema$Channel>(asked)
      const found = open.find((one) => one.id === id && one.resourceId === resourceId)
      if (found === undefined) return refuse(404, 'notFound')
      open = open.filter((one) => one !== found)
      return { status: 204 }
    },
    endAll() {
      open = []
    },
    changed(calendarId) {
      for (const channel of open) {
        if (channel.calendarId === calendarId && channel.expiresAt > now()) tell(channel, 'exists')
      }
    },
  }
}
