import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { locationOf } from '../../domain/event-types/location.ts'
import type { Sentence } from '../../domain/sentence.ts'
import type { Db } from '../engine/database.ts'
import { sentenceFrom } from '../sentences.ts'

/** Whose things are looked through: those of these users and teams, or of all that are not disabled. */
export type Owners = readonly string[] | 'everyone'

/** Of each kind: nobody reads more, and counts stop here. */
const MOST = 1000

/** Whether a row belongs to one of the owners. */
function isOf(column: 'user_id' | 'scheduler_id', owners: Owners): RawBuilder<SqlBool> {
  const ids =
    owners === 'everyone' ? sql`select id from schedulers where disabled_at is null` : sql.join(owners)
  return sql<SqlBool>`${sql.ref(column)} in (${ids})`
}

interface FailingCalendar {
  readonly name: string
  readonly lastError: Sentence
  /** When it was last read; null: never. */
  readonly refreshedAt: number | null
}

/** Calendars that could not be read the last time, except those whose account has to be connected again. */
export async function findFailingCalendars(db: Db, users: Owners): Promise<FailingCalendar[]> {
  const rows = await db
    .selectFrom('calendars')
    .select(['name', 'last_error', 'last_error_parts', 'refreshed_at'])
    .where(isOf('user_id', users))
    .where('busy', '=', sql.lit(1))
    .where('failures', '>', 0)
    .where((eb) =>
      eb.or([
        eb('connection_id', 'is', null),
        eb(
          'connection_id',
          'not in',
          eb.selectFrom('connections').select('connections.id').where('status', '=', 'reconnect'),
        ),
      ]),
    )
    .orderBy('id')
    .limit(MOST)
    .execute()
  return rows.map((row) => ({
    name: row.name,
    lastError: sentenceFrom(row.last_error, row.last_error_parts),
    refreshedAt: row.refreshed_at,
  }))
}

/** The accounts to which the provider has ended our access. */
export async function findLostAccounts(db: Db, users: Owners): Promise<string[]> {
  const rows = await db
    .selectFrom('connections')
    .select('account')
    .where(isOf('user_id', users))
    .where('status', '=', 'reconnect')
    .orderBy('id')
    .limit(MOST)
    .execute()
  return rows.map(({ account }) => account)
}

/** The accounts for payments whose keys the provider refuses. */
export async function findLostPaymentAccounts(
  db: Db,
  owners: Owners,
): Promise<{ readonly schedulerId: string; readonly name: string }[]> {
  return db
    .selectFrom('payment_accounts')
    .select(['scheduler_id as schedulerId', 'name'])
    .where(isOf('scheduler_id', owners))
    .where('status', '=', 'reconnect')
    .orderBy('id')
    .limit(MOST)
    .execute()
}

interface BrokenWebhook {
  readonly id: string
  readonly schedulerId: string
  readonly url: string
  readonly disabledReason: Sentence
  readonly disabledAt: number | null
  readonly failingSince: number | null
}

/** Webhooks that fail, or were disabled because they did. */
export async function findBrokenWebhooks(db: Db, owners: Owners): Promise<BrokenWebhook[]> {
  const rows = await db
    .selectFrom('webhooks')
    .selectAll()
    .where(isOf('scheduler_id', owners))
    .where((eb) =>
      eb.or([
        eb('disabled_at', 'is not', null),
        eb.and([eb('active', '=', 1), eb('failing_since', 'is not', null)]),
      ]),
    )
    .orderBy('id')
    .limit(MOST)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    schedulerId: row.scheduler_id,
    url: row.url,
    disabledReason: sentenceFrom(row.disabled_reason, row.disabled_reason_parts),
    disabledAt: row.disabled_at,
    failingSince: row.failing_since,
  }))
}

type OfferedEventType = Pick<EventType, 'id' | 'schedulerId' | 'name' | 'location' | 'locations' | 'abuse'>

/** Event types that are not hidden, oldest first, after the one with id `after`. */
export async function findOfferedEventTypes(
  db: Db,
  owners: Owners,
  after = '',
  limit = MOST,
): Promise<OfferedEventType[]> {
  const rows = await db
    .selectFrom('event_types')
    .select(['id', 'scheduler_id', 'name', 'locations', 'abuse'])
    .select(['location_type', 'location_value', 'location_provider'])
    .where(isOf('scheduler_id', owners))
    .where('hidden', '=', 0)
    .$if(after !== '', (query) => query.where('id', '>', after))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    schedulerId: row.scheduler_id,
    name: row.name,
    location: locationOf(row.location_type, row.location_value, row.location_provider),
    locations: JSON.parse(row.locations),
    abuse: JSON.parse(row.abuse),
  }))
}

interface ProtectedForm {
  readonly id: string
  readonly schedulerId: string
  readonly name: string
  readonly abuse: Pick<EventType['abuse'], 'captcha'>
}

export async function findProtectedForms(db: Db, owners: Owners): Promise<ProtectedForm[]> {
  const rows = await db
    .selectFrom('routing_forms')
    .select(['id', 'scheduler_id', 'name', 'abuse'])
    .where(isOf('scheduler_id', owners))
    .orderBy('id')
    .limit(MOST)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    schedulerId: row.scheduler_id,
    name: row.name,
    abuse: JSON.parse(row.abuse),
  }))
}

interface OldInvitation {
  readonly email: string
  /** Null: to the instance. */
  readonly team: { readonly id: string; readonly name: string } | null
  readonly createdAt: number
}

/** Invitations that were sent before an instant and are still open: to these teams, and perhaps to the instance. */
export async function findOldInvitations(
  db: Db,
  teams: Owners,
  withInstance: boolean,
  { before, now }: { readonly before: number; readonly now: number },
): Promise<OldInvitation[]> {
  const rows = await db
    .selectFrom('invitations')
    .leftJoin('schedulers as t', 't.id', 'invitations.team_id')
    .select(['invitations.email', 'invitations.created_at', 'invitations.team_id', 't.name'])
    .where((eb) => {
      const toTeam = teams === 'everyone' ? eb('team_id', 'is not', null) : eb('team_id', 'in', teams)
      return withInstance ? eb.or([toTeam, eb('team_id', 'is', null)]) : toTeam
    })
    .where('invitations.created_at', '<=', before)
    .where('expires_at', '>', now)
    .orderBy('invitations.id')
    .limit(MOST)
    .execute()
  return rows.map((row) => ({
    email: row.email,
    team: row.team_id === null ? null : { id: row.team_id, name: row.name ?? '' },
    createdAt: row.created_at,
  }))
}

interface BookedGuest {
  readonly bookingId: string
  readonly name: string
  readonly schedulerId: string
  readonly hostId: string
}

/** The guests of those among these bookings that are not over. */
export async function findUpcomingGuests(
  db: Db,
  bookingIds: readonly string[],
  now: number,
): Promise<BookedGuest[]> {
  if (bookingIds.length === 0) return []
  return db
    .selectFrom('bookings')
    .select(['id as bookingId', 'invitee_name as name', 'scheduler_id as schedulerId', 'host_id as hostId'])
    .where('id', 'in', bookingIds)
    .where('ends_at', '>', now)
    .where('status', 'in', ['Confirmed', 'PendingApproval'])
    .execute()
}

/** When the last scheduled backup was complete; undefined: never. */
export async function findLastBackup(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom('leases').select('done_at').where('name', '=', 'backup').executeTakeFirst()
  return row?.done_at ?? undefined
}
