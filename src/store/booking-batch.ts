import { type Insertable, sql } from 'kysely'
import { MAX_DURATION } from '../domain/slots.ts'
import { type Db, isRefusal } from './database.ts'
import { prepared } from './prepared.ts'
import type { Schema } from './schema.ts'

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
export type BookingColumns = Insertable<
  Omit<Schema['bookings'], 'sequence' | 'reason' | 'utm' | 'requested_at'>
>

const MOST_AT_ONCE = 64
const MOST_STATEMENTS = 2

interface Waiting {
  readonly wanted: WantedBooking
  readonly resolve: (done: boolean) => void
  readonly reject: (error: unknown) => void
}

const batches = new WeakMap<object, Batches>()

/**
 * On PostgreSQL: makes this booking together with others that come at the same time, in one statement.
 *
 * Says whether it was made. One host is in a statement once; each booking in it
 * stands for itself, except that what the database refuses is refused to all:
 * then they are tried one by one.
 */
export function bookTogether(db: Db, wanted: WantedBooking): Promise<boolean> {
  let waiting = batches.get(db)
  if (waiting === undefined) {
    waiting = new Batches(db)
    batches.set(db, waiting)
  }
  return waiting.add(wanted)
}

class Batches {
  readonly #db: Db
  #waiting: Waiting[] = []
  #running = 0
  #called = false

  constructor(db: Db) {
    this.#db = db
  }

  add(wanted: WantedBooking): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ wanted, resolve, reject })
      this.#call()
    })
  }

  #call(): void {
    if (this.#called || this.#running >= MOST_STATEMENTS || this.#waiting.length === 0) return
    this.#called = true
    // Not at once: requests that have arrived by now get the chance to join.
    setImmediate(() => {
      this.#called = false
      this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#running++
    this.#call()
    const batch = this.#take()
    try {
      await makeAll(this.#db, batch)
    } finally {
      this.#running--
      this.#call()
    }
  }

  #take(): Waiting[] {
    const hosts = new Set<string>()
    const batch: Waiting[] = []
    this.#waiting = this.#waiting.filter((one) => {
      const { host_id } = one.wanted
      if (batch.length === MOST_AT_ONCE || hosts.has(host_id)) return true
      hosts.add(host_id)
      batch.push(one)
      return false
    })
    return batch
  }
}

async function makeAll(db: Db, batch: readonly Waiting[]): Promise<void> {
  if (batch.length === 0) return
  try {
    const { rows } = await bookInOneStatement(db, {
      wanted: JSON.stringify(batch.map(({ wanted }) => wanted)),
    })
    const made = new Set(rows.map(({ id }) => id))
    for (const { wanted, resolve } of batch) resolve(made.has(wanted.id))
  } catch (error) {
    if (batch.length === 1 || !isRefusal(error)) for (const { reject } of batch) reject(error)
    else for (const one of batch) await makeAll(db, [one])
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
        select s.id, s.calendar
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
      ), claimed as (
        insert into claims (host_id, starts_at, ends_at, meeting_id, event_type_id, buffer_before, buffer_after)
        select w.host_id, w.starts_at, w.ends_at, w.meeting_id, w.event_type_id, w.buffer_before, w.buffer_after
        from wanted w join held on held.id = w.host_id
      ), announced as (
        insert into outbox (kind, lane, data, due_at, created_at)
        select 'announce', w.job_lane, w.job_data, w.created_at, w.created_at
        from wanted w join held on held.id = w.host_id
        where w.job_data is not null
      )
      insert into bookings (${sql.raw(columns.join(', '))})
      select ${sql.raw(columns.map((name) => `w.${name}`).join(', '))}
      from wanted w join held on held.id = w.host_id
      returning id`.compile(db),
}))
