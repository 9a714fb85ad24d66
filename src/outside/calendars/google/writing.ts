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

const TITLE = 'Google'

/** Ids of events are base32hex (0-9, a-v) without capitals. A meeting always has the same one. */
export const googleEventId = (meetingId: string) => meetingId.replaceAll('-', '').toLowerCase()

/** Writes to a Google calendar. Google mails nobody: our own emails invite. */
export function googleCalendar({ apiUrl, externalId, access }: OpenedCalendar): EventCalendar {
  const events = `${apiUrl}/calendar/v3/calendars/${encodeURIComponent(externalId)}/events`
  const ask = async (
    method: NonNullable<ProviderRequest['method']>,
    id: string,
    { body, etag = '' }: { readonly body?: object; readonly etag?: string } = {},
  ) => {
    const url = new URL(id === '' ? events : `${events}/${encodeURIComponent(id)}`)
    if (method !== 'GET') url.searchParams.set('sendUpdates', 'none')
    if (body !== undefined && 'conferenceData' in body) url.searchParams.set('conferenceDataVersion', '1')
    const headers = etag === '' ? {} : { 'if-match': etag }
    return askProvider({ title: TITLE, method, url, access, headers, ...(body && { body }) })
  }
  const find = async (id: string) => {
    const found = await unless(NOT_FOUND, ask('GET', id))
    return found === undefined ? undefined : eventOf(found)
  }
  const findByMeeting = async (meetingId: string, uid: string) => {
    const own = await find(googleEventId(meetingId))
    if (own !== undefined || uid === uidOf(meetingId)) return own
    const url = new URL(events)
    url.searchParams.set('iCalUID', uid)
    const { items } = objectOf(await askProvider({ title: TITLE, url, access }))
    return Array.isArray(items) && items.length > 0 ? eventOf(items[0]) : undefined
  }
  return {
    find,
    findByMeeting,
    insert: async (wanted) => {
      const body = { id: googleEventId(wanted.meetingId), ...bodyOf(wanted) }
      const made = await unless([409], ask('POST', '', { body }))
      return made === undefined ? undefined : eventOf(made)
    },
    update: async (seen, wanted) => {
      const asksAgain = wanted.wantsLink && (seen.link !== '' || seen.isLinkPending)
      const body = bodyOf({ ...wanted, wantsLink: wanted.wantsLink && !asksAgain })
      const changed = await unless(CONFLICT, ask('PATCH', seen.id, { body, etag: seen.etag }))
      return changed === undefined ? undefined : eventOf(changed)
    },
    remove: async (id, meetingId, uid) => {
      const known = id || (await findByMeeting(meetingId, uid))?.id
      if (known !== undefined) await unless(NOT_FOUND, ask('DELETE', known))
      return true
    },
  }
}

function bodyOf({ event, start, end, keepTime, wantsLink, meetingId }: WantedEvent) {
  const { title, details, location } = calendarEventText(event)
  const at = (time: number) => ({ dateTime: new Date(time).toISOString(), timeZone: 'UTC' })
  const createRequest = { requestId: meetingId, conferenceSolutionKey: { type: 'hangoutsMeet' } }
  return {
    summary: title,
    description: details,
    location,
    // Brings back an event that was deleted.
    status: 'confirmed',
    ...(!keepTime && { start: at(start), end: at(end) }),
    ...(wantsLink && { conferenceData: { createRequest } }),
  }
}

function eventOf(answer: unknown): WrittenEvent {
  const { id, etag, status, hangoutLink, conferenceData } = objectOf(answer)
  if (typeof id !== 'string') throw incomprehensible(TITLE)
  const { createRequest } = objectOf(conferenceData)
  const made = objectOf(objectOf(createRequest).status).statusCode
  return {
    id,
    etag: String(etag ?? ''),
    isCancelled: status === 'cancelled',
    link: typeof hangoutLink === 'string' && hangoutLink.startsWith('https://') ? hangoutLink : '',
    isLinkPending: made === 'pending',
  }
}
