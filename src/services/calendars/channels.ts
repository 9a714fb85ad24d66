import { randomBytes, randomUUID } from 'node:crypto'
import { type CalendarKind, waitAfter } from '../../domain/calendars/calendar.ts'
import { DAY, MINUTE } from '../../domain/interval.ts'
import type { NewJob } from '../../domain/job.ts'
import { type Access, ProviderFailure } from '../../outside/accounts/provider.ts'
import type { ChannelProtocol } from '../../outside/kinds/event-channel.ts'
import { findAnyCalendar, noteChange, type StoredCalendar } from '../../store/calendars/calendars.ts'
import {
  type Channel,
  deleteChannel,
  findChannel,
  findDueChannels,
  insertChannel,
  leaseChannel,
  type OpenedChannel,
  type StoredChannel,
  updateFailed,
  updateOpened,
} from '../../store/calendars/channels.ts'
import type { Trx } from '../../store/engine/database.ts'
import { insertJobs } from '../../store/outbox.ts'
import type { Context } from '../context.ts'
import { hashSecret } from '../secret.ts'
import { providerOf, withAccess } from './access-token.ts'

/** How a kind of calendars tells of changes; undefined if it doesn't. */
export const channelsOf = ({ kinds }: Pick<Context, 'kinds'>, kind: CalendarKind) =>
  kinds.find(kind)?.calendar?.watch

/** Providers send notices to https addresses alone. Without them, calendars are only read every few minutes. */
export const canBeTold = ({ publicUrl }: Pick<Context, 'publicUrl'>) => publicUrl.startsWith('https:')

/** A channel that is no longer wanted. */
interface FormerChannel extends Channel {
  readonly kind: CalendarKind
  readonly connectionId: string
}

/** The data of a `calendar-channel` job: a calendar whose channel to see to, or a channel to end. */
export type ChannelWork = { readonly calendarId: string } | { readonly former: FormerChannel }

/** Opens or renews a calendar's channel. */
export function channelJob(calendarId: string, dueAt: number): NewJob {
  const data: ChannelWork = { calendarId }
  return { kind: 'calendar-channel', lane: `channel:${calendarId}`, data, dueAt }
}

/** Has a calendar watched by its provider, if it has one. Ring the outbox after the commit. */
export async function watchCalendar(context: Context, trx: Trx, { id, kind }: StoredCalendar): Promise<void> {
  if (channelsOf(context, kind) === undefined) return
  const now = context.now()
  await insertChannel(trx, id, now)
  if (canBeTold(context)) await insertJobs(trx, [channelJob(id, now)], now)
}

/** Ends the watch. Ring the outbox after the commit. */
export async function unwatchCalendar(context: Context, trx: Trx, calendar: StoredCalendar): Promise<void> {
  const { id, kind, connectionId } = calendar
  if (channelsOf(context, kind) === undefined) return
  const channel = await deleteChannel(trx, id)
  if (channel === undefined || connectionId === null) return
  const now = context.now()
  const data: ChannelWork = { former: { ...channel, kind, connectionId } }
  await insertJobs(trx, [{ kind: 'calendar-channel', lane: `channel:${id}`, data, dueAt: now }], now)
}

/** Ends a channel at its provider. If the provider refuses, the channel ends by itself within a week. */
export async function closeFormer(context: Context, former: FormerChannel): Promise<void> {
  const protocol = channelsOf(context, former.kind)
  if (protocol === undefined) return
  try {
    const { apiUrl } = providerOf(context, former.kind)
    await withAccess(context, former.connectionId, (access) => protocol.close(apiUrl, access, former))
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    if (error.code !== 'unauthorized' && error.code !== 'refused') throw error
  }
}

const BATCH = 100
const AT_ONCE = 4

/** Opens and renews all channels that are due. Safe to run in several instances at once. */
export async function keepChannels(context: Context): Promise<void> {
  if (!canBeTold(context)) return
  const due = (await findDueChannels(context.db, context.now(), BATCH)).values()
  const takeNext = async () => {
    for (const calendarId of due) await keepChannel(context, calendarId)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, takeNext))
}

/** Longer than the requests of one attempt may take. */
const LEASE = 2 * MINUTE

/**
 * Opens or renews a calendar's channel if that is due and no other instance is at it.
 *
 * A provider's failure is stored, not thrown: until the next attempt, the calendar is read every few minutes as it is
 * without a channel.
 */
export async function keepChannel(context: Context, calendarId: string): Promise<void> {
  const { db } = context
  const known = await findChannel(db, calendarId)
  const calendar = await findAnyCalendar(db, calendarId)
  if (known === undefined || calendar === undefined) return
  const protocol = channelsOf(context, calendar.kind)
  if (protocol === undefined) return
  const now = context.now()
  if (!canBeTold(context) || known.renewAt > now) return
  const leasedUntil = now + LEASE
  if (!(await leaseChannel(db, known, leasedUntil))) return
  const watched = { calendar, protocol }
  try {
    const opened = await openOrExtend(context, watched, known)
    if (await updateOpened(db, calendarId, leasedUntil, opened)) {
      // What has changed before the channel worked is told by nobody.
      await noteChange(db, calendarId, context.now())
      await closeReplaced(context, watched, known.channel, opened)
    } else if (opened.channelId !== known.channel?.channelId) {
      await close(context, watched, opened)
    }
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    const failures = known.failures + 1
    // Some calendars, such as those of holidays, can't be watched at all.
    const wait = error.code === 'refused' ? DAY : Math.max(waitAfter(failures), error.retryAfter ?? 0)
    await updateFailed(db, calendarId, leasedUntil, { renewAt: context.now() + wait, failures })
  }
}

interface WatchedCalendar {
  readonly calendar: StoredCalendar
  readonly protocol: ChannelProtocol
}

async function openOrExtend(
  context: Context,
  { calendar: { kind, connectionId, externalId }, protocol }: WatchedCalendar,
  { channel, expiresAt }: StoredChannel,
): Promise<OpenedChannel> {
  const { apiUrl } = providerOf(context, kind)
  return withAccess(context, connectionId ?? '', async (access) => {
    const now = context.now()
    if (channel !== undefined && expiresAt > now) {
      const extended = await protocol.extend(apiUrl, access, channel.resourceId, now)
      if (extended !== undefined) return { ...channel, ...renewalOf(extended, now) }
    }
    const [channelId, token] = [randomUUID(), randomBytes(32).toString('base64url')]
    const address = `${context.publicUrl}/api/hooks/${kind}`
    const opened = await protocol.open(apiUrl, access, { externalId, channelId, token, address, now })
    return { channelId, tokenHash: hashSecret(token), ...renewalOf(opened, now) }
  })
}

/** After two thirds of its time: enough is left for many attempts. */
function renewalOf({ resourceId, expiresAt }: { resourceId: string; expiresAt: number }, now: number) {
  return { resourceId, expiresAt, renewAt: now + Math.max(10 * MINUTE, ((expiresAt - now) * 2) / 3) }
}

/** Ends the channel before this one. If that fails, its notices are refused until it expires. */
async function closeReplaced(
  context: Context,
  watched: WatchedCalendar,
  former: Channel | undefined,
  { channelId }: Channel,
): Promise<void> {
  if (former === undefined || former.channelId === channelId) return
  await close(context, watched, former).catch((error) => {
    if (!(error instanceof ProviderFailure)) throw error
  })
}

const close = (context: Context, { calendar, protocol }: WatchedCalendar, channel: Channel) =>
  withAccess(context, calendar.connectionId ?? '', (access: Access) =>
    protocol.close(providerOf(context, calendar.kind).apiUrl, access, channel),
  )
