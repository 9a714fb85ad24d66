import { formatDate } from '../../domain/calendar-date.ts'
import { type Difference, explainDifferences, type Reason } from '../../domain/imports/compare/differences.ts'
import { type TheirMeeting, theirEvents, theirMeeting } from '../../domain/imports/compare/their-events.ts'
import { type TheirEvent, theirStarts } from '../../domain/imports/compare/their-slots.ts'
import type { SourceKey } from '../../domain/imports/source.ts'
import { formatInstant } from '../../domain/instant.ts'
import { DAY, type Interval } from '../../domain/interval.ts'
import { Problem } from '../../domain/problem.ts'
import { english } from '../../domain/sentence.ts'
import { openTheirSlots, type TheirSlots } from '../../outside/imports/their-slots.ts'
import { findEventTypeById, findHostSeats } from '../../store/event-types/event-types.ts'
import { findImport, type Import } from '../../store/imports/imports.ts'
import { findObjects } from '../../store/imports/objects.ts'
import { findSettingRows, readBookingPages } from '../../store/imports/rows.ts'
import { findCalendarTimes, findMadeHere, findStanding } from '../../store/imports/since.ts'
import { findScheduler, findSchedulerBySlug } from '../../store/people/schedulers.ts'
import type { Context } from '../context.ts'

/** A start that is offered here or there alone. */
export interface SlotDifference {
  /** As `owner/event`. */
  readonly eventType: string
  readonly startTime: string
  readonly here: boolean
  readonly there: boolean
  /** In words, or `unexplained`. */
  readonly reason: string
}

export interface Comparison {
  readonly differences: readonly SlotDifference[]
}

export interface CompareOptions {
  /** Where the old system runs; left out: its slots are computed from what was read. */
  readonly against?: string | undefined
  readonly days?: number | undefined
}

/** Meetings of that long ago still count for limits. */
const PAST = 366 * DAY
/** The most that a listing has. */
const MOST_DAYS = 90
const AROUND = 2 * DAY

/** Compares the slots of every imported event type with those of the old system. Nothing is changed, here or there. */
export async function compareImport(
  context: Context,
  importId: string,
  { against, days = 60 }: CompareOptions = {},
): Promise<Comparison> {
  const found = await findImport(context.db, importId)
  if (found === undefined) throw new Problem('not_found', english`There is no such import.`)
  if (found.source !== 'calcom') {
    throw new Problem(
      'invalid',
      english`Only an import from Cal.com can be compared: Calendly does not tell its rules.`,
    )
  }
  if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS) {
    throw new Problem('invalid', english`The days to compare must be 1 to ${MOST_DAYS}.`)
  }
  const old = against === undefined ? undefined : openTheirSlots(against, { guard: context.guard })
  try {
    return { differences: await compareAll(context, found, days, old) }
  } finally {
    old?.close()
  }
}

async function compareAll(
  context: Context,
  found: Import,
  days: number,
  old: TheirSlots | undefined,
): Promise<SlotDifference[]> {
  const now = context.now()
  const meetings = await readMeetings(context, found.id, now)
  const events = theirEvents(await findSettingRows(context.db, found.id), meetings, context.slots.zones)
  const keys = [...events.keys()].map((id): SourceKey => `EventType/${id}`)
  const objects = await findObjects(context.db, found.memory, keys)
  const today = Math.floor(now / DAY)
  const differences: SlotDifference[] = []
  for (const [id, event] of events) {
    const ours = objects.get(`EventType/${id}`)
    const offered =
      ours && (await listHere(context, ours.id, formatDate(today), formatDate(today + days - 1)))
    if (offered === undefined) continue
    const span = { start: today * DAY, end: (today + days) * DAY }
    const asked = { now, zone: context.slots.zones.get('UTC'), span }
    const there = await listThere(event, asked, old)
    const compared = {
      event,
      asked,
      here: offered.starts,
      there,
      ...(await findSince(context, found, offered.hostIds, event, span)),
    }
    for (const difference of explainDifferences(compared))
      differences.push(toView(offered.address, difference))
  }
  return differences
}

async function readMeetings({ db }: Context, importId: string, now: number): Promise<TheirMeeting[]> {
  const meetings: TheirMeeting[] = []
  for await (const page of readBookingPages(db, importId)) {
    for (const booking of page) {
      const meeting = theirMeeting(booking)
      if (meeting !== undefined && meeting.end > now - PAST) meetings.push(meeting)
    }
  }
  return meetings
}

interface Offered {
  readonly address: string
  readonly hostIds: readonly string[]
  readonly starts: readonly number[]
}

