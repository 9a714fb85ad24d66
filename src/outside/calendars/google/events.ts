import type { Tentative } from '../../../domain/calendars/calendar.ts'
import type { CalendarItem, ItemChanges } from '../../../domain/calendars/item.ts'
import type { Interval } from '../../../domain/interval.ts'
import { sentence } from '../../../domain/sentence.ts'
import {
  type Access,
  askProvider,
  incomprehensible,
  objectOf,
  ProviderFailure,
} from '../../accounts/provider.ts'
import type { EventQuestion } from '../item-content.ts'

const TITLE = 'Google'

/** Neither titles nor guests are asked for. */
const FIELDS =
  'nextPageToken,nextSyncToken,timeZone,items(id,recurringEventId,iCalUID,status,transparency,start,end,attendees(self,responseStatus))'

const MAX_PAGES = 40

/** Reads the events of a calendar, or what has changed since the last time. Throws `gone` if that was too long ago. */
export async function readGoogleEvents(
  apiUrl: string,
  access: Access,
  { externalId, tentative, cursor, span }: EventQuestion,
): Promise<ItemChanges> {
  const url = new URL(`${apiUrl}/calendar/v3/calendars/${encodeURIComponent(externalId)}/events`)
  const parameters = url.searchParams
  // Everything but the filters must be the same in each request.
  parameters.set('singleEvents', 'true')
  parameters.set('maxResults', '2500')
  // Of a meeting with more, only the host is listed.
  parameters.set('maxAttendees', '1')
  parameters.set('fields', FIELDS)
  if (cursor === '') {
    parameters.set('timeMin', new Date(span.start).toISOString())
    parameters.set('timeMax', new Date(span.end).toISOString())
  } else parameters.set('syncToken', cursor)

  const items = new Map<string, CalendarItem | undefined>()
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = objectOf(await askProvider({ title: TITLE, url, access }))
    if (answer.items !== undefined && !Array.isArray(answer.items)) throw incomprehensible(TITLE)
    for (const event of (answer.items ?? []) as unknown[]) {
      const { id } = objectOf(event)
      if (typeof id !== 'string') throw incomprehensible(TITLE)
      items.set(id, itemOf(id, objectOf(event), tentative))
    }
    const { nextPageToken, nextSyncToken, timeZone } = answer
    if (typeof nextPageToken === 'string') parameters.set('pageToken', nextPageToken)
    else if (typeof nextSyncToken === 'string') {
      return {
        items: [...items.values()].filter((item) => item !== undefined),
        removed: [...items].filter(([, item]) => item === undefined).map(([id]) => id),
        cursor: nextSyncToken,
        timeZone: typeof timeZone === 'string' ? timeZone : undefined,
      }
    } else throw incomprehensible(TITLE)
  }
  throw new ProviderFailure('unavailable', sentence`This calendar has too many events.`)
}

/** When a calendar is busy within this span. Google tells no more than that: not which events, nor whose. */
export async function findGoogleBusy(
  apiUrl: string,
  access: Access,
  { externalId, span }: Pick<EventQuestion, 'externalId' | 'span'>,
): Promise<Interval[]> {
  const body = {
    timeMin: new Date(span.start).toISOString(),
    timeMax: new Date(span.end).toISOString(),
    items: [{ id: externalId }],
  }
  const url = `${apiUrl}/calendar/v3/freeBusy`
  const { calendars } = objectOf(await askProvider({ title: TITLE, method: 'POST', url, body, access }))
  const { busy, errors } = objectOf(objectOf(calendars)[externalId])
  if (Array.isArray(errors) && errors.length > 0) {
    throw new ProviderFailure('refused', sentence`${TITLE} does not say when this calendar is busy.`)
  }
  if (!Array.isArray(busy)) throw incomprehensible(TITLE)
  return busy.map(objectOf).map((period) => {
    const [start, end] = [period.start, period.end].map((time) => Date.parse(textOf(time))) as [
      number,
      number,
    ]
    if (Number.isNaN(start) || Number.isNaN(end)) throw incomprehensible(TITLE)
    return { start, end }
  })
}

/** Undefined if the event is gone. */
function itemOf(
  id: string,
  event: Readonly<Record<string, unknown>>,
  tentative: Tentative,
): CalendarItem | undefined {
  if (event.status === 'cancelled') return undefined
  const [start, end] = [timeOf(event.start), timeOf(event.end)]
  const attendees = Array.isArray(event.attendees) ? event.attendees.map(objectOf) : []
  const responses = attendees.filter(({ self }) => self === true).map(({ responseStatus }) => responseStatus)
  const isTentative = event.status === 'tentative' || responses.includes('tentative')
  const isFree =
    event.transparency === 'transparent' ||
    responses.includes('declined') ||
    (isTentative && tentative === 'free')
  return {
    externalId: id,
    seriesId: textOf(event.recurringEventId),
    uid: ownUidOf(id) ?? textOf(event.iCalUID),
    startsAt: start.at,
    endsAt: end.at,
    wholeDay: start.wholeDay,
    blocks: !isFree,
  }
}

/** What we write has the meeting's id without its dashes; ids that Google makes are shorter. */
function ownUidOf(id: string): string | undefined {
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(id)?.slice(1)
  return parts && `${parts.join('-')}@punctual`
}

function timeOf(value: unknown): { readonly at: number; readonly wholeDay: boolean } {
  const { date, dateTime } = objectOf(value)
  const at = Date.parse(typeof date === 'string' ? `${date}T00:00:00Z` : textOf(dateTime))
  if (Number.isNaN(at)) throw incomprehensible(TITLE)
  return { at, wholeDay: typeof date === 'string' }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
