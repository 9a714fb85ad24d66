import { uidOf } from '../../../domain/bookings/booking.ts'
import { calendarEventText } from '../../../format/icalendar/event.ts'
import { askProvider, incomprehensible, objectOf, type ProviderRequest } from '../../accounts/provider.ts'
import type { OpenedCalendar } from '../../kinds/calendar-source.ts'
import {
  CONFLICT,
  type EventCalendar,
  NOT_FOUND,
  unless,
  type WantedEvent,
  type WrittenEvent,
} from '../../kinds/event-calendar.ts'

const TITLE = 'Microsoft'

/** Our own property of an event: Graph can't look for a `transactionId`. */
const MEETING_PROPERTY = 'String {6c1a2f0e-2f5b-4b51-9d3e-5f0d6f2b7a91} Name PunctualMeeting'

const SELECT = 'id,isCancelled,isOnlineMeeting,onlineMeeting'

/** Writes to a calendar of Microsoft 365 or Outlook. Events have no attendees: Graph would mail them. */
export function microsoftCalendar({ apiUrl: graphUrl, externalId, access }: OpenedCalendar): EventCalendar {
  const events = `${graphUrl}/me/calendars/${encodeURIComponent(externalId)}/events`
  const ask = (
    method: NonNullable<ProviderRequest['method']>,
    url: string | URL,
    { body, etag = '' }: { readonly body?: object; readonly etag?: string } = {},
  ) => {
    const headers = { prefer: 'outlook.timezone="UTC"', ...(etag !== '' && { 'if-match': etag }) }
    return askProvider({ title: TITLE, method, url, access, headers, ...(body && { body }) })
  }
  const one = (id: string) => `${graphUrl}/me/events/${encodeURIComponent(id)}`
  const findByMeeting = async (meetingId: string, uid: string) => {
    const property = `ep/id eq '${MEETING_PROPERTY}' and ep/value eq '${meetingId}'`
    const own = await findFirst(`singleValueExtendedProperties/Any(ep: ${property})`)
    if (own !== undefined || uid === uidOf(meetingId)) return own
    return findFirst(`iCalUId eq '${uid.replaceAll("'", "''")}'`)
  }
  const findFirst = async (filter: string) => {
    const url = new URL(events)
    url.searchParams.set('$filter', filter)
    url.searchParams.set('$select', SELECT)
    const { value } = objectOf(await ask('GET', url))
    if (!Array.isArray(value)) throw incomprehensible(TITLE)
    return value.length === 0 ? undefined : eventOf(value[0])
  }
  return {
    find: async (id) => {
      const found = await unless(NOT_FOUND, ask('GET', `${one(id)}?$select=${SELECT}`))
      return found === undefined ? undefined : eventOf(found)
    },
    findByMeeting,
    insert: async (wanted) => {
      const { meetingId, version } = wanted
      const body = {
        ...bodyOf(wanted, false),
        body: textOf(wanted),
        transactionId: `${meetingId}:${version}`,
        singleValueExtendedProperties: [{ id: MEETING_PROPERTY, value: meetingId }],
      }
      const made = await unless([409], ask('POST', events, { body }))
      return made === undefined ? undefined : eventOf(made)
    },
    update: async (seen, wanted) => {
      const hasLink = seen.link !== '' || seen.isLinkPending
      const body = {
        ...bodyOf(wanted, hasLink),
        // The text of an online meeting holds what Teams needs; without it, the meeting is gone.
        ...(!hasLink && { body: textOf(wanted) }),
      }
      const changed = await unless(CONFLICT, ask('PATCH', one(seen.id), { body, etag: seen.etag }))
      return changed === undefined ? undefined : eventOf(changed)
    },
    remove: async (id, meetingId, uid) => {
      const known = id || (await findByMeeting(meetingId, uid))?.id
      if (known !== undefined) await unless(NOT_FOUND, ask('DELETE', one(known)))
      return true
    },
  }
}

const textOf = ({ event }: WantedEvent) => ({
  contentType: 'text',
  content: calendarEventText(event).details,
})

function bodyOf({ event, start, end, keepTime, wantsLink }: WantedEvent, hasLink: boolean) {
  const { title, location } = calendarEventText(event)
  const at = (time: number) => ({ dateTime: new Date(time).toISOString().slice(0, 19), timeZone: 'UTC' })
  return {
    subject: title,
    ...(!wantsLink && !hasLink && { location: { displayName: location } }),
    ...(!keepTime && { start: at(start), end: at(end) }),
    ...(wantsLink && !hasLink && { isOnlineMeeting: true, onlineMeetingProvider: 'teamsForBusiness' }),
  }
}

function eventOf(answer: unknown): WrittenEvent {
  const event = objectOf(answer)
  const { id, isCancelled, isOnlineMeeting } = event
  if (typeof id !== 'string') throw incomprehensible(TITLE)
  const { joinUrl } = objectOf(event.onlineMeeting)
  const link = typeof joinUrl === 'string' && joinUrl.startsWith('https://') ? joinUrl : ''
  return {
    id,
    etag: String(event['@odata.etag'] ?? ''),
    isCancelled: isCancelled === true,
    link,
    isLinkPending: isOnlineMeeting === true && link === '',
  }
}
