import { uidOf } from '../../domain/bookings/booking.ts'
import {
  type CalendarVersion,
  completesDayOfFailures,
  EXPAND_EVERY,
  isProviderKind,
  knownSpan,
  NO_VERSION,
  REFRESH_EVERY,
  unknownSpan,
  waitAfter,
} from '../../domain/calendars/calendar.ts'
import { type ComparedEntry, compareEntries } from '../../domain/calendars/difference.ts'
import { MINUTE, merge, overlaps } from '../../domain/interval.ts'
import { type Sentence, say, sentence } from '../../domain/sentence.ts'
import type { BusyQuestion, BusyReading } from '../../format/icalendar/read.ts'
import { findCtag, queryEvents } from '../../outside/caldav.ts'
import { ask, requireSuccess, ServerFailure } from '../../outside/calendar-server.ts'
import { GrantLost } from '../../outside/oauth.ts'
import { ProviderFailure } from '../../outside/provider.ts'
import { readBusyApart } from '../../outside/reading-threads.ts'
import { findHostedIds } from '../../store/bookings/hosted.ts'
import { changeBusyTimes, compareBusyTimes } from '../../store/calendars/busy-times.ts'
import {
  findDueCalendars,
  leaseCalendar,
  type StoredCalendar,
  updateRefreshState,
} from '../../store/calendars/calendars.ts'
import { findUpcomingEntries, type UpcomingEntry, updateDifference } from '../../store/calendars/entries.ts'
import { changeItems, deleteItems } from '../../store/calendars/items.ts'
import { insertJobs } from '../../store/outbox.ts'
import { bumpRevisions } from '../../store/people/schedulers.ts'
import { findUser } from '../../store/people/users.ts'
import type { Context } from '../context.ts'
import { type ProviderReading, readProvider } from './read-provider.ts'
import { serverOf } from './server.ts'

/** Reading a calendar is given up after this time, which is shorter than the lease. */
const DEADLINE = 45_000
const LEASE = 2 * MINUTE
const BATCH = 100
/** How many calendars are read at once. Failing ones have their own limit, so that they never delay the others. */
const CONCURRENCY = { working: 8, failing: 4 }

/**
 * Reads every calendar that is due.
 *
 * Safe to run at any time and in several instances at once, since each calendar is leased before
 * it is read. A calendar server's failure is stored, not thrown.
 */
export async function refreshDueCalendars(context: Context): Promise<void> {
  const due = inTurns(await findDueCalendars(context.db, context.now(), BATCH))
  const [failing, working] = [
    due.filter(({ failures }) => failures > 0),
    due.filter(({ failures }) => failures === 0),
  ]
  await Promise.all([
    runLimited(working, CONCURRENCY.working, (calendar) => refreshCalendar(context, calendar)),
    runLimited(failing, CONCURRENCY.failing, (calendar) => refreshCalendar(context, calendar)),
  ])
}

/** Every owner's first calendar comes before anybody's second, so that an owner of slow ones waits for the others. */
function inTurns(calendars: readonly StoredCalendar[]): StoredCalendar[] {
  const turns = [...Map.groupBy(calendars, ({ userId }) => userId).values()].flatMap((own) =>
    own.map((calendar, turn) => ({ calendar, turn })),
  )
  return turns.sort((a, b) => a.turn - b.turn).map(({ calendar }) => calendar)
}

async function runLimited<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const queue = items.values()
  const takeNext = async () => {
    for (const item of queue) await work(item)
  }
  const runners = Array.from({ length: Math.min(concurrency, items.length) }, takeNext)
  const failed = (await Promise.allSettled(runners)).find((runner) => runner.status === 'rejected')
  // Only the database can fail here; the next run will try again.
  if (failed !== undefined) throw failed.reason
}

