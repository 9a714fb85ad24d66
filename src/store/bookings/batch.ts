import { type Insertable, sql } from 'kysely'
import { MAX_DURATION } from '../../domain/slots/openings.ts'
import { Together, type Waiting } from '../engine/batcher.ts'
import { type Db, isRefusal } from '../engine/database.ts'
import { prepared } from '../engine/prepared.ts'
import type { Schema } from '../engine/schema.ts'

/** A booking that is to be made if its host is free, with all that the statement needs to know. */
export type WantedBooking = BookingColumns & {
  /** The host's `revision` that the wish was checked against. */
  readonly seen_revision: number
  /** The host's `calendar`, if what was read of it mattered; null: only what is taken then matters. */
  readonly seen_calendar: number | null
  readonly buffer_before: number
  readonly buffer_after: number
  /** Says what has happened; null when nobody is to be told. */
  readonly job_data: string | null
  readonly job_lane: string | null
}

/** What a new booking's row is made of; the rest has its beginnings in the table. */
export type BookingColumns = Insertable<Omit<Schema['bookings'], 'sequence' | 'reason' | 'requested_at'>>

const batches = new WeakMap<Db, Together<WantedBooking, boolean>>()

/**
 * On PostgreSQL: makes this booking together with others that come at the same time, in one statement.
 *
 * Says whether it was made. One host is in one statement at a time; each booking in it
 * stands for itself, except that what the database refuses is refused to all:
 * then they are tried one by one.
 */
export function bookTogether(db: Db, wanted: WantedBooking): Promise<boolean> {
  let together = batches.get(db)
  if (together === undefined) {
    together = new Together({
      answer: (waiting) => makeAll(db, waiting),
      keyOf: ({ host_id }) => host_id,
      mayShare: areApart,
    })
    batches.set(db, together)
  }
  return together.ask(wanted)
}

/** Neither would have changed what the other was decided on. The rule of `blockedStarts`, between two of one host. */
function areApart(one: WantedBooking, other: WantedBooking): boolean {
  if (one.seen_calendar !== null || other.seen_calendar !== null) return false
  const [early, late] = one.starts_at < other.starts_at ? [one, other] : [other, one]
  return late.starts_at - early.ends_at >= Math.max(early.buffer_after, late.buffer_before)
}

async function makeAll(db: Db, waiting: readonly Waiting<WantedBooking, boolean>[]): Promise<void> {
  try {
    const { rows } = await bookInOneStatement(db, { wanted: JSON.stringify(waiting.map(({ wish }) => wish)) })
    const made = new Set(rows.map(({ id }) => id))
    for (const { wish, resolve } of waiting) resolve(made.has(wish.id))
  } catch (error) {
    if (waiting.length > 1 && isRefusal(error)) for (const one of waiting) await makeAll(db, [one])
    else for (const { reject } of waiting) reject(error)
  }
}

const BOOKING_COLUMNS: Readonly<Record<keyof BookingColumns, string>> = {
  id: 'uuid',
  scheduler_id: 'uuid',
  event_type_id: 'uuid',
  meeting_id: 'uuid',
  host_id: 'uuid',
  seat: 'integer',
  seats: 'integer',
  status: 'text',
  starts_at: 'bigint',
  ends_at: 'bigint',
  invitee_name: 'text',
  invitee_email: 'text',
  invitee_phone: 'text',
  invitee_time_zone: 'text',
  invitee_locale: 'text',
  location_type: 'text',
  location_value: 'text',
  notes: 'text',
  custom_fields: 'text',
  source: 'text',
  utm: 'text',
  duplicate_key: 'text',
  created_at: 'bigint',
}

const WANTED_COLUMNS = {
  ...BOOKING_COLUMNS,
  seen_revision: 'bigint',
  seen_calendar: 'bigint',
  buffer_before: 'bigint',
  buffer_after: 'bigint',
  job_data: 'text',
  job_lane: 'text',
}

const definitions = Object.entries(WANTED_COLUMNS).map(([name, type]) => `${name} ${type}`)
const columns = Object.keys(BOOKING_COLUMNS)

const bookInOneStatement = prepared<{ wanted: string }, { id: string }>((db, value) => ({
  compile: () =>
    sql<{ id: string }>`
      with wanted as materialized (
        select * from json_to_recordset(${value('wanted')}::json) as w(${sql.raw(definitions.join(', '))})
      ), seen as materialized (
        select w.id as wanted_id, s.id, s.calendar
        from wanted w
        join schedulers s on s.id = w.host_id and s.revision = w.seen_revision
        -- The rule of blockedStarts: the longer of two buffers stays free between two meetings.
        -- Neither a meeting nor a buffer is longer than a day.
        left join lateral (
          select true as taken from claims c
          where c.host_id = w.host_id
            and c.starts_at > w.starts_at - ${sql.lit(2 * MAX_DURATION)}
            and c.starts_at < w.ends_at + ${sql.lit(MAX_DURATION)}
            and (c.ends_at > w.starts_at - w.buffer_before or c.ends_at + c.buffer_after > w.starts_at)
            and (c.starts_at < w.ends_at + w.buffer_after or c.starts_at - c.buffer_before < w.ends_at)
          limit 1
        ) c on true
        where c.taken is null and (w.seen_calendar is null or w.seen_calendar = s.calendar)
      ), locked as materialized (
        -- In one order, whoever does it, so that two statements never wait for each other.
        select id, calendar from schedulers where id in (select id from seen) order by id for no key update
      ), held as (
        -- A row that was changed after its claims were looked at does not match.
        update schedulers s set calendar = s.calendar + 1
        from seen join locked on locked.id = seen.id and locked.calendar = seen.calendar
        where s.id = seen.id
        returning s.id
      ), made as (
        select w.* from seen join held on held.id = seen.id join wanted w on w.id = seen.wanted_id
      ), claimed as (
        insert into claims (host_id, starts_at, ends_at, meeting_id, event_type_id, buffer_before, buffer_after)
        select host_id, starts_at, ends_at, meeting_id, event_type_id, buffer_before, buffer_after from made
      ), announced as (
        insert into outbox (kind, lane, data, due_at, created_at)
        select 'announce', job_lane, job_data, created_at, created_at from made where job_data is not null
      )
      insert into bookings (${sql.raw(columns.join(', '))})
      select ${sql.raw(columns.join(', '))} from made
      returning id`.compile(db),
}))
