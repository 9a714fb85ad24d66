import type { CalendarItem } from '../../../src/domain/calendars/item.ts'
import { DAY } from '../../../src/domain/interval.ts'
import { calendarEventText } from '../../../src/format/icalendar/event.ts'
import { type RegisteredClient, readClient, text, variable, webAddress } from '../../../src/format/setting.ts'
import {
  type Access,
  type AccountProvider,
  askProvider,
  incomprehensible,
  objectOf,
  type ProviderRequest,
} from '../../../src/outside/accounts/provider.ts'
import { contentOfItems, readByCursor } from '../../../src/outside/calendars/item-content.ts'
import type { OpenedCalendar } from '../../../src/outside/kinds/calendar-source.ts'
import {
  CONFLICT,
  type EventCalendar,
  NOT_FOUND,
  unless,
  type WantedEvent,
  type WrittenEvent,
} from '../../../src/outside/kinds/event-calendar.ts'
import type { ChannelProtocol } from '../../../src/outside/kinds/event-channel.ts'
import type { Kind } from '../../../src/outside/kinds/kind.ts'

// A provider that no other file of the service knows: all that there is to it stands in this folder.

interface OrbitSettings extends RegisteredClient {
  readonly url: string
}

const TITLE = 'Orbit'

const VARIABLES = {
  orbitClientId: variable('ORBIT_CLIENT_ID', '', 'OAuth client for Orbit.', text),
  orbitClientSecret: variable('ORBIT_CLIENT_SECRET', '', 'Its secret.', text),
  orbitUrl: variable('ORBIT_URL', 'https://orbit.example', 'Orbit.', webAddress),
}

async function ask(request: Omit<ProviderRequest, 'title'>): Promise<Readonly<Record<string, unknown>>> {
  return objectOf(await askProvider({ title: TITLE, ...request }))
}

const listOf = (value: unknown) => {
  if (!Array.isArray(value)) throw incomprehensible(TITLE)
  return value.map(objectOf)
}

function provider({ url, ...client }: OrbitSettings): AccountProvider {
  return {
    apiUrl: url,
    oauth: {
      ...client,
      title: TITLE,
      authorizeUrl: `${url}/authorize`,
      tokenUrl: `${url}/token`,
      revokeUrl: `${url}/revoke`,
      scopes: ['calendar'],
      requiredScopes: [['calendar']],
      authorizeParameters: {},
      secretIn: 'body',
    },
    findAccount: async (access) => {
      const { id, email } = await ask({ url: `${url}/me`, access })
      return { subject: String(id), address: String(email) }
    },
    findCalendars: async (access) =>
      listOf((await ask({ url: `${url}/calendars`, access })).calendars).map((one) => ({
        externalId: String(one.id),
        name: String(one.name),
        primary: one.main === true,
        writable: one.canWrite === true,
      })),
  }
}

const eventsUrl = (apiUrl: string, externalId: string) =>
  `${apiUrl}/calendars/${encodeURIComponent(externalId)}/events`

const itemOf = (event: Readonly<Record<string, unknown>>): CalendarItem => ({
  externalId: String(event.id),
  seriesId: '',
  uid: event.meeting ? `${event.meeting}@punctual` : String(event.id),
  startsAt: Number(event.from),
  endsAt: Number(event.to),
  wholeDay: false,
  blocks: true,
})

async function findEvents(
  apiUrl: string,
  access: Access,
  externalId: string,
  query: Readonly<Record<string, string>>,
) {
  const url = `${eventsUrl(apiUrl, externalId)}?${new URLSearchParams(query)}`
  const { events, cursor } = await ask({ url, access })
  return { events: listOf(events), cursor: String(cursor ?? '') }
}

