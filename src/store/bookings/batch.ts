import { sql } from 'kysely'
import { type BufferedMeeting, conflicts } from '../../domain/slots/conflicts.ts'
import { Batcher, type Pending } from '../engine/batcher.ts'
import { type Db, isRefusal } from '../engine/database.ts'
import { prepared } from '../engine/prepared.ts'
import { claimConflictsWith, claimSql } from './conflicts.ts'
import { BOOKING_COLUMNS, type BookingRow, CLAIM_COLUMNS } from './rows.ts'

/** A booking to insert if its host is free, with all that the statement needs to know. */
export type WantedBooking = BookingRow & {
  /** The host's `revision` that the request was checked against. */
  readonly seen_revision: number
  /** The host's `booking_revision`, if other bookings mattered; null: only the claims at that time matter. */
  readonly seen_booking_revision: number | null
  readonly buffer_before: number
  readonly buffer_after: number
  /** The job that announces it; null: nothing to announce. */
  readonly job_data: string | null
  readonly job_lane: string | null
}

const batchers = new WeakMap<Db, Batcher<WantedBooking, boolean>>()

/**
 * Inserts a booking if its host is free, in one statement with others that arrive at the same time.
 *
 * Returns whether it was inserted. A host is in one statement at a time. The bookings of a statement are
 * independent, except that an error of the database fails all of them: then each is retried alone.
 */
export function insertBatched(db: Db, wanted: WantedBooking): Promise<boolean> {
  let batcher = batchers.get(db)
  if (batcher === undefined) {
    batcher = new Batcher({
      run: (batch) => insertAll(db, batch),
      keyOf: ({ host_id }) => host_id,
      mayShareBatch: areApart,
    })
    batchers.set(db, batcher)
  }
  return batcher.submit(wanted)
}

/** Whether neither of two bookings of one host affects the decision about the other. */
function areApart(one: WantedBooking, other: WantedBooking): boolean {
  if (one.seen_booking_revision !== null || other.seen_booking_revision !== null) return false
  return !conflicts(meetingOf(one), meetingOf(other))
}

function meetingOf(wanted: WantedBooking): BufferedMeeting {
  return {
    startsAt: wanted.starts_at,
    endsAt: wanted.ends_at,
    bufferBefore: wanted.buffer_before,
    bufferAfter: wanted.buffer_after,
  }
}

async function insertAll(db: Db, batch: readonly Pending<WantedBooking, boolean>[]): Promise<void> {
  try {
    const wanted = JSON.stringify(batch.map(({ request }) => request))
    const { rows } = await insertFree(db, { wanted })
    const inserted = new Set(rows.map(({ id }) => id))
    for (const { request, resolve } of batch) resolve(inserted.has(request.id))
  } catch (error) {
    if (batch.length > 1 && isRefusal(error)) for (const pending of batch) await insertAll(db, [pending])
    else for (const { reject } of batch) reject(error)
  }
}

const WANTED_COLUMNS = {
  ...BOOKING_COLUMNS,
  seen_revision: 'bigint',
  seen_booking_revision: 'bigint',
  buffer_before: 'bigint',
  buffer_after: 'bigint',
  job_data: 'text',
  job_lane: 'text',
}

const definitions = sql.raw(
  Object.entries(WANTED_COLUMNS)
    .map(([name, type]) => `${name} ${type}`)
    .join(', '),
)
const bookingColumns = sql.raw(Object.keys(BOOKING_COLUMNS).join(', '))
const claimColumns = sql.raw(CLAIM_COLUMNS.join(', '))

const insertFree = prepared<{ wanted: string }, { id: string }>(
  (_, value) =>
    sql`
      with wanted as materialized (
        select * from json_to_recordset(${value('wanted')}::json) as w(${definitions})
      ), seen as materialized (
        select w.id as wanted_id, s.id, s.booking_revision
        from wanted w
        join schedulers s on s.id = w.host_id and s.revision = w.seen_revision
        left join lateral (
          select true as taken from claims c
          where c.host_id = w.host_id and ${claimConflictsWith('c', claimSql('w'))}
          limit 1
        ) c on true
        where c.taken is null and (w.seen_booking_revision is null or w.seen_booking_revision = s.booking_revision)
      ), locked as materialized (
        -- In the order of ids, so that two statements cannot deadlock.
        select id, booking_revision from schedulers where id in (select id from seen) order by id for no key update
      ), held as (
        -- A row that changed after its claims were read does not match.
        update schedulers s set booking_revision = s.booking_revision + 1
        from seen join locked on locked.id = seen.id and locked.booking_revision = seen.booking_revision
        where s.id = seen.id
        returning s.id
      ), made as (
        select w.* from seen join held on held.id = seen.id join wanted w on w.id = seen.wanted_id
      ), claimed as (
        insert into claims (${claimColumns}) select ${claimColumns} from made
      ), announced as (
        insert into outbox (kind, lane, data, due_at, created_at)
        select 'announce', job_lane, job_data, created_at, created_at from made where job_data is not null
      )
      insert into bookings (${bookingColumns}) select ${bookingColumns} from made
      returning id`,
)
