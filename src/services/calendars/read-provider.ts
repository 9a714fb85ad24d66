import { uidOf } from '../../domain/bookings/booking.ts'
import {
  type CalendarVersion,
  knownSpan,
  type ProviderKind,
  unknownSpan,
} from '../../domain/calendars/calendar.ts'
import { type ComparedEntry, compareEntries } from '../../domain/calendars/difference.ts'
import {
  applyChanges,
  busyOfItems,
  type CalendarItem,
  type ItemChanges,
} from '../../domain/calendars/item.ts'
import { DAY, type Interval, merge, overlaps, without } from '../../domain/interval.ts'
import type { User } from '../../domain/people/user.ts'
import { sentence } from '../../domain/sentence.ts'
import { type EventQuestion, findGoogleBusy, readGoogleEvents } from '../../outside/google-events.ts'
import { findMicrosoftEvents, readMicrosoftEvents } from '../../outside/microsoft-events.ts'
import { GrantLost } from '../../outside/oauth.ts'
import { type Access, ProviderFailure } from '../../outside/provider.ts'
import { findHostedIds } from '../../store/bookings/hosted.ts'
import type { StoredCalendar } from '../../store/calendars/calendars.ts'
import { findUpcomingEntries, type UpcomingEntry } from '../../store/calendars/entries.ts'
import { findItems } from '../../store/calendars/items.ts'
import { findUser } from '../../store/people/users.ts'
import type { Context } from '../context.ts'
import { endRefusedAccess, providerOf, withAccess } from './access-token.ts'

const READERS: Readonly<
  Record<ProviderKind, (apiUrl: string, access: Access, question: EventQuestion) => Promise<ItemChanges>>
> = { google: readGoogleEvents, microsoft: readMicrosoftEvents }

/** Read ahead of what is needed, because each full reading fixes the span for the changes that follow it. */
const AHEAD = 31 * DAY

/** A provider's calendar after a reading. */
export interface ProviderReading {
  readonly version: Pick<CalendarVersion, 'syncToken' | 'syncedUntil' | 'expandedZone'>
  /** Whether `changes` has all events, so that no other is left. */
  readonly isFull: boolean
  readonly changes: ItemChanges
  readonly busy: readonly Interval[]
  readonly compared: readonly ComparedEntry<UpcomingEntry>[]
}

/** Reads what has changed in a calendar of a connected account. Throws `ProviderFailure` if that is not possible. */
export async function readProvider(
  context: Context,
  calendar: StoredCalendar & { readonly kind: ProviderKind },
  host: User,
  signal: AbortSignal,
): Promise<ProviderReading> {
  const now = context.now()
  const span = knownSpan(now)
  // Found before the calendar is read: an entry that is written meanwhile has another version.
  const entries = await findUpcomingEntries(context.db, calendar, { start: now, end: span.end })
  const { isFull, changes, syncedUntil } = await readChanges(context, calendar, span, signal)
  const items = applyChanges(isFull ? [] : await findItems(context.db, calendar.id), changes)

  const expandedZone = changes.timeZone ?? host.timeZone
  const zone = context.slots.zones.find(expandedZone) ?? context.slots.zones.get(host.timeZone)
  const { busy, own } = busyOfItems(items, {
    span,
    zone,
    ownUid: await ownEvents(context, host, entries, items),
  })
  const compared = compareEntries(entries, own)
  const moved = compared.flatMap((one) => one.busy ?? []).filter((one) => overlaps(one, span))
  return {
    version: { syncToken: changes.cursor, syncedUntil, expandedZone },
    isFull,
    changes,
    busy: merge([...busy, ...moved, unknownSpan(now)]),
    compared,
  }
}

/** When a calendar of a connected account is busy within a span, asked at this moment. */
export async function askProviderCalendar(
  context: Context,
  calendar: StoredCalendar & { readonly kind: ProviderKind },
  span: Interval,
  signal: AbortSignal,
): Promise<readonly Interval[]> {
  const { kind, connectionId, externalId, userId } = calendar
  const now = context.now()
  const { apiUrl } = providerOf(context, kind)
  const [host, entries] = await Promise.all([
    findUser(context.db, userId),
    findUpcomingEntries(context.db, calendar, { start: now, end: knownSpan(now).end }),
  ])
  if (host === undefined) throw new ProviderFailure('refused', sentence`The calendar has no owner.`)
  const ask = <T>(call: (access: Access) => Promise<T>) =>
    withAccess(context, connectionId ?? '', call, signal)
  if (kind === 'google') {
    const busy = await ask((access) => findGoogleBusy(apiUrl, access, { externalId, span }))
    // Meetings that we wrote there take their time by their claims.
    return without(merge(busy), merge(entries)).filter((one) => overlaps(one, span))
  }
  const items = await ask((access) => findMicrosoftEvents(apiUrl, access, { externalId, span }))
  const zone = context.slots.zones.get(host.timeZone)
  const { busy, own } = busyOfItems(items, {
    span,
    zone,
    ownUid: await ownEvents(context, host, entries, items),
  })
  const moved = compareEntries(entries, own).flatMap((one) => one.busy ?? [])
  return merge([...busy, ...moved.filter((one) => overlaps(one, span))])
}

async function readChanges(
  context: Context,
  {
    kind,
    connectionId,
    externalId,
    syncToken,
    syncedUntil,
  }: StoredCalendar & { readonly kind: ProviderKind },
  span: Interval,
  signal: AbortSignal,
) {
  const { apiUrl } = providerOf(context, kind)
  const ask = (cursor: string, asked: Interval) =>
    withAccess(
      context,
      connectionId ?? '',
      (access) => READERS[kind](apiUrl, access, { externalId, cursor, span: asked }),
      signal,
    ).catch(async (error) => {
      const isRefused = error instanceof ProviderFailure && error.code === 'unauthorized'
      if (!isRefused || error instanceof GrantLost) throw error
      throw await endRefusedAccess(context, connectionId ?? '', error)
    })
  if (syncToken !== '' && syncedUntil !== null && syncedUntil >= span.end) {
    try {
      return { isFull: false, changes: await ask(syncToken, span), syncedUntil }
    } catch (error) {
      // The provider no longer knows what we have read, so we read everything.
      if (!(error instanceof ProviderFailure) || error.code !== 'gone') throw error
    }
  }
  const wide = { start: span.start, end: span.end + AHEAD }
  try {
    return { isFull: true, changes: await ask('', wide), syncedUntil: wide.end }
  } catch (error) {
    if (!(error instanceof ProviderFailure) || ![404, 410].includes(error.status ?? 0)) throw error
    const reason = sentence`This calendar was deleted, or is no longer shared with the connected account.`
    throw new ProviderFailure('refused', reason, { cause: error })
  }
}

/** Finds the UID of events that are ours: by the id that we have stored, or by one of our bookings' ids in the event. */
async function ownEvents(
  context: Context,
  host: User,
  entries: readonly UpcomingEntry[],
  items: readonly CalendarItem[],
): Promise<(item: CalendarItem) => string | undefined> {
  const written = new Map(entries.map(({ href, eventId }) => [href, eventId]))
  const ids = items.flatMap(({ uid }) => OUR_UID.exec(uid)?.[1]?.toLowerCase() ?? [])
  const hosted = await findHostedIds(context.db, host.id, [...new Set(ids)])
  const uids = new Set([...[...hosted].map(uidOf), ...entries.map(({ eventId }) => eventId)])
  return ({ externalId, uid }) => written.get(externalId) ?? (uids.has(uid) ? uid : undefined)
}

const OUR_UID = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@punctual$/i
