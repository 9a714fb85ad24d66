import type { IncomingMessage } from 'node:http'
import { DAY, type Interval } from '../../../domain/interval.ts'
import { invalidField } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import type { Zone } from '../../../domain/zone.ts'
import type { ListingShape } from '../../../format/zoned-listing.ts'
import type { Context } from '../../../services/context.ts'
import type { SpanQuery } from '../../../services/slots/listings.ts'
import type { OtherListings } from '../../fast-listing.ts'
import { type EventTypeName, instantIn, isBareDate, numberIn, type Query, textIn } from './request.ts'
import { VERSION_HEADER } from './versions.ts'

/** The names of what is asked for, which the two versions call differently. */
export interface SlotNames {
  readonly start: string
  readonly end: string
  readonly format: string
  readonly shapes: Readonly<Record<'time' | 'range', ListingShape>>
}

export const NEWER: SlotNames = {
  start: 'start',
  end: 'end',
  format: 'format',
  shapes: { time: 'time', range: 'range' },
}

export const OLDER: SlotNames = {
  start: 'startTime',
  end: 'endTime',
  format: 'slotFormat',
  shapes: { time: 'older time', range: 'older range' },
}

/** The event type that a listing is asked for. Of several users, the first counts. */
export const eventTypeIn = (query: Query): EventTypeName => ({
  eventTypeId: numberIn(query, 'eventTypeId', 1, 2 ** 31 - 1),
  eventTypeSlug: textIn(query, 'eventTypeSlug'),
  username: textIn(query, 'username') ?? textIn(query, 'usernameList')?.split(',')[0],
  teamSlug: textIn(query, 'teamSlug'),
})

/** What is asked for; throws `invalid`. */
export function readSlotQuery({ slots }: Context, query: Query, names: SlotNames): SpanQuery {
  const format = textIn(query, names.format) ?? 'time'
  if (format !== 'time' && format !== 'range') {
    throw invalidField(names.format, sentence`{field} must be one of ${['time', 'range']}.`)
  }
  return {
    span: spanIn(query, names),
    zone: zoneIn(slots.zones.find(textIn(query, 'timeZone') ?? 'UTC')),
    shape: names.shapes[format],
    duration: textIn(query, 'duration'),
  }
}

/** From one instant to the other, in UTC whatever the zone: a bare date is that whole day. */
function spanIn(query: Query, names: SlotNames): Interval {
  const [from, to] = [textIn(query, names.start), textIn(query, names.end)]
  if (from === undefined) throw invalidField(names.start, sentence`{field} is required.`)
  if (to === undefined) throw invalidField(names.end, sentence`{field} is required.`)
  const start = instantIn(names.start, from)
  const end = instantIn(names.end, to) + (isBareDate(to) ? DAY : 0)
  if (end < start) throw invalidField(names.end, sentence`{field} must be after the start.`)
  return { start, end }
}

function zoneIn(zone: Zone | undefined): Zone {
  if (zone !== undefined) return zone
  throw invalidField('timeZone', sentence`{field} must be an IANA time zone such as Europe/Berlin.`)
}

const PREFIX = '/v2/slots?'

/** Plainly written: nothing to decode, and every name once. A plus sign would be a space. */
const PLAIN = /^(?:(?:^|&)(?:eventTypeId|start|end|timeZone|duration|format)=[\w:.%/-]{1,64})+$/

/**
 * Listings that are asked for by the number of an event type, which are answered before the app routes them.
 *
 * The key has the version in it: the same address without that header is not there.
 */
export function plainListings(context: Context): OtherListings {
  return {
    prefix: PREFIX,
    keyOf: ({ url = '', headers }: IncomingMessage) =>
      headers[VERSION_HEADER] === '2024-09-04' ? `calcom ${url}` : undefined,
    list: (key, allocate) => {
      const text = key.slice(key.indexOf('?') + 1)
      if (!PLAIN.test(text)) return undefined
      const query: Record<string, string> = {}
      for (const part of text.split('&')) {
        const [name = '', value = ''] = part.split('=', 2)
        if (Object.hasOwn(query, name)) return undefined
        query[name] = value.includes('%') ? decodeURIComponent(value) : value
      }
      const id = context.numbers.knownId('event-type', Number(query.eventTypeId))
      if (id === undefined) return undefined
      return context.slots.listSpan(id, readSlotQuery(context, query, NEWER), { key, allocate })
    },
  }
}
