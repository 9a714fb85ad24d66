import type { Tentative } from '../../../domain/calendars/calendar.ts'
import type { CalendarItem, ItemChanges } from '../../../domain/calendars/item.ts'
import { DAY } from '../../../domain/interval.ts'
import { sentence } from '../../../domain/sentence.ts'
import {
  type Access,
  askProvider,
  incomprehensible,
  objectOf,
  ProviderFailure,
} from '../../accounts/provider.ts'
import type { EventQuestion } from '../item-content.ts'
import { nextLink } from './microsoft.ts'

const TITLE = 'Microsoft'
const MAX_PAGES = 200
const HEADERS = { prefer: 'outlook.timezone="UTC", odata.maxpagesize=500' }

/** Reads the events of a calendar, or what has changed since the last time. Throws `gone` if that was too long ago. */
export async function readMicrosoftEvents(
  graphUrl: string,
  access: Access,
  { externalId, tentative, cursor, span }: EventQuestion,
): Promise<ItemChanges> {
  const query = new URLSearchParams({
    startDateTime: new Date(span.start).toISOString(),
    endDateTime: new Date(span.end).toISOString(),
  })
  const view = `${graphUrl}/me/calendars/${encodeURIComponent(externalId)}/calendarView/delta?${query}`
  let url = cursor === '' ? view : nextLink(graphUrl, cursor)
  const items = new Map<string, CalendarItem | undefined>()
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = objectOf(await askProvider({ title: TITLE, url, access, headers: HEADERS }))
    if (!Array.isArray(answer.value)) throw incomprehensible(TITLE)
    for (const event of answer.value.map(objectOf)) {
      if (typeof event.id !== 'string') throw incomprehensible(TITLE)
      items.set(event.id, itemOf(event.id, event, tentative))
    }
    const { '@odata.nextLink': next, '@odata.deltaLink': delta } = answer
    if (typeof next === 'string') url = nextLink(graphUrl, next)
    else if (typeof delta === 'string') {
      return {
        items: [...items.values()].filter((item) => item !== undefined),
        removed: [...items].filter(([, item]) => item === undefined).map(([id]) => id),
        cursor: nextLink(graphUrl, delta),
        timeZone: undefined,
      }
    } else throw incomprehensible(TITLE)
  }
  throw new ProviderFailure('unavailable', sentence`This calendar has too many events.`)
}

/** Reads the events that touch this span, and remembers nothing. */
export async function findMicrosoftEvents(
  graphUrl: string,
  access: Access,
  { externalId, tentative, span }: Omit<EventQuestion, 'cursor'>,
): Promise<CalendarItem[]> {
  const query = new URLSearchParams({
    startDateTime: new Date(span.start).toISOString(),
    endDateTime: new Date(span.end).toISOString(),
  })
  let url = `${graphUrl}/me/calendars/${encodeURIComponent(externalId)}/calendarView?${query}`
  const items: CalendarItem[] = []
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = objectOf(await askProvider({ title: TITLE, url, access, headers: HEADERS }))
    if (!Array.isArray(answer.value)) throw incomprehensible(TITLE)
    for (const event of answer.value.map(objectOf)) {
      if (typeof event.id !== 'string') throw incomprehensible(TITLE)
      items.push(...[itemOf(event.id, event, tentative)].filter((item) => item !== undefined))
    }
    const { '@odata.nextLink': next } = answer
    if (typeof next !== 'string') return items
    url = nextLink(graphUrl, next)
  }
  throw new ProviderFailure('unavailable', sentence`This calendar has too many events.`)
}

const FREE = { busy: ['free', 'workingElsewhere'], free: ['free', 'workingElsewhere', 'tentative'] }

/**
 * Undefined if the event is gone, or outside the span.
 *
 * An occurrence may have its times alone: everything else is as in its series.
 */
function itemOf(
  id: string,
  event: Readonly<Record<string, unknown>>,
  tentative: Tentative,
): CalendarItem | undefined {
  if (event['@removed'] !== undefined || event.isCancelled === true) return undefined
  const isSeries = event.type === 'seriesMaster'
  const [startsAt, endsAt] = isSeries ? [null, null] : [timeOf(event.start), timeOf(event.end)]
  if (startsAt === undefined || endsAt === undefined) return undefined
  const { showAs, isAllDay, responseStatus, transactionId, iCalUId, seriesMasterId } = event
  const declined = objectOf(responseStatus).response === 'declined'
  return {
    externalId: id,
    seriesId: typeof seriesMasterId === 'string' ? seriesMasterId : '',
    uid: ownUidOf(transactionId) ?? String(iCalUId ?? ''),
    startsAt,
    endsAt,
    wholeDay: typeof isAllDay === 'boolean' ? isAllDay && isMidnight(startsAt) && isMidnight(endsAt) : null,
    blocks: typeof showAs === 'string' ? !FREE[tentative].includes(showAs) && !declined : null,
  }
}

/** What we write begins with the meeting's id; other programs put something of their own there. */
function ownUidOf(transactionId: unknown): string | undefined {
  const id = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?::|$)/i.exec(String(transactionId ?? ''))?.[1]
  return id && `${id.toLowerCase()}@punctual`
}

/** Graph's times have no offset; we ask for those of UTC. */
function timeOf(value: unknown): number | undefined {
  const { dateTime, timeZone } = objectOf(value)
  if (typeof dateTime !== 'string') return undefined
  if (timeZone !== undefined && timeZone !== 'UTC') throw incomprehensible(TITLE)
  const at = Date.parse(`${dateTime.replace(/(\.\d{3})\d*$/, '$1')}Z`)
  if (Number.isNaN(at)) throw incomprehensible(TITLE)
  return at
}

/** True for a series, which has no times of its own. */
const isMidnight = (time: number | null) => time === null || time % DAY === 0
