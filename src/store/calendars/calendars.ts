import { type Selectable, sql, type Updateable } from 'kysely'
import {
  CALENDAR_DELETED,
  type Calendar,
  type CalendarKind,
  type CalendarRefresh,
  type CalendarVersion,
  LONGEST_WAIT,
} from '../../domain/calendars/calendar.ts'
import type { Page } from '../../domain/cursor.ts'
import { DAY } from '../../domain/interval.ts'
import { NOTHING } from '../../domain/sentence.ts'
import type { Db, Trx } from '../engine/database.ts'
import { engine, type IdList } from '../engine/engine.ts'
import { pageById } from '../engine/paging.ts'
import { type Placeholder, prepared } from '../engine/prepared.ts'
import type { Schema } from '../engine/schema.ts'
import { isFree } from '../leases.ts'
import { pairOf, sentenceFrom } from '../sentences.ts'

/** A connected calendar with the state of its refreshes. */
export interface StoredCalendar extends Calendar, CalendarRefresh, CalendarVersion {
  /** How often its provider has said that something changed, or we have written to it. */
  readonly notices: number
}

export async function findCalendar(db: Db, userId: string, id: string): Promise<StoredCalendar | undefined> {
  const row = await db
    .selectFrom('calendars')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && fromRow(row)
}

/** A calendar of any user: for the service's own work. */
export async function findAnyCalendar(db: Db, id: string): Promise<StoredCalendar | undefined> {
  const row = await db.selectFrom('calendars').selectAll().where('id', '=', id).executeTakeFirst()
  return row && fromRow(row)
}

/** Calendars of a user, oldest first, after the one with id `after`. */
/** The hosts of these calendars, by calendar. */
export async function findCalendarHosts(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('calendars').select(['id', 'user_id']).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row.user_id]))
}

export async function findCalendarPage(db: Db, userId: string, page: Page): Promise<StoredCalendar[]> {
  const rows = await db
    .selectFrom('calendars')
    .selectAll()
    .where('user_id', '=', userId)
    .$call(pageById(page))
    .execute()
  return rows.map(fromRow)
}

/** Whether this calendar of a connected account is connected already. */
export async function isProviderCalendar(db: Db, connectionId: string, externalId: string): Promise<boolean> {
  const row = await db
    .selectFrom('calendars')
    .select('id')
    .where('connection_id', '=', connectionId)
    .where('external_id', '=', externalId)
    .executeTakeFirst()
  return row !== undefined
}