/** Reads one calendar now, unless another instance is reading it. If that fails, its last known busy times stay. */
export async function refreshCalendar(context: Context, calendar: StoredCalendar): Promise<void> {
  const { db } = context
  const leasedUntil = context.now() + LEASE
  if (!(await leaseCalendar(db, calendar, leasedUntil, LEASE))) return
  let read: Reading
  try {
    read = await readCalendar(context, calendar)
  } catch (error) {
    const failures = calendar.failures + 1
    const nextRefreshAt = context.now() + Math.max(waitAfter(failures), retryAfterOf(error))
    const lastError = say(sentenceFor(error))
    const known = { ...calendar, failures, lastError, nextRefreshAt }
    const mails = await db.transaction().execute(async (trx) => {
      const ours = await updateRefreshState(trx, calendar.id, leasedUntil, known)
      // A host whose access has ended was told so already.
      if (!ours || error instanceof GrantLost || !completesDayOfFailures(failures)) return false
      const now = context.now()
      const data = { calendarId: calendar.id }
      await insertJobs(trx, [{ kind: 'calendar-failed', lane: null, data, dueAt: now }], now)
      return true
    })
    if (mails) context.outbox.wake()
    return
  }
  const now = context.now()
  const known = {
    ...read.version,
    skipped: read.reading?.skipped ?? calendar.skipped,
    refreshedAt: now,
    nextRefreshAt: now + REFRESH_EVERY,
    failures: 0,
    lastError: '',
  }
  const changed = await db.transaction().execute(async (trx) => {
    const different = read.reading && (await compareBusyTimes(trx, calendar.id, read.reading.busy))
    // Lock the host's row first, as every change to settings does; another order could deadlock.
    if (different !== undefined) await bumpRevisions(trx, [calendar.userId])
    const ours = await updateRefreshState(trx, calendar.id, leasedUntil, known, calendar.notices)
    if (!ours) return false
    if (read.items?.isFull) await deleteItems(trx, calendar.id)
    if (read.items) await changeItems(trx, calendar.id, read.items.changes)
    for (const { entry, difference } of read.reading?.compared ?? []) {
      const key = { calendarId: calendar.id, meetingId: entry.meetingId }
      await updateDifference(trx, key, entry.version, difference, now)
    }
    if (different === undefined) return false
    await changeBusyTimes(trx, calendar, different)
    return true
  })
  if (changed) context.slots.settingsChanged([calendar.userId])
}

/** Throws `ServerFailure` with the reason if this calendar cannot be read. */
export async function requireReadable(context: Context, calendar: StoredCalendar): Promise<void> {
  try {
    await readCalendar(context, calendar)
  } catch (error) {
    throw error instanceof ServerFailure ? error : new ServerFailure(sentenceFor(error), { cause: error })
  }
}

interface Reading {
  readonly version: CalendarVersion
  /** Undefined if nothing has changed since the last refresh. */
  readonly reading: ReadCalendar | undefined
  /** What has changed in a provider's calendar. */
  readonly items?: Pick<ProviderReading, 'isFull' | 'changes'>
}

interface ReadCalendar extends Pick<BusyReading, 'busy' | 'skipped'> {
  /** The meetings that we have written to it. */
  readonly compared: readonly ComparedEntry<UpcomingEntry>[]
}