function write({ apiUrl, externalId, access }: OpenedCalendar): EventCalendar {
  const events = eventsUrl(apiUrl, externalId)
  const one = (id: string) => `${events}/${encodeURIComponent(id)}`
  const writtenOf = (event: Readonly<Record<string, unknown>>): WrittenEvent => ({
    id: String(event.id),
    etag: String(event.revision),
    isCancelled: false,
    link: String(event.room ?? ''),
    isLinkPending: false,
  })
  const bodyOf = ({ event, meetingId, start, end, keepTime, wantsLink }: WantedEvent) => ({
    meeting: meetingId,
    title: calendarEventText(event).title,
    ...(!keepTime && { from: start, to: end }),
    ...(wantsLink && { wantsRoom: true }),
  })
  const found = async (asked: Promise<Readonly<Record<string, unknown>> | undefined>) => {
    const event = await asked
    return event && writtenOf(event)
  }
  const findByMeeting = async (meeting: string) => {
    const [first] = (await findEvents(apiUrl, access, externalId, { meeting })).events
    return first && writtenOf(first)
  }
  return {
    find: (id) => found(unless(NOT_FOUND, ask({ url: one(id), access }))),
    findByMeeting,
    insert: (wanted) =>
      found(unless([409], ask({ method: 'POST', url: events, access, body: bodyOf(wanted) }))),
    update: ({ id, etag }, wanted) => {
      const headers = { 'if-match': etag }
      const body = bodyOf(wanted)
      return found(unless(CONFLICT, ask({ method: 'PATCH', url: one(id), access, headers, body })))
    },
    remove: async (id, meetingId) => {
      const known = id || (await findByMeeting(meetingId))?.id
      if (known !== undefined) await unless(NOT_FOUND, ask({ method: 'DELETE', url: one(known), access }))
      return true
    },
  }
}

const watch: ChannelProtocol = {
  open: async (apiUrl, access, { externalId, channelId, token, address, now }) => {
    const body = { calendar: externalId, name: channelId, secret: token, address, until: now + 7 * DAY }
    const { id } = await ask({ method: 'POST', url: `${apiUrl}/watches`, access, body })
    return { resourceId: String(id), expiresAt: body.until }
  },
  extend: async () => undefined,
  close: async (apiUrl, access, { resourceId }) => {
    await unless(NOT_FOUND, ask({ method: 'DELETE', url: `${apiUrl}/watches/${resourceId}`, access }))
  },
  receive: ({ body }) => {
    const { watch: channelId, secret: token } = objectOf(JSON.parse(body))
    return [{ channelId: String(channelId), token: String(token), what: 'changed' }]
  },
}

/** A calendar provider whose events come with a room. */
export const orbit = {
  name: 'orbit',
  title: TITLE,
  setUp: {
    variables: VARIABLES,
    read: (read) => ({
      orbit: {
        ...readClient(read, VARIABLES.orbitClientId, VARIABLES.orbitClientSecret),
        url: read(VARIABLES.orbitUrl),
      },
    }),
    open: (settings) => (settings.orbit.clientId === '' ? undefined : provider(settings.orbit)),
  },
  calendar: {
    connect: 'account',
    read: readByCursor(async (apiUrl, access, { externalId, cursor, span }) => {
      const range = { from: String(span.start), to: String(span.end) }
      const query = cursor === '' ? range : { since: cursor }
      const changed = await findEvents(apiUrl, access, externalId, query)
      const [gone, there] = [
        changed.events.filter((event) => event.gone === true),
        changed.events.filter((event) => event.gone !== true),
      ]
      return {
        items: there.map(itemOf),
        removed: gone.map(({ id }) => String(id)),
        cursor: changed.cursor,
        timeZone: undefined,
      }
    }),
    ask: async ({ apiUrl, access, externalId }, { start, end }) => {
      const range = { from: String(start), to: String(end) }
      return contentOfItems((await findEvents(apiUrl, access, externalId, range)).events.map(itemOf))
    },
    write,
    watch,
  },
  link: { name: 'orbit-room', title: 'Orbit Room', comes: 'with-event' },
} as const satisfies Kind<{ readonly orbit: OrbitSettings }>