export async function countCalendars(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('calendars')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertCalendar(trx: Trx, calendar: StoredCalendar): Promise<void> {
  await trx
    .insertInto('calendars')
    .values({
      id: calendar.id,
      user_id: calendar.userId,
      kind: calendar.kind,
      connection_id: calendar.connectionId,
      external_id: calendar.externalId,
      writable: calendar.writable ? 1 : 0,
      created_at: calendar.createdAt,
      ...settingsRow(calendar),
      ...refreshRow(calendar),
    })
    .execute()
}

/** Updates the host's settings, and the refresh state, which they may reset. That ends a lease, too. */
export async function updateCalendar(trx: Trx, calendar: StoredCalendar): Promise<void> {
  await trx
    .updateTable('calendars')
    .set({ ...settingsRow(calendar), ...refreshRow(calendar) })
    .where('id', '=', calendar.id)
    .execute()
}

/**
 * Stores the result of a refresh. Returns false if the lease was lost or the calendar was changed.
 *
 * A notice that came after those that were `seen` may be about a change that was not read: the calendar stays due,
 * unless it fails. If we have written to it meanwhile, its ctag is not kept.
 */
export async function updateRefreshState(
  db: Db,
  { id, leasedUntil }: LeasedCalendar,
  known: CalendarRefresh & CalendarVersion,
  seen: number,
): Promise<boolean> {
  const { refreshedAt, nextRefreshAt, failures } = known
  const soonest = failures > 0 ? nextRefreshAt : (refreshedAt ?? nextRefreshAt)
  const { numUpdatedRows } = await db
    .updateTable('calendars')
    .set((eb) => {
      const isRead = eb('notices', '=', seen)
      // Without an account, only our own writes are counted, and we know what we wrote.
      const canWait = eb.or([isRead, eb('connection_id', 'is', null)])
      return {
        ...refreshRow(known),
        ctag: eb.case().when(isRead).then(known.ctag).else('').end(),
        next_refresh_at: eb.case().when(canWait).then(sql.lit(nextRefreshAt)).else(sql.lit(soonest)).end(),
      }
    })
    .where('id', '=', id)
    .where('next_refresh_at', '=', leasedUntil)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Notes that we have written to a calendar that has a ctag, so that the next refresh reads its events.
 *
 * Some servers compute the ctag from the events. After a host has undone what we wrote, the ctag is the one from before,
 * but our entry no longer is.
 */
export async function forgetCtag(db: Db, id: string): Promise<void> {
  await db
    .updateTable('calendars')
    .set((eb) => ({ ctag: '', notices: eb('notices', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Stores that a provider no longer has a calendar. Returns false if that was known. */
export async function noteDeleted(trx: Trx, id: string): Promise<boolean> {
  const { text, parts } = pairOf(CALENDAR_DELETED)
  const { numUpdatedRows } = await trx
    .updateTable('calendars')
    .set((eb) => ({ last_error: text, last_error_parts: parts, failures: eb('failures', '+', 1) }))
    .where('id', '=', id)
    .where('last_error', '<>', text)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Stores that a calendar is there again that its provider did not have. */
export async function noteFound(db: Db, id: string): Promise<void> {
  const { text, parts } = pairOf(NOTHING)
  await db
    .updateTable('calendars')
    .set({ last_error: text, last_error_parts: parts, failures: 0 })
    .where('id', '=', id)
    .where('last_error', '=', pairOf(CALENDAR_DELETED).text)
    .execute()
}

/** Makes a calendar due, even if its host has changed nothing. */
export async function refreshSoon(db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable('calendars')
    .set({ next_refresh_at: now })
    .where('id', '=', id)
    .where('next_refresh_at', '>', now)
    .where(isFree(db, 'leased_until'))
    .execute()
}

/** How long to wait for more after a provider has said that something changed: changes often come together. */
const DEBOUNCE = 2000

/** Notes that a provider says that a calendar has changed. One that fails keeps waiting, as its provider may have asked. */
export async function noteChange(db: Db, id: string, now: number): Promise<void> {
  const soon = now + DEBOUNCE
  await db
    .updateTable('calendars')
    .set((eb) => ({
      notices: eb('notices', '+', 1),
      next_refresh_at: eb
        .case()
        .when(
          eb.and([
            eb('failures', '=', 0),
            eb('next_refresh_at', '>', soon),
            // While it is being read, this is how the reader knows its lease.
            isFree(db, 'leased_until'),
          ]),
        )
        .then(sql.lit(soon))
        .else(eb.ref('next_refresh_at'))
        .end(),
    }))
    .where('id', '=', id)
    .execute()
}

/**
 * Makes a calendar due, because more was found in it than the last refresh knew.
 *
 * A refresh that is under way began before that, so it loses its lease. A provider's list of changes goes on where it was.
 */
export async function refreshAnew(trx: Trx, id: string, now: number): Promise<void> {
  await trx
    .updateTable('calendars')
    .set({ next_refresh_at: now, leased_until: 0, etag: '', last_modified: '', ctag: '' })
    .where('id', '=', id)
    .execute()
}

/** Makes the calendars of a connection due: it works again. */
export async function refreshConnectionSoon(trx: Trx, connectionId: string, now: number): Promise<void> {
  await trx
    .updateTable('calendars')
    .set({ next_refresh_at: now })
    .where('connection_id', '=', connectionId)
    .where('next_refresh_at', '>', now)
    .where(isFree(trx, 'leased_until'))
    .execute()
}

/** Calendars of these users that block time and are of one of these kinds. */
export async function findLiveCalendars(
  db: Db,
  userIds: readonly string[],
  kinds: readonly CalendarKind[],
): Promise<StoredCalendar[]> {
  if (userIds.length === 0) return []
  const rows = await db
    .selectFrom('calendars')
    .selectAll()
    .where('user_id', 'in', userIds)
    .where('busy', '=', sql.lit(1))
    .where('kind', 'in', kinds)
    .orderBy('id')
    .execute()
  return rows.map(fromRow)
}

/** A host's other calendars that are read or written, and to which we may write. */
export async function findOtherCalendars(
  db: Db,
  { id, userId }: Pick<Calendar, 'id' | 'userId'>,
): Promise<StoredCalendar[]> {
  const rows = await db
    .selectFrom('calendars')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '<>', id)
    .where('writable', '=', 1)
    .where((eb) => eb.or([eb('busy', '=', 1), eb('write_to', '=', 1)]))
    .orderBy('id')
    .execute()
  return rows.map(fromRow)
}

export async function deleteCalendar(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('event_types')
    .set({ write_to_calendar_id: null })
    .where('write_to_calendar_id', '=', id)
    .execute()
  await trx.deleteFrom('calendars').where('id', '=', id).execute()
}

/** Leaves the user without a calendar that bookings are written to. */
export async function clearWriteTo(trx: Trx, userId: string): Promise<void> {
  await trx
    .updateTable('calendars')
    .set({ write_to: 0 })
    .where('user_id', '=', userId)
    .where('write_to', '=', 1)
    .execute()
}

/** A calendar that bookings are written to. */
export interface WriteCalendar extends Pick<Calendar, 'id' | 'userId' | 'kind' | 'connectionId'> {
  /** Whether its host has chosen it for all bookings; otherwise an event type has. */
  readonly writeTo: boolean
}

/** The calendars that these users have chosen for their bookings, and those of them with one of these ids. */
export async function findWriteTo(
  db: Db,
  userIds: readonly string[],
  ids: readonly string[] = [],
): Promise<WriteCalendar[]> {
  if (userIds.length === 0) return []
  const { rows } = await writeTo(db, { userIds: engine(db).idList(userIds), ids: engine(db).idList(ids) })
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    kind: row.kind,
    connectionId: row.connection_id,
    writeTo: row.write_to === 1,
  }))
}

const writeTo = prepared((db, value: Placeholder<{ userIds: IdList; ids: IdList }>) =>
  db
    .selectFrom('calendars')
    .select(['id', 'user_id', 'kind', 'connection_id', 'write_to'])
    .where(engine(db).isAmong('user_id', value('userIds')))
    // As the index has it: with a placeholder, SQLite would prepare the statement again for each value.
    .where((eb) => eb.or([eb('write_to', '=', eb.lit(1)), engine(db).isAmong('id', value('ids'))]))
    .orderBy('id'),
)

/** Calendars that are due for a refresh, those with the fewest failures first. */
export async function findDueCalendars(db: Db, now: number, limit: number): Promise<StoredCalendar[]> {
  const rows = await db
    .selectFrom('calendars as c')
    .innerJoin('schedulers as s', 's.id', 'c.user_id')
    .selectAll('c')
    // Written out: only then SQLite uses the partial index.
    .where('c.busy', '=', sql.lit(1))
    // A refresh that is too far away was scheduled before the clock was set back.
    .where((eb) =>
      eb.or([eb('c.next_refresh_at', '<=', now), eb('c.next_refresh_at', '>', now + LONGEST_WAIT + DAY)]),
    )
    .where(isFree(db, 'c.leased_until'))
    .where('s.disabled_at', 'is', null)
    .orderBy('c.failures')
    .orderBy('c.next_refresh_at')
    .limit(limit)
    .execute()
  return rows.map(fromRow)
}

/** A calendar that is being read, and how its reader knows the lease. */
interface LeasedCalendar {
  readonly id: string
  readonly leasedUntil: number
}

/**
 * Leases a calendar for a refresh by postponing the next one. Returns false if another instance has it.
 *
 * The lease goes by the database's clock. `until` goes by ours, and tells whether the lease is still the same.
 */
export async function leaseCalendar(
  db: Db,
  { id, nextRefreshAt }: Pick<StoredCalendar, 'id' | 'nextRefreshAt'>,
  until: number,
  lease: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('calendars')
    .set({ next_refresh_at: until, leased_until: sql`${engine(db).now} + ${lease}` })
    .where('id', '=', id)
    .where('next_refresh_at', '=', nextRefreshAt)
    .where(isFree(db, 'leased_until'))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Keeps the lease for another while, unless it was lost. */
export async function renewCalendar(
  db: Db,
  { id, leasedUntil }: LeasedCalendar,
  lease: number,
): Promise<void> {
  await db
    .updateTable('calendars')
    .set({ leased_until: sql`${engine(db).now} + ${lease}` })
    .where('id', '=', id)
    .where('next_refresh_at', '=', leasedUntil)
    .where('leased_until', '>', 0)
    .execute()
}

function settingsRow(calendar: Calendar) {
  return {
    name: calendar.name,
    url: calendar.url,
    username: calendar.username,
    sealed_password: calendar.sealedPassword,
    busy: calendar.busy ? 1 : 0,
    tentative: calendar.tentative,
    write_to: calendar.writeTo ? 1 : 0,
  } satisfies Updateable<Schema['calendars']>
}

function refreshRow(known: CalendarRefresh & CalendarVersion) {
  const lastError = pairOf(known.lastError)
  return {
    etag: known.etag,
    last_modified: known.lastModified,
    ctag: known.ctag,
    sync_token: known.syncToken,
    synced_until: known.syncedUntil,
    expanded_at: known.expandedAt,
    expanded_zone: known.expandedZone,
    refreshed_at: known.refreshedAt,
    next_refresh_at: known.nextRefreshAt,
    leased_until: 0,
    failures: known.failures,
    last_error: lastError.text,
    last_error_parts: lastError.parts,
    skipped: known.skipped,
  } satisfies Updateable<Schema['calendars']>
}

function fromRow(row: Selectable<Schema['calendars']>): StoredCalendar {
  return {
    id: row.id,
    userId: row.user_id,
    kind: row.kind,
    connectionId: row.connection_id,
    externalId: row.external_id,
    name: row.name,
    url: row.url,
    username: row.username,
    sealedPassword: row.sealed_password,
    busy: row.busy === 1,
    tentative: row.tentative,
    writeTo: row.write_to === 1,
    writable: row.writable === 1,
    createdAt: row.created_at,
    etag: row.etag,
    lastModified: row.last_modified,
    ctag: row.ctag,
    syncToken: row.sync_token,
    syncedUntil: row.synced_until,
    notices: row.notices,
    expandedAt: row.expanded_at,
    expandedZone: row.expanded_zone,
    refreshedAt: row.refreshed_at,
    nextRefreshAt: row.next_refresh_at,
    failures: row.failures,
    lastError: sentenceFrom(row.last_error, row.last_error_parts),
    skipped: row.skipped,
  }
}
/** The sealed passwords of all calendars that have one. */
export async function findSealedPasswords(db: Db): Promise<{ id: string; sealedPassword: string }[]> {
  return db
    .selectFrom('calendars')
    .select(['id', 'sealed_password as sealedPassword'])
    .where('sealed_password', '!=', '')
    .orderBy('id')
    .execute()
}

/** Stores a password that was sealed anew, unless it was changed since `before` was read. */
export async function updateSealedPassword(db: Db, id: string, before: string, after: string): Promise<void> {
  await db
    .updateTable('calendars')
    .set({ sealed_password: after })
    .where('id', '=', id)
    .where('sealed_password', '=', before)
    .execute()
}
