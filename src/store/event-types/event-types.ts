import { type Selectable, sql } from 'kysely'
import type { Page } from '../../domain/cursor.ts'
import {
  EVENT_TYPE_DEFAULTS,
  EVENT_TYPE_FIELDS,
  type EventType,
} from '../../domain/event-types/event-type.ts'
import type { EventTypeHost } from '../../domain/event-types/host.ts'
import type { Schedule } from '../../domain/event-types/hours.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { batchedRead } from '../engine/batcher.ts'
import type { Db, Trx } from '../engine/database.ts'
import { engine, type IdList } from '../engine/engine.ts'
import { fieldColumns } from '../engine/field-columns.ts'
import { pageById } from '../engine/paging.ts'
import { type Placeholder, prepared } from '../engine/prepared.ts'
import type { Schema } from '../engine/schema.ts'
import { claimSlug, findMovedTarget, isFormerSlug } from '../people/old-slugs.ts'
import { lockHosts, schedulerFromRow } from '../people/schedulers.ts'
import { lockTurns, shareBalances } from '../people/team-hosts.ts'

/** The event type at this slug. An old slug works for as long as its event type exists. */
export async function findEventType(
  db: Db,
  schedulerId: string,
  slug: string,
): Promise<EventType | undefined> {
  const { rows } = await bySlug(db, { schedulerId, slug })
  if (rows[0] !== undefined) return eventTypeFromRow(rows[0])
  const moved = await findMovedTarget(db, 'event-type', schedulerId, slug)
  return moved === undefined ? undefined : findEventTypeById(db, moved)
}

const bySlug = prepared((db, value: Placeholder<{ schedulerId: string; slug: string }>) =>
  db
    .selectFrom('event_types')
    .selectAll()
    .where('scheduler_id', '=', value('schedulerId'))
    .where('slug', '=', value('slug')),
)

/** An event type with its owner. */
export interface OwnedEventType {
  readonly scheduler: Scheduler
  readonly eventType: EventType
  /** The owner's, as old as the rest: one statement. */
  readonly revision: number
  /** Whether the owner has blocked guests. */
  readonly isBlocking: boolean
}

/** The event type at these slugs, unless one of them is an old one, or the owner has no page. */
export async function findOwnedEventType(
  db: Db,
  userSlug: string,
  eventSlug: string,
): Promise<OwnedEventType | undefined> {
  if (engine(db).othersWrite) return findOwnedTogether(db, `${userSlug}/${eventSlug}`)
  const { rows } = await withOwner(db, { userSlug, eventSlug })
  return rows[0] && ownedFromRow(rows[0])
}

/** Requests that arrive together share a statement, which costs more than the rows it reads. */
const findOwnedTogether = batchedRead<OwnedEventType>(async (db, keys) => {
  const slugs = keys.map((key) => key.split('/'))
  const { rows } = await withOwners(db, {
    userSlugs: engine(db).idList(slugs.map(([slug = '']) => slug)),
    eventSlugs: engine(db).idList(slugs.map(([, slug = '']) => slug)),
  })
  return new Map(rows.map((row) => [`${row.owner_slug}/${row.slug}`, ownedFromRow(row)]))
})

type OwnedRow = Awaited<ReturnType<typeof withOwner>>['rows'][number]

const ownedFromRow = (row: OwnedRow): OwnedEventType => ({
  scheduler: schedulerFromRow({
    id: row.scheduler_id,
    kind: row.kind,
    slug: row.owner_slug,
    name: row.owner_name,
    bio: row.bio,
    avatar_url: row.avatar_url,
    time_zone: row.time_zone,
    locale: row.locale,
    german_address: row.german_address,
    theme: row.theme,
    primary_color: row.primary_color,
    logo_url: row.logo_url,
    has_messages: row.has_messages,
  }),
  eventType: eventTypeFromRow(row),
  revision: row.revision,
  isBlocking: Boolean(row.blocking),
})

const withOwner = prepared((db, value: Placeholder<{ userSlug: string; eventSlug: string }>) =>
  owned(db).where('s.slug', '=', value('userSlug')).where('e.slug', '=', value('eventSlug')),
)

// Also returns event types of one owner at a slug that was requested of another.
const withOwners = prepared((db, value: Placeholder<{ userSlugs: IdList; eventSlugs: IdList }>) =>
  owned(db)
    .where(engine(db).isAmong('s.slug', value('userSlugs'), 'text'))
    .where(engine(db).isAmong('e.slug', value('eventSlugs'), 'text')),
)

