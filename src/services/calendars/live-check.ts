import { knownSpan } from '../../domain/calendars/calendar.ts'
import { type Interval, MINUTE } from '../../domain/interval.ts'
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

/** More checks of one host at a time are not begun: a calendar that hangs must not collect requests. */
const MOST_AT_ONCE = 4

/** How many checks of each host's calendars are under way in this process. */
const underWay = new Map<string, number>()

export interface LiveCheckResult {
  /** Hosts who are busy in that span, by a calendar of theirs. */
  readonly busy: readonly string[]
  /** Hosts with a calendar that didn't answer. */
  readonly unknown: readonly string[]
}

/**
 * Asks these hosts' calendars about one span, unless they were read within the last minute.
 *
 * What is found there is stored at once, so that the time leaves the listing. It waits for other servers, so it must
 * not be called within a transaction.
 */
export async function checkCalendars(
  context: Context,
  hostIds: readonly string[],
  span: Interval,
  signal: AbortSignal,
): Promise<LiveCheckResult> {
  const oldest = context.now() - FRESH_FOR
  const calendars = await findLiveCalendars(context.db, hostIds, context.kinds.names.live)
  const stale = calendars.filter(({ refreshedAt }) => refreshedAt === null || refreshedAt < oldest)
  const byHost = [...Map.groupBy(stale, ({ userId }) => userId)]
  const answers = await Promise.all(
    byHost.map(async ([hostId, own]) => ({
      hostId,
      ...(await checkHost(context, { hostId, calendars: own }, span, signal)),
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
  { hostId, calendars }: { readonly hostId: string; readonly calendars: readonly StoredCalendar[] },
  span: Interval,
  signal: AbortSignal,
): Promise<HostAnswer> {
  const running = underWay.get(hostId) ?? 0
  if (running >= MOST_AT_ONCE) return { isBusy: false, isUnknown: true }
  underWay.set(hostId, running + 1)
  try {
    const answers = await Promise.all(calendars.map((calendar) => askUntil(context, calendar, span, signal)))
    const found = calendars.flatMap((calendar, i) => {
      const busy = answers[i] ?? []
      return busy.length > 0 ? [{ calendar, busy }] : []
    })
    if (found.length > 0) await store(context, hostId, found)
    return { isBusy: found.length > 0, isUnknown: answers.includes(undefined) }
  } finally {
    const left = (underWay.get(hostId) ?? 1) - 1
    if (left === 0) underWay.delete(hostId)
    else underWay.set(hostId, left)
  }
}

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
    return await Promise.race([ask(context, calendar, span, signal), late.promise])
  } catch {
    return undefined
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
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