async function readCalendar(context: Context, calendar: StoredCalendar): Promise<Reading> {
  const now = context.now()
  const host = await findUser(context.db, calendar.userId)
  if (host === undefined) throw new ServerFailure(sentence`The calendar has no owner.`)
  const { kind } = calendar
  if (isProviderKind(kind)) {
    const read = await readProvider(context, { ...calendar, kind }, host, AbortSignal.timeout(DEADLINE))
    const { busy, compared } = read
    return {
      version: { ...calendar, ...read.version, expandedAt: now },
      reading: { busy, compared, skipped: 0 },
      items: read,
    }
  }
  const server = serverOf(context, calendar, AbortSignal.timeout(DEADLINE))
  const mustExpand =
    calendar.expandedAt === null ||
    calendar.expandedAt <= now - EXPAND_EVERY ||
    calendar.expandedZone !== host.timeZone
  const known = mustExpand ? { etag: '', lastModified: '', ctag: '' } : calendar

  // Found before the calendar is read: an entry that is written meanwhile has another version.
  const entries =
    calendar.kind === 'feed'
      ? []
      : await findUpcomingEntries(context.db, calendar, { start: now, end: knownSpan(now).end })
  const answer =
    calendar.kind === 'feed'
      ? await readFeed(server, calendar, known)
      : await readCalDav(server, calendar, known, now)
  if (answer === undefined) return { version: calendar, reading: undefined }
  const { body, ...version } = answer
  const hosted = await findHostedIds(context.db, host.id, bookingIdsIn(body))
  const question: BusyQuestion = {
    span: knownSpan(now),
    timeZone: host.timeZone,
    // Our own bookings have claims already, and must not block their own rescheduling.
    own: [...new Set([...[...hosted].map(uidOf), ...entries.map(({ eventId }) => eventId)])],
    addresses: [host.email, calendar.username].map((address) => address.toLowerCase()),
  }
  const format = calendar.kind === 'feed' ? 'ics' : 'multistatus'
  const { zones } = context.slots
  const { own, busy, skipped } = await readBusyApart(host.id, { body, format, question }, zones)
  const compared = compareEntries(entries, own)
  const moved = compared.flatMap(({ busy }) => busy ?? []).filter((span) => overlaps(span, question.span))
  return {
    version: { ...version, expandedAt: now, expandedZone: host.timeZone },
    reading: { busy: merge([...busy, ...moved, unknownSpan(now)]), skipped, compared },
  }
}

type Known = Pick<CalendarVersion, 'etag' | 'lastModified' | 'ctag'>
type Answer = (CalendarVersion & { readonly body: string }) | undefined

async function readFeed(
  server: ReturnType<typeof serverOf>,
  { url }: StoredCalendar,
  known: Known,
): Promise<Answer> {
  const answer = await ask(server, {
    method: 'GET',
    url,
    headers: {
      accept: 'text/calendar, */*;q=0.5',
      ...(known.etag !== '' && { 'if-none-match': known.etag }),
      ...(known.lastModified !== '' && { 'if-modified-since': known.lastModified }),
    },
  })
  if (answer.status === 304) return undefined
  requireSuccess(answer)
  const { etag = '', 'last-modified': lastModified = '' } = answer.headers
  return { ...NO_VERSION, body: answer.text, etag, lastModified }
}

async function readCalDav(
  server: ReturnType<typeof serverOf>,
  { url }: StoredCalendar,
  known: Known,
  now: number,
): Promise<Answer> {
  // Read before the events, so that a change in between is found by the next refresh.
  const ctag = await findCtag(server, url)
  if (ctag !== '' && ctag === known.ctag) return undefined
  return { ...NO_VERSION, body: await queryEvents(server, url, knownSpan(now)), ctag }
}

/** Ids of bookings that the text may contain: its UIDs that look like ours. */
export function bookingIdsIn(text: string): string[] {
  const found = text.matchAll(/UID:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@punctual\b/gi)
  return [...new Set([...found].map(([, id = '']) => id.toLowerCase()))]
}

/** Milliseconds that a provider asks us to wait. */
const retryAfterOf = (error: unknown) => (error instanceof ProviderFailure && error.retryAfter) || 0

function sentenceFor(error: unknown): Sentence {
  if (error instanceof ServerFailure || error instanceof ProviderFailure) return error.sentence
  if ((error as Error).name === 'NotACalendar') {
    return sentence`What is at this address is not a calendar.`
  }
  if ((error as Error).name === 'CutShort') return sentence`The calendar arrived incomplete.`
  return sentence`The calendar could not be read.`
}