const owned = (db: Db) =>
  db
    .selectFrom('schedulers as s')
    .innerJoin('event_types as e', 'e.scheduler_id', 's.id')
    .selectAll('e')
    .select([
      's.revision',
      's.kind',
      's.slug as owner_slug',
      's.name as owner_name',
      's.bio',
      's.avatar_url',
      's.time_zone',
      's.locale',
      's.german_address',
      's.theme',
      's.primary_color',
      's.logo_url',
      's.has_messages',
    ])
    .select((eb) =>
      eb
        .exists(eb.selectFrom('blocked_guests as g').select('g.id').whereRef('g.scheduler_id', '=', 's.id'))
        .as('blocking'),
    )
    .where('s.disabled_at', 'is', null)

export async function findEventTypeById(db: Db, id: string): Promise<EventType | undefined> {
  const { rows } = await byId(db, { id })
  return rows[0] && eventTypeFromRow(rows[0])
}

const byId = prepared((db, value: Placeholder<{ id: string }>) =>
  db.selectFrom('event_types').selectAll().where('id', '=', value('id')),
)

/** The slugs and names of these event types, by id. */
export async function findEventTypeNames(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, Pick<EventType, 'id' | 'slug' | 'name'>>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('event_types')
    .select(['id', 'slug', 'name'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export async function isEventSlugTaken(db: Db, schedulerId: string, slug: string): Promise<boolean> {
  const row = await db
    .selectFrom('event_types')
    .select('id')
    .where('scheduler_id', '=', schedulerId)
    .where('slug', '=', slug)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether one of the scheduler's event types has this slug now, or had it and can still be found by it. */
export const isEventSlugInUse = async (db: Db, schedulerId: string, slug: string): Promise<boolean> =>
  (await isEventSlugTaken(db, schedulerId, slug)) || isFormerSlug(db, 'event-type', schedulerId, slug)

/** Event types of these schedulers, oldest first, after the one with id `after`. */
export async function findEventTypePage(
  db: Db,
  schedulerIds: readonly string[],
  page: Page,
): Promise<EventType[]> {
  const rows = await db
    .selectFrom('event_types')
    .selectAll()
    .where('scheduler_id', 'in', schedulerIds)
    .$call(pageById(page))
    .execute()
  return rows.map(eventTypeFromRow)
}

/** All event types of a scheduler, including hidden ones, in the owner's order. */
export async function findEventTypes(db: Db, schedulerId: string): Promise<EventType[]> {
  const { rows } = await byOwner(db, { schedulerId })
  return rows.map(eventTypeFromRow)
}

const byOwner = prepared((db, value: Placeholder<{ schedulerId: string }>) =>
  db
    .selectFrom('event_types')
    .selectAll()
    .where('scheduler_id', '=', value('schedulerId'))
    .orderBy('position')
    .orderBy('slug'),
)

/** What a form needs to lead to them, in no order: 5 µs instead of 21 for all their columns. */
export async function findDestinations(
  db: Db,
  schedulerId: string,
): Promise<Pick<EventType, 'id' | 'slug' | 'name' | 'hidden'>[]> {
  const { rows } = await destinationsOf(db, { schedulerId })
  return rows.map(({ hidden, ...row }) => ({ ...row, hidden: hidden === 1 }))
}

const destinationsOf = prepared((db, value: Placeholder<{ schedulerId: string }>) =>
  db
    .selectFrom('event_types')
    .select(['id', 'slug', 'name', 'hidden'])
    .where('scheduler_id', '=', value('schedulerId')),
)

/** The hosts of an event type, and of whom there is more to read: of most there is not. */
export interface HostsOfEventType {
  readonly hosts: readonly EventTypeHost[]
  /** Those with absences that end after some instant. */
  readonly away: readonly string[]
  /** Those with busy times in connected calendars. */
  readonly busy: readonly string[]
  /** Those who have blocked guests. */
  readonly blocking: readonly string[]
}

/**
 * Hosts of an event type, each with the event type's schedule if it is theirs, or else with their default one.
 *
 * `liveKinds` are the kinds of calendars that can be asked about a span, and `awayAfter` says which absences count. All
 * of it is as old as the hosts' revisions: one statement.
 */
export async function findEventTypeHosts(
  db: Db,
  eventTypeId: string,
  { liveKinds, awayAfter }: { readonly liveKinds: readonly string[]; readonly awayAfter: number },
): Promise<HostsOfEventType> {
  if (engine(db).othersWrite) {
    const key = JSON.stringify([eventTypeId, awayAfter, liveKinds])
    return (await findHostsTogether(db, key)) ?? hostsFrom([])
  }
  const { rows } = await hostsOf(db, { eventTypeId, liveKinds: engine(db).idList(liveKinds), awayAfter })
  return hostsFrom(rows)
}

// All callers pass the same kinds of calendars. The earliest `awayAfter` includes every absence that one of them needs.
const findHostsTogether = batchedRead<HostsOfEventType>(async (db, keys) => {
  const asked = keys.map((key): [string, number, string[]] => JSON.parse(key))
  const { rows } = await hostsOfAll(db, {
    eventTypeIds: JSON.stringify([...new Set(asked.map(([id]) => id))].map((id) => ({ id }))),
    liveKinds: engine(db).idList(asked[0]?.[2] ?? []),
    awayAfter: Math.min(...asked.map(([, awayAfter]) => awayAfter)),
  })
  const byEventType = Map.groupBy(rows, (row) => row.event_type_id)
  return new Map(asked.map(([id], i) => [keys[i] as string, hostsFrom(byEventType.get(id) ?? [])]))
})

type HostsRow = Awaited<ReturnType<typeof hostsOf>>['rows'][number]

function hostsFrom(rows: readonly HostsRow[]): HostsOfEventType {
  const idsOf = (chosen: readonly HostsRow[]) => chosen.map((row) => row.host_id)
  return {
    hosts: rows.map((row) => hostFrom(row, row.fixed === 1)),
    away: idsOf(rows.filter((row) => Boolean(row.away))),
    busy: idsOf(rows.filter((row) => Boolean(row.busy))),
    blocking: idsOf(rows.filter((row) => Boolean(row.blocking))),
  }
}

/** The same for hosts and a schedule that are not saved; it asks no calendars. */
export async function findDraftHosts(
  db: Db,
  seats: readonly HostSeat[],
  scheduleId: string | null,
): Promise<EventTypeHost[]> {
  if (seats.length === 0) return []
  const ids = seats.map(({ hostId }) => hostId)
  const rows = await db
    .selectFrom('schedules as s')
    .innerJoin('schedulers as u', 'u.id', 's.user_id')
    .select(['u.id as host_id', 'u.revision', 'u.disabled_at'])
    .select(['s.id', 's.time_zone', 's.weekly', 's.overrides', 's.confirmed'])
    .where('u.id', 'in', ids)
    .where((eb) => eb.or([eb('s.is_default', '=', 1), eb('s.id', '=', scheduleId)]))
    .execute()
  return seats.flatMap(({ hostId, fixed }) => {
    const own = rows.filter((row) => row.host_id === hostId)
    const row = own.find(({ id }) => id === scheduleId) ?? own[0]
    return row === undefined ? [] : [hostFrom({ ...row, live: 0 }, fixed)]
  })
}

type HostRow = ScheduleColumns &
  Pick<Selectable<Schema['schedules']>, 'confirmed'> &
  Pick<Selectable<Schema['schedulers']>, 'revision' | 'disabled_at'> & {
    readonly host_id: string
    readonly live: unknown
  }

const hostFrom = (row: HostRow, fixed: boolean): EventTypeHost => ({
  hostId: row.host_id,
  fixed,
  revision: row.revision,
  hasLiveCalendars: Boolean(row.live),
  schedule: scheduleFrom(row.confirmed === 1 ? row : { ...row, ...NO_HOURS }),
  confirmed: row.confirmed !== 0,
  disabled: row.disabled_at !== null,
})

type ScheduleColumns = Pick<Selectable<Schema['schedules']>, 'time_zone' | 'weekly' | 'overrides'>

/** A schedule offers nothing until its user has confirmed it. */
const NO_HOURS = { weekly: '{}', overrides: '{}' }

const MAX_SCHEDULES = 500

const schedules = new Map<string, Schedule>()

/** Equal schedules are one object, so that each is compiled once, however many hosts have it. */
function scheduleFrom({ time_zone, weekly, overrides }: ScheduleColumns): Schedule {
  const text = `${time_zone} ${weekly} ${overrides}`
  let schedule = schedules.get(text)
  if (schedule === undefined) {
    schedule = { timeZone: time_zone, weekly: JSON.parse(weekly), overrides: JSON.parse(overrides) }
    if (schedules.size >= MAX_SCHEDULES) schedules.clear()
    schedules.set(text, schedule)
  }
  return schedule
}

interface HostsAsked {
  readonly liveKinds: IdList
  readonly awayAfter: number
}

const hostsOf = prepared((db, value: Placeholder<HostsAsked & { eventTypeId: string }>) =>
  hosted(db, value).where('h.event_type_id', '=', value('eventTypeId')),
)

// One event type at a time: without statistics, PostgreSQL would read all event types and schedules for a list.
const hostsOfAll = prepared<HostsAsked & { eventTypeIds: string }, HostsRow>((db, value) => {
  const wanted = engine(db).rowsFromJson('event_types', ['id'], value('eventTypeIds'))
  const ofOne = hosted(db, value)
    .where('h.event_type_id', '=', sql.ref<string>('wanted.id'))
    .offset(sql.lit(0))
  return sql`select found.* from (${wanted}) as wanted cross join lateral ${ofOne} as found`
})

const hosted = (db: Db, value: Placeholder<HostsAsked>) =>
  db
    .selectFrom('event_type_hosts as h')
    .innerJoin('event_types as e', 'e.id', 'h.event_type_id')
    .innerJoin('schedulers as u', 'u.id', 'h.host_id')
    .innerJoin('schedules as s', (join) =>
      join.onRef('s.user_id', '=', 'h.host_id').on((eb) =>
        eb.or([
          eb('s.id', '=', eb.ref('e.schedule_id')),
          eb.and([
            // A literal: SQLite re-plans a query for each parameter that could match a partial index.
            eb('s.is_default', '=', eb.lit(1)),
            // The event type's schedule belongs to one user. The team's other hosts keep their default.
            eb.not(
              eb.exists(
                eb
                  .selectFrom('schedules as own')
                  .select('own.id')
                  .whereRef('own.id', '=', 'e.schedule_id')
                  .whereRef('own.user_id', '=', 'h.host_id'),
              ),
            ),
          ]),
        ]),
      ),
    )
    .select([
      'h.event_type_id',
      'h.host_id',
      'h.fixed',
      'u.revision',
      'u.disabled_at',
      's.time_zone',
      's.weekly',
      's.overrides',
      's.confirmed',
    ])
    .select((eb) => [
      eb
        .exists(
          eb
            .selectFrom('calendars as c')
            .select('c.id')
            .whereRef('c.user_id', '=', 'h.host_id')
            .where('c.busy', '=', eb.lit(1))
            .where(engine(db).isAmong('c.kind', value('liveKinds'), 'text')),
        )
        .as('live'),
      eb
        .exists(
          eb
            .selectFrom('absences as a')
            .select('a.id')
            .whereRef('a.user_id', '=', 'h.host_id')
            .where('a.ends_at', '>', value('awayAfter')),
        )
        .as('away'),
      eb
        .exists(eb.selectFrom('busy_times as b').select('b.user_id').whereRef('b.user_id', '=', 'h.host_id'))
        .as('busy'),
      eb
        .exists(
          eb.selectFrom('blocked_guests as g').select('g.id').whereRef('g.scheduler_id', '=', 'h.host_id'),
        )
        .as('blocking'),
    ])
    .orderBy('h.host_id')

/** Schedulers with event types that this user hosts. */
export async function findOwnersHostedBy(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('event_type_hosts as h')
    .innerJoin('event_types as e', 'e.id', 'h.event_type_id')
    .select('e.scheduler_id')
    .distinct()
    .where('h.host_id', '=', userId)
    .execute()
  return rows.map((row) => row.scheduler_id)
}

/** A host's part in an event type; `weight` is their share of a round robin. */
export interface HostSeat {
  readonly hostId: string
  readonly fixed: boolean
  readonly weight?: number
  /** What the round robin owes them. Given for a new event type alone. */
  readonly balance?: number
}

export async function findHostSeats(db: Db, eventTypeId: string): Promise<Required<HostSeat>[]> {
  const rows = await db
    .selectFrom('event_type_hosts')
    .select(['host_id', 'fixed', 'weight', 'balance'])
    .where('event_type_id', '=', eventTypeId)
    .orderBy('host_id')
    .execute()
  return rows.map(seatFromRow)
}

/** The same for several event types, by their ids. */
export async function findAllHostSeats(
  db: Db,
  eventTypeIds: readonly string[],
): Promise<Map<string, Required<HostSeat>[]>> {
  if (eventTypeIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('event_type_hosts')
    .select(['event_type_id', 'host_id', 'fixed', 'weight', 'balance'])
    .where('event_type_id', 'in', eventTypeIds)
    .orderBy('host_id')
    .execute()
  const seats = rows.map((row) => [row.event_type_id, seatFromRow(row)] as const)
  return new Map(
    [...Map.groupBy(seats, ([id]) => id)].map(([id, ofOne]) => [id, ofOne.map(([, seat]) => seat)]),
  )
}

const seatFromRow = (
  row: Pick<Selectable<Schema['event_type_hosts']>, 'host_id' | 'fixed' | 'weight' | 'balance'>,
): Required<HostSeat> => ({
  hostId: row.host_id,
  fixed: row.fixed === 1,
  weight: row.weight,
  balance: row.balance,
})

/** Gives event types their positions, in this order. */
export async function updatePositions(trx: Trx, ids: readonly string[]): Promise<void> {
  const rows = JSON.stringify(ids.map((id, position) => ({ id, position })))
  const wanted = engine(trx).rowsFromJson('event_types', ['id', 'position'], rows)
  await sql`update event_types set position = wanted.position from (${wanted}) as wanted
    where event_types.id = wanted.id`.execute(trx)
}

export async function insertEventType(
  trx: Trx,
  eventType: EventType,
  hosts: readonly HostSeat[],
): Promise<void> {
  await trx
    .insertInto('event_types')
    .values({ id: eventType.id, scheduler_id: eventType.schedulerId, ...toRow(eventType) })
    .execute()
  const { id: targetId, schedulerId: scope, slug } = eventType
  await claimSlug(trx, { kind: 'event-type', scope, slug, targetId })
  await replaceHosts(trx, eventType.id, hosts)
}

export async function updateEventType(trx: Trx, eventType: EventType): Promise<void> {
  await trx.updateTable('event_types').set(toRow(eventType)).where('id', '=', eventType.id).execute()
}

/** Replaces the hosts of an event type. Hosts who stay keep their turn in the round robin. */
export async function replaceHosts(trx: Trx, eventTypeId: string, hosts: readonly HostSeat[]): Promise<void> {
  const known = await findHostSeats(trx, eventTypeId)
  // Bookings lock hosts before turns. The others must do the same, or they wait for each other.
  await lockHosts(trx, [...new Set([...known, ...hosts].map(({ hostId }) => hostId))])
  await lockTurns(trx, [eventTypeId])
  const former = new Set(known.map(({ hostId }) => hostId))
  const staying = hosts.map(({ hostId }) => hostId)
  await trx
    .deleteFrom('event_type_hosts')
    .where('event_type_id', '=', eventTypeId)
    .$if(staying.length > 0, (query) => query.where('host_id', 'not in', staying))
    .execute()
  const isNew = ({ hostId }: HostSeat) => !former.has(hostId)
  for (const { hostId, fixed, weight = 1 } of hosts.filter((host) => !isNew(host))) {
    await trx
      .updateTable('event_type_hosts')
      .set({ fixed: fixed ? 1 : 0, weight })
      .where('event_type_id', '=', eventTypeId)
      .where('host_id', '=', hostId)
      .execute()
  }
  // Before others join: a newcomer is owed nothing, and owes nothing.
  await shareBalances(trx, [eventTypeId])
  for (const { hostId, fixed, weight = 1, balance = 0 } of hosts.filter(isNew)) {
    const seat = { fixed: fixed ? 1 : 0, weight, balance, last_assigned_at: null }
    await trx
      .insertInto('event_type_hosts')
      .values({ event_type_id: eventTypeId, host_id: hostId, ...seat })
      .execute()
  }
}

export async function deleteEventType(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('event_types').where('id', '=', id).execute()
}

export async function countBookings(db: Db, { id, schedulerId }: EventType): Promise<number> {
  const row = await db
    .selectFrom('bookings')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    // Their index finds the owner's bookings. One of the event type's would be written with each booking.
    .where('scheduler_id', '=', schedulerId)
    .where('event_type_id', '=', id)
    .executeTakeFirstOrThrow()
  return row.count
}

const columns = fieldColumns(EVENT_TYPE_FIELDS, EVENT_TYPE_DEFAULTS)

function toRow(eventType: EventType) {
  return { slug: eventType.slug, name: eventType.name, ...columns.write(eventType) }
}

export function eventTypeFromRow(row: Selectable<Schema['event_types']>): EventType {
  return {
    id: row.id,
    schedulerId: row.scheduler_id,
    slug: row.slug,
    name: row.name,
    ...columns.read(row),
  }
}