/** What we offer; undefined if the event type is gone, or the page that it is on. */
async function listHere(
  context: Context,
  eventTypeId: string,
  dateFrom: string,
  dateTo: string,
): Promise<Offered | undefined> {
  const eventType = await findEventTypeById(context.db, eventTypeId)
  const owner = eventType && (await findScheduler(context.db, eventType.schedulerId))
  // Who is disabled has no page.
  const isOpen = owner !== undefined && (await findSchedulerBySlug(context.db, owner.slug))?.id === owner.id
  if (eventType === undefined || !isOpen) return undefined
  const bookable = await context.slots.getBookable(owner.slug, eventType.slug)
  const json = await context.slots.listFrom(bookable, { dateFrom, dateTo, timezone: 'UTC' })
  const listed = JSON.parse(Buffer.from(json).toString('utf8')) as {
    readonly slots: readonly { readonly startTime: string }[]
  }[]
  const hosts = await findHostSeats(context.db, eventType.id)
  return {
    address: `${owner.slug}/${eventType.slug}`,
    hostIds: hosts.map(({ hostId }) => hostId),
    starts: listed.flatMap(({ slots }) => slots.map(({ startTime }) => Date.parse(startTime))),
  }
}

async function listThere(
  event: TheirEvent,
  asked: Parameters<typeof theirStarts>[1],
  old: TheirSlots | undefined,
): Promise<readonly number[]> {
  if (old === undefined) return theirStarts(event, asked)
  const { start, end } = asked.span
  const [from, to] = [formatDate(start / DAY), formatDate(end / DAY - 1)]
  const starts = await old.ask({ eventTypeId: event.id, from, to })
  if (starts === undefined) {
    throw new Problem(
      'unavailable',
      english`The old system does not list the slots of event type ${event.id}.`,
    )
  }
  return starts.filter((at) => at >= start && at < end)
}

/** What has changed here since: made, cancelled, or busy in a calendar. */
async function findSince(
  { db }: Context,
  { memory }: Import,
  hostIds: readonly string[],
  event: TheirEvent,
  { start, end }: Interval,
) {
  const span = { start: start - AROUND, end: end + AROUND }
  const bookings = event.hosts.flatMap((host) =>
    host.bookings.filter((one) => one.end > span.start && one.start < span.end),
  )
  const keys = [...new Set(bookings.map((booking): SourceKey => `Booking/${booking.id}`))]
  const [known, standing] = [await findObjects(db, memory, keys), await findStanding(db, hostIds, span)]
  const isOff = (booking: (typeof bookings)[number]) => {
    const meeting = known.get(`Booking/${booking.id}`)
    return meeting !== undefined && !standing.has(`${meeting.id} ${booking.start}`)
  }
  return {
    bookedHere: await findMadeHere(db, hostIds, span),
    busyHere: await findCalendarTimes(db, hostIds, span),
    cancelledHere: bookings.filter(isOff),
  }
}

const WORDS: Readonly<Record<Reason, string>> = {
  buffers: 'buffers are added up there',
  rounding: 'starts are rounded on the guest’s clock there',
  grid: 'starts follow the last meeting there, and the opening hours here',
  offset: 'starts are moved by an offset there',
  'clock-change': 'a day is lost or moved at a clock change there',
  'days-off': 'days off are those of UTC there',
  window: 'the window ends by the guest’s clock there, or counts other days',
  limits: 'limits count weeks from Sunday there, and all hosts together',
  seats: 'a meeting with seats left takes no time there',
  'first-only': 'only the first start of a day is offered there',
  'booked-here': 'a booking made here since',
  'calendar-here': 'busy in a calendar that is connected here',
  'cancelled-here': 'a booking cancelled or moved here since',
  'booked-there': 'a booking made there since',
  'cancelled-there': 'a booking cancelled or moved there since',
  unexplained: 'unexplained',
}

const toView = (eventType: string, { startsAt, here, there, reasons }: Difference): SlotDifference => ({
  eventType,
  startTime: formatInstant(startsAt),
  here,
  there,
  reason: reasons.map((reason) => WORDS[reason]).join('; '),
})

/** Whether something differs that nobody can explain. */
export const hasUnexplained = ({ differences }: Comparison): boolean =>
  differences.some(({ reason }) => reason === WORDS.unexplained)

/** A comparison in lines: counted by event type and reason, and each start that is unexplained. */
export function printComparison({ differences }: Comparison): string[] {
  if (differences.length === 0) return ['Both offer the same slots.']
  const groups = Map.groupBy(
    differences,
    ({ eventType, here, reason }) => `${eventType}: ${here ? 'only here' : 'only there'}, ${reason}`,
  )
  return [
    ...[...groups].map(([name, all]) => `${name}: ${all.length}`),
    ...differences
      .filter(({ reason }) => reason === WORDS.unexplained)
      .map(
        ({ eventType, startTime, here }) => `${eventType} ${startTime} ${here ? 'only here' : 'only there'}`,
      ),
  ]
}
