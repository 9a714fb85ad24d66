import type { Selectable } from 'kysely'
import type { CalendarKind } from '../../domain/calendars/calendar.ts'
import type { Db, Trx } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'

/** A channel at a provider, by which it tells us that a calendar has changed. */
export interface Channel {
  readonly channelId: string
  /** The provider's own name for it. */
  readonly resourceId: string
}

/** What we know of a calendar's channel. */
export interface StoredChannel {
  readonly calendarId: string
  /** Undefined while there is none. */
  readonly channel: Channel | undefined
  readonly expiresAt: number
  readonly renewAt: number
  readonly failures: number
}

/** Makes a channel due for a calendar, unless it has one. */
export async function insertChannel(trx: Trx, calendarId: string, now: number): Promise<void> {
  await trx
    .insertInto('calendar_channels')
    .values({
      calendar_id: calendarId,
      resource_id: '',
      token_hash: '',
      expires_at: 0,
      renew_at: now,
      failures: 0,
    })
    .onConflict((conflict) => conflict.column('calendar_id').doNothing())
    .execute()
}

export async function findChannel(db: Db, calendarId: string): Promise<StoredChannel | undefined> {
  const row = await db
    .selectFrom('calendar_channels')
    .selectAll()
    .where('calendar_id', '=', calendarId)
    .executeTakeFirst()
  return row && fromRow(row)
}

/** Calendars whose channel has to be opened or renewed, the longest due first. */
export async function findDueChannels(db: Db, now: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('calendar_channels as h')
    .innerJoin('calendars as c', 'c.id', 'h.calendar_id')
    .innerJoin('schedulers as s', 's.id', 'c.user_id')
    .select('h.calendar_id')
    .where('h.renew_at', '<=', now)
    .where('s.disabled_at', 'is', null)
    .orderBy('h.renew_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.calendar_id)
}

/** Postpones a channel that is due, so that no other instance sees to it. Returns false if another one does. */
export async function leaseChannel(
  db: Db,
  { calendarId, renewAt }: Pick<StoredChannel, 'calendarId' | 'renewAt'>,
  until: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('calendar_channels')
    .set({ renew_at: until })
    .where('calendar_id', '=', calendarId)
    .where('renew_at', '=', renewAt)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** A channel that was opened; without a hash, one whose end was put off. */
export interface OpenedChannel extends Channel {
  readonly tokenHash?: string
  readonly expiresAt: number
  readonly renewAt: number
}

/** Stores a channel that works. Returns false if the lease was lost. */
export async function updateOpened(
  db: Db,
  calendarId: string,
  leasedUntil: number,
  opened: OpenedChannel,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('calendar_channels')
    .set({
      channel_id: opened.channelId,
      resource_id: opened.resourceId,
      ...(opened.tokenHash !== undefined && { token_hash: opened.tokenHash }),
      expires_at: opened.expiresAt,
      renew_at: opened.renewAt,
      failures: 0,
    })
    .where('calendar_id', '=', calendarId)
    .where('renew_at', '=', leasedUntil)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Stores when to try again. */
export async function updateFailed(
  db: Db,
  calendarId: string,
  leasedUntil: number,
  { renewAt, failures }: Pick<StoredChannel, 'renewAt' | 'failures'>,
): Promise<void> {
  await db
    .updateTable('calendar_channels')
    .set({ renew_at: renewAt, failures })
    .where('calendar_id', '=', calendarId)
    .where('renew_at', '=', leasedUntil)
    .execute()
}

/** Makes these channels due. Those that the provider has ended are forgotten, so that others are opened. */
export async function renewSoon(
  trx: Trx,
  calendarIds: readonly string[],
  now: number,
  isEnded: boolean,
): Promise<void> {
  await trx
    .updateTable('calendar_channels')
    .set({
      renew_at: now,
      ...(isEnded && { channel_id: null, resource_id: '', token_hash: '', expires_at: 0 }),
    })
    .where('calendar_id', 'in', calendarIds)
    .execute()
}

/** Makes the channels of a connection's calendars due: it works again. */
export async function renewConnectionChannels(trx: Trx, connectionId: string, now: number): Promise<void> {
  await trx
    .updateTable('calendar_channels')
    .set({ renew_at: now })
    .where('calendar_id', 'in', (eb) =>
      eb.selectFrom('calendars').select('id').where('connection_id', '=', connectionId),
    )
    .execute()
}

/** Forgets the channel of a calendar, and returns what has to be ended at the provider. */
export async function deleteChannel(trx: Trx, calendarId: string): Promise<Channel | undefined> {
  const row = await trx
    .deleteFrom('calendar_channels')
    .where('calendar_id', '=', calendarId)
    .returningAll()
    .executeTakeFirst()
  return row && channelOf(row)
}

/** The channels of all calendars of a connection. */
export async function findChannelsOf(db: Db, connectionId: string): Promise<Channel[]> {
  const rows = await db
    .selectFrom('calendar_channels as h')
    .innerJoin('calendars as c', 'c.id', 'h.calendar_id')
    .select(['h.channel_id', 'h.resource_id'])
    .where('c.connection_id', '=', connectionId)
    .where('h.channel_id', 'is not', null)
    .orderBy('h.calendar_id')
    .execute()
  return rows.flatMap((row) => channelOf(row) ?? [])
}

/** A calendar that a provider may say something about, if it knows the token. */
interface WatchedCalendar {
  readonly calendarId: string
  readonly channelId: string
  readonly tokenHash: string
}

/** The calendars that a provider watches for us by these channels. */
export async function findWatched(
  db: Db,
  kind: CalendarKind,
  channelIds: readonly string[],
): Promise<WatchedCalendar[]> {
  if (channelIds.length === 0) return []
  const rows = await db
    .selectFrom('calendar_channels as h')
    .innerJoin('calendars as c', 'c.id', 'h.calendar_id')
    .select(['h.calendar_id', 'h.channel_id', 'h.token_hash'])
    .where('h.channel_id', 'in', channelIds)
    .where('c.kind', '=', kind)
    .orderBy('h.calendar_id')
    .execute()
  return rows.map((row) => ({
    calendarId: row.calendar_id,
    channelId: row.channel_id ?? '',
    tokenHash: row.token_hash,
  }))
}

const channelOf = (row: { channel_id: string | null; resource_id: string }): Channel | undefined =>
  row.channel_id === null ? undefined : { channelId: row.channel_id, resourceId: row.resource_id }

function fromRow(row: Selectable<Schema['calendar_channels']>): StoredChannel {
  return {
    calendarId: row.calendar_id,
    channel: channelOf(row),
    expiresAt: row.expires_at,
    renewAt: row.renew_at,
    failures: row.failures,
  }
}
