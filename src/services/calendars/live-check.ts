import { knownSpan } from '../../domain/calendars/calendar.ts'
import { type Interval, MINUTE, overlaps } from '../../domain/interval.ts'
import { sentence } from '../../domain/sentence.ts'
import { ServerFailure } from '../../outside/calendars/calendar-server.ts'
import { addBusyTimes } from '../../store/calendars/busy-times.ts'
import { findLiveCalendars, refreshAnew, type StoredCalendar } from '../../store/calendars/calendars.ts'
import { findUpcomingEntries } from '../../store/calendars/entries.ts'
import { bumpRevisions } from '../../store/people/schedulers.ts'
import { findUser } from '../../store/people/users.ts'
import type { Context } from '../context.ts'
import { sourceOf, withCalendar } from './opened-calendar.ts'
import { readContent } from './read-content.ts'

/** A calendar that was read within this time is not asked again. */
const FRESH_FOR = MINUTE

/** More questions to one calendar at a time are not asked: those that come then wait, and are asked as one. */
const MOST_AT_ONCE = 4

/** What is asked of each calendar in this process. */
const lines = new Map<string, Line>()

interface Line {
  underWay: number
  next?: Batch | undefined
}

/** One question for all who wait. */
interface Batch {
  span: Interval
  waiting: number
  /** Ends the question once nobody waits for its answer any more. */
  readonly ending: AbortController
  readonly answer: PromiseWithResolvers<readonly Interval[]>
}

interface LiveCheckResult {
  /** Hosts who are busy in one of these spans, by a calendar of theirs. */
  readonly busy: readonly string[]
  /** Hosts with a calendar that didn't answer. */
  readonly unknown: readonly string[]
}

/**
 * Asks these hosts' calendars about these spans, unless they were read within the last minute. Each calendar gets one
 * question, about all the time from the first span to the last.
 *
 * What is found there is stored at once, so that the time leaves the listing. It waits for other servers, so it must
 * not be called within a transaction.
 */
export async function checkCalendars(
  context: Context,
  hostIds: readonly string[],
  spans: readonly Interval[],
  signal: AbortSignal,
): Promise<LiveCheckResult> {
  const oldest = context.now() - FRESH_FOR
  const calendars = await findLiveCalendars(context.db, hostIds, context.kinds.names.live)
  const stale = calendars.filter(({ refreshedAt }) => refreshedAt === null || refreshedAt < oldest)
  const byHost = [...Map.groupBy(stale, ({ userId }) => userId)]
  const answers = await Promise.all(
    byHost.map(async ([hostId, own]) => ({
      hostId,
      ...(await checkHost(context, own, spans, signal)),
    })),
  )
  for (const { isBusy, isUnknown } of answers) {
    context.liveChecks[isBusy ? 'busy' : isUnknown ? 'unknown' : 'free']++
  }
  return {
    busy: answers.filter(({ isBusy }) => isBusy).map(({ hostId }) => hostId),
    unknown: answers.filter(({ isUnknown }) => isUnknown).map(({ hostId }) => hostId),
  }
}

interface HostAnswer {
  readonly isBusy: boolean
  readonly isUnknown: boolean
}

async function checkHost(
  context: Context,
  calendars: readonly StoredCalendar[],
  spans: readonly Interval[],
  signal: AbortSignal,
): Promise<HostAnswer> {
  const answers = await Promise.all(
    calendars.map((calendar) => askUntil(context, calendar, coverOf(spans), signal)),
  )
  const found = calendars.flatMap((calendar, i) => {
    const busy = (answers[i] ?? []).filter((time) => spans.some((span) => overlaps(time, span)))
    return busy.length > 0 ? [{ calendar, busy }] : []
  })
  const [first] = found
  if (first !== undefined) await store(context, first.calendar.userId, found)
  return { isBusy: found.length > 0, isUnknown: answers.includes(undefined) }
}

/** The time from the first of these to the last. */
const coverOf = (spans: readonly Interval[]): Interval => ({
  start: Math.min(...spans.map(({ start }) => start)),
  end: Math.max(...spans.map(({ end }) => end)),
})

/** The calendar's busy times in the span; undefined if it could not say in time. */
async function askUntil(
  context: Context,
  calendar: StoredCalendar,
  span: Interval,
  signal: AbortSignal,
): Promise<readonly Interval[] | undefined> {
  const late = Promise.withResolvers<undefined>()
  const giveUp = () => late.resolve(undefined)
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    signal.throwIfAborted()
    // Reading a long answer can take longer than its request, and knows no signal.
    return await Promise.race([askInLine(context, calendar, span, signal), late.promise])
  } catch {
    return undefined
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

/** Asks at once, or as soon as an earlier question is answered, together with everyone who waits for that. */
function askInLine(
  context: Context,
  calendar: StoredCalendar,
  span: Interval,
  signal: AbortSignal,
): Promise<readonly Interval[]> {
  const line = lines.get(calendar.id) ?? { underWay: 0 }
  lines.set(calendar.id, line)
  const { next } = line
  const batch = next ?? { span, waiting: 0, ending: new AbortController(), answer: Promise.withResolvers() }
  batch.span = coverOf([batch.span, span])
  batch.waiting++
  signal.addEventListener('abort', () => --batch.waiting > 0 || batch.ending.abort(), { once: true })
  if (next === undefined) {
    if (line.underWay < MOST_AT_ONCE) void askBatch(context, calendar, line, batch)
    else line.next = batch
  }
  return batch.answer.promise
}

async function askBatch(
  context: Context,
  calendar: StoredCalendar,
  line: Line,
  { span, ending: { signal }, answer }: Batch,
): Promise<void> {
  line.underWay++
  try {
    signal.throwIfAborted()
    answer.resolve(await ask(context, calendar, span, signal))
  } catch (error) {
    answer.reject(error)
  }
  line.underWay--
  const { next } = line
  line.next = undefined
  if (next !== undefined) void askBatch(context, calendar, line, next)
  else if (line.underWay === 0) lines.delete(calendar.id)
}

async function ask(
  context: Context,
  calendar: StoredCalendar,
  span: Interval,
  signal: AbortSignal,
): Promise<readonly Interval[]> {
  const { db } = context
  const now = context.now()
  const askSource = sourceOf(context, calendar).ask
  if (askSource === undefined) return []
  const [host, entries] = await Promise.all([
    findUser(db, calendar.userId),
    // All of them: the host may have moved an entry of another day to this time.
    findUpcomingEntries(db, calendar, { start: now, end: knownSpan(now).end }),
  ])
  if (host === undefined) throw new ServerFailure(sentence`The calendar has no owner.`)
  const content = await withCalendar(context, calendar, signal, (opened) => askSource(opened, span))
  return (await readContent(context, content, { host, calendar, span, entries })).busy
}

interface Found {
  readonly calendar: StoredCalendar
  readonly busy: readonly Interval[]
}

/** Stores busy times as a refresh would, and makes the calendars due for one. */
async function store(context: Context, hostId: string, found: readonly Found[]): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    // The host's row first, as in every change to settings.
    await bumpRevisions(trx, [hostId])
    for (const { calendar, busy } of found) {
      await addBusyTimes(trx, calendar, busy)
      await refreshAnew(trx, calendar.id, context.now())
    }
  })
  context.slots.settingsChanged([hostId])
}
