import {
  type CalendarVersion,
  completesDayOfFailures,
  EXPAND_EVERY,
  knownSpan,
  REFRESH_EVERY,
  unknownSpan,
  waitAfter,
} from '../../domain/calendars/calendar.ts'
import { merge } from '../../domain/interval.ts'
import { NOTHING, type Sentence, say, sentence } from '../../domain/sentence.ts'
import { GrantLost } from '../../outside/accounts/oauth.ts'
import { ProviderFailure } from '../../outside/accounts/provider.ts'
import { ServerFailure } from '../../outside/calendars/calendar-server.ts'
import type { ChangedItems } from '../../outside/kinds/calendar-source.ts'
import { isCalendarDeleted } from '../../outside/kinds/event-calendar.ts'
import { changeBusyTimes, compareBusyTimes } from '../../store/calendars/busy-times.ts'
import {
  findDueCalendars,
  leaseCalendar,
  renewCalendar,
  type StoredCalendar,
  updateRefreshState,
} from '../../store/calendars/calendars.ts'
import { findUpcomingEntries, updateDifference } from '../../store/calendars/entries.ts'
import { changeItems, deleteItems, findItems } from '../../store/calendars/items.ts'
import { insertJobs } from '../../store/outbox.ts'
import { bumpRevisions } from '../../store/people/schedulers.ts'
import { findUser } from '../../store/people/users.ts'
import type { Context } from '../context.ts'
import { endRefusedAccess } from './access-token.ts'
import { followEntry } from './follow-entry.ts'
import { calendarFailedJob } from './jobs.ts'
import { sourceOf, withCalendar } from './opened-calendar.ts'
import { type ReadCalendar, readContent } from './read-content.ts'

/** Reading a calendar is given up after this time. */
const DEADLINE = 45_000
/** Renewed while a calendar is read: if this process dies, others soon get the calendar. */
const LEASE = 9000
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

/**
 * Reads one calendar now, and returns true; false if someone else is reading it. If reading fails, its last known busy
 * times stay.
 */
export async function refreshCalendar(context: Context, calendar: StoredCalendar): Promise<boolean> {
  const { db } = context
  const leasedUntil = context.now() + LEASE
  if (!(await leaseCalendar(db, calendar, leasedUntil, LEASE))) return false
  // A lease that can't be renewed ends, and then what was read is not stored.
  const renewal = setInterval(
    () => renewCalendar(db, { id: calendar.id, leasedUntil }, LEASE).catch(() => {}),
    LEASE / 3,
  )
  let read: Reading
  try {
    read = await readCalendar(context, calendar).finally(() => clearInterval(renewal))
  } catch (error) {
    const failures = calendar.failures + 1
    const nextRefreshAt = context.now() + Math.max(waitAfter(failures), retryAfterOf(error))
    const lastError = sentenceFor(error)
    const known = { ...calendar, failures, lastError, nextRefreshAt }
    const mails = await db.transaction().execute(async (trx) => {
      const ours = await updateRefreshState(trx, { id: calendar.id, leasedUntil }, known, calendar.notices)
      // A host whose access has ended was told so already. A deleted calendar does not come back: they are told at once.
      const isNew = say(lastError) !== say(calendar.lastError)
      const tells = isCalendarDeleted(error) ? isNew : completesDayOfFailures(failures)
      if (!ours || error instanceof GrantLost || !tells) return false
      await insertJobs(trx, [calendarFailedJob(calendar, context.now())], context.now())
      return true
    })
    if (mails) context.outbox.wake()
    return true
  }
  const now = context.now()
  const known = {
    ...read.version,
    skipped: read.reading?.skipped ?? calendar.skipped,
    refreshedAt: now,
    nextRefreshAt: now + REFRESH_EVERY,
    failures: 0,
    lastError: NOTHING,
  }
  const changed = await db.transaction().execute(async (trx) => {
    const different = read.reading && (await compareBusyTimes(trx, calendar.id, read.reading.busy))
    // Lock the host's row first, as every change to settings does; another order could deadlock.
    if (different !== undefined) await bumpRevisions(trx, [calendar.userId])
    const ours = await updateRefreshState(trx, { id: calendar.id, leasedUntil }, known, calendar.notices)
    if (!ours) return false
    if (read.items?.isFull) await deleteItems(trx, calendar.id)
    if (read.items) await changeItems(trx, calendar.id, read.items.changes)
    for (const { entry, difference } of read.reading?.compared ?? []) {
      const key = { calendarId: calendar.id, meetingId: entry.meetingId }
      await updateDifference(trx, { ...key, version: entry.version }, difference, now)
    }
    if (different === undefined) return false
    await changeBusyTimes(trx, calendar, different)
    return true
  })
  if (changed) context.slots.settingsChanged([calendar.userId])
  return true
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
  readonly items?: ChangedItems | undefined
}

async function readCalendar(context: Context, calendar: StoredCalendar): Promise<Reading> {
  const { db } = context
  const now = context.now()
  const host = await findUser(db, calendar.userId)
  if (host === undefined) throw new ServerFailure(sentence`The calendar has no owner.`)
  const source = sourceOf(context, calendar)
  const span = knownSpan(now)
  const mustExpand =
    calendar.expandedAt === null ||
    calendar.expandedAt <= now - EXPAND_EVERY ||
    calendar.expandedZone !== host.timeZone
  const known = mustExpand ? { ...calendar, etag: '', lastModified: '', ctag: '' } : calendar

  // Found before the calendar is read: an entry that is written meanwhile has another version.
  const entries =
    source.write === undefined ? [] : await findUpcomingEntries(db, calendar, { start: now, end: span.end })
  const content = await withCalendar(context, calendar, AbortSignal.timeout(DEADLINE), (opened) =>
    source.read(opened, known, span, () => findItems(db, calendar.id)),
  ).catch((error) => endIfRefused(context, calendar, error))
  if (content === undefined) return { version: calendar, reading: undefined }
  const { busy, ...reading } = await readContent(context, content, { host, calendar, span, entries })
  await followMoved(context, calendar, reading.compared)
  return {
    version: { ...content.version, expandedAt: now, expandedZone: content.timeZone ?? host.timeZone },
    reading: { ...reading, busy: merge([...busy, unknownSpan(now)]) },
    items: content.items,
  }
}

/** Looks in the host's other calendars for what they have just deleted in this one. */
async function followMoved(
  context: Context,
  calendar: StoredCalendar,
  compared: ReadCalendar['compared'],
): Promise<void> {
  for (const { entry, difference } of compared) {
    if (difference?.kind !== 'deleted' || entry.isKnownDeleted) continue
    const key = { calendarId: calendar.id, meetingId: entry.meetingId }
    // It is looked for again before it is next written.
    await followEntry(context, { ...key, calendar, uid: entry.eventId }).catch(() => {})
  }
}

/** Ends the connection if the provider has refused a new access token as well. */
async function endIfRefused(
  context: Context,
  { connectionId }: StoredCalendar,
  error: unknown,
): Promise<never> {
  const isRefused = error instanceof ProviderFailure && error.code === 'unauthorized'
  if (!isRefused || error instanceof GrantLost) throw error
  throw await endRefusedAccess(context, connectionId ?? '', error)
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
