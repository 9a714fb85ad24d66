import { type Insertable, sql } from 'kysely'
import type { Booking } from '../domain/booking.ts'
import type { Interval } from '../domain/interval.ts'
import { type Claim, MAX_DURATION } from '../domain/slots.ts'
import { type Db, engineOf, type Trx } from './database.ts'
import { type Place, prepared } from './prepared.ts'
import type { Schema } from './schema.ts'

/** What is taken of a host's time within some span, and the moment this was true. */
export interface TakenTime {
  readonly hostId: string
  readonly revision: number
  readonly calendar: number
  readonly claims: readonly Claim[]
}

/** A booking together with what only the store needs to know of it. */
export interface NewBooking {
  readonly booking: Booking
  /** The user or team whose event type it is. */
  readonly schedulerId: string
  /** The host who is written to; a collective meeting has several, all of whom are claimed. */
  readonly hostId: string
  readonly seat: number
  readonly seats: number
  /** Two active bookings of one slot never share this. */
  readonly duplicateKey: string
}

// Written out: SQLite plans a query anew for every value that could let it use a partial index.
const ACTIVE = [sql.lit('PendingApproval'), sql.lit('Confirmed')]

/**
 * Claims of these hosts that touch `span`, earliest first, with each host's
 * revisions: one statement, so all of it is true at one moment.
 */
export async function findTakenTime(
  db: Db,
  hostIds: readonly string[],
  span: Interval,
  countSeats: boolean,
): Promise<TakenTime[]> {
  if (hostIds.length === 0) return []
  // No claim is longer than MAX_DURATION, so the index can be entered close to the span.
  const values = { hostId: hostIds[0] as string, from: span.start - MAX_DURATION, to: span.end }
  const { rows } =
    hostIds.length === 1 && !countSeats
      ? await takenByOneHost(db, values)
      : await db.executeQuery(takenQuery(db, hostIds, values.from, values.to, countSeats))

  const taken: (TakenTime & { claims: Claim[] })[] = []
  for (const row of rows) {
    let host = taken.at(-1)
    if (host?.hostId !== row.id) {
      host = { hostId: row.id, revision: row.revision, calendar: row.calendar, claims: [] }
      taken.push(host)
    }
    if (row.meeting_id === null || (row.ends_at as number) <= span.start) continue
    host.claims.push({
      meetingId: row.meeting_id,
      eventTypeId: row.event_type_id as string,
      startsAt: row.starts_at as number,
      endsAt: row.ends_at as number,
      bufferBefore: row.buffer_before as number,
      bufferAfter: row.buffer_after as number,
      seatsTaken: row.seats_taken ?? 1,
    })
  }
  return taken
}

/** The usual case, which every booking and many a listing runs. */
const takenByOneHost = prepared((db, value: Place<{ hostId: string; from: number; to: number }>) =>
  takenQuery(db, [value('hostId')], value('from'), value('to'), false),
)

function takenQuery(db: Db, hostIds: readonly string[], from: number, to: number, countSeats: boolean) {
  return db
    .selectFrom('schedulers as s')
    .leftJoin('claims as c', (join) =>
      join.onRef('c.host_id', '=', 's.id').on('c.starts_at', '>', from).on('c.starts_at', '<', to),
    )
    .select([
      's.id',
      's.revision',
      's.calendar',
      'c.meeting_id',
      'c.event_type_id',
      'c.starts_at',
      'c.ends_at',
    ])
    .select(['c.buffer_before', 'c.buffer_after'])
    .$if(countSeats, (query) =>
      query.select((eb) =>
        eb
          .selectFrom('bookings as b')
          .select((count) => count.fn.countAll<number>().as('count'))
          .whereRef('b.meeting_id', '=', 'c.meeting_id')
          .where('b.status', 'in', ACTIVE)
          .as('seats_taken'),
      ),
    )
    .where('s.id', 'in', hostIds)
    .orderBy('s.id')
    .orderBy('c.starts_at')
}

/** How many claims each host has from `from` on. */
export async function countUpcoming(
  db: Db,
  hostIds: readonly string[],
  from: number,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('claims')
    .select((eb) => ['host_id', eb.fn.countAll<number>().as('count')])
    .where('host_id', 'in', hostIds)
    .where('starts_at', '>=', from)
    .groupBy('host_id')
    .execute()
  return new Map(rows.map((row) => [row.host_id, row.count]))
}

/** Seats of a meeting that active bookings hold. */
export async function findTakenSeats(db: Db, meetingId: string): Promise<Set<number>> {
  const rows = await db
    .selectFrom('bookings')
    .select('seat')
    .where('meeting_id', '=', meetingId)
    .where('status', 'in', ACTIVE)
    .execute()
  return new Set(rows.map((row) => row.seat))
}

/** Is there an active booking of this slot under that key? */
export async function hasDuplicate(
  db: Db,
  eventTypeId: string,
  startsAt: number,
  duplicateKey: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('bookings')
    .select('id')
    .where('event_type_id', '=', eventTypeId)
    .where('starts_at', '=', startsAt)
    .where('duplicate_key', '=', duplicateKey)
    .where('status', 'in', ACTIVE)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertBooking(trx: Trx, added: NewBooking): Promise<void> {
  await insertBookingRow(trx, bookingRow(added))
}

const insertBookingRow = prepared((db, value: Place<Insertable<Schema['bookings']>>) =>
  db.insertInto('bookings').values({
    id: value('id'),
    scheduler_id: value('scheduler_id'),
    event_type_id: value('event_type_id'),
    meeting_id: value('meeting_id'),
    host_id: value('host_id'),
    seat: value('seat'),
    seats: value('seats'),
    status: value('status'),
    starts_at: value('starts_at'),
    ends_at: value('ends_at'),
    invitee_name: value('invitee_name'),
    invitee_email: value('invitee_email'),
    invitee_phone: value('invitee_phone'),
    invitee_time_zone: value('invitee_time_zone'),
    invitee_locale: value('invitee_locale'),
    location_type: value('location_type'),
    location_value: value('location_value'),
    notes: value('notes'),
    custom_fields: value('custom_fields'),
    source: value('source'),
    duplicate_key: value('duplicate_key'),
    created_at: value('created_at'),
  }),
)

/** Takes a meeting's time from a host. */
export async function insertClaim(trx: Trx, hostId: string, claim: Claim): Promise<void> {
  await insertClaimRow(trx, claimRow(hostId, claim))
}

const insertClaimRow = prepared((db, value: Place<Insertable<Schema['claims']>>) =>
  db.insertInto('claims').values({
    host_id: value('host_id'),
    starts_at: value('starts_at'),
    ends_at: value('ends_at'),
    meeting_id: value('meeting_id'),
    event_type_id: value('event_type_id'),
    buffer_before: value('buffer_before'),
    buffer_after: value('buffer_after'),
  }),
)

/**
 * Books one host, provided nothing has changed since `seen` was read; says whether it did.
 *
 * Bumping the calendar under that condition is the same lock as `lockHosts`
 * takes, and what was decided on `seen` still holds while it lasts. On
 * PostgreSQL all of it is one statement: one round trip instead of five.
 */
export async function insertBookingIfUnchanged(
  db: Db,
  seen: Pick<TakenTime, 'hostId' | 'revision' | 'calendar'>,
  added: NewBooking,
  claim: Claim,
): Promise<boolean> {
  const claimed = claimRow(seen.hostId, claim)
  const booked = bookingRow(added)
  if (engineOf(db) === 'postgres') {
    const values = { ...prefixed('seen_', { ...seen }), ...prefixed('claim_', claimed), ...booked }
    const { numAffectedRows } = await bookInOneStatement(db, values)
    return numAffectedRows === 1n
  }
  return db.transaction().execute(async (trx) => {
    const { numAffectedRows } = await holdIfUnchanged(trx, seen)
    if (numAffectedRows !== 1n) return false
    await insertClaimRow(trx, claimed)
    await insertBookingRow(trx, booked)
    return true
  })
}

const holdIfUnchanged = prepared((db, value: Place<Pick<TakenTime, 'hostId' | 'revision' | 'calendar'>>) =>
  db
    .updateTable('schedulers')
    .set((eb) => ({ calendar: eb('calendar', '+', 1) }))
    .where('id', '=', value('hostId'))
    .where('revision', '=', value('revision'))
    .where('calendar', '=', value('calendar')),
)

const bookInOneStatement = prepared((db, value: Place<Record<string, unknown>>) => ({
  compile: () =>
    sql`
      with held as (
        update schedulers set calendar = calendar + 1
        where id = ${value('seen_hostId')} and revision = ${value('seen_revision')}
          and calendar = ${value('seen_calendar')}
        returning id
      ), claimed as (
        insert into claims ${selectFromHeld(CLAIM_COLUMNS, (column) => value(`claim_${column}`))}
      )
      insert into bookings ${selectFromHeld(BOOKING_COLUMNS, value)}`.compile(db),
}))

/** `(columns) select values from held`, each value with the type of its column. */
function selectFromHeld(columns: Readonly<Record<string, string>>, value: (column: string) => unknown) {
  const names = Object.keys(columns)
  return sql`(${sql.join(names.map((name) => sql.ref(name)))}) select ${sql.join(
    names.map((name) => sql`${value(name)}::${sql.raw(columns[name] as string)}`),
  )} from held`
}

const prefixed = (prefix: string, row: object) =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [prefix + key, value]))

// A parameter in a select list has no column to take its type from.
const CLAIM_COLUMNS: Record<keyof Schema['claims'], string> = {
  host_id: 'uuid',
  starts_at: 'bigint',
  ends_at: 'bigint',
  meeting_id: 'uuid',
  event_type_id: 'uuid',
  buffer_before: 'bigint',
  buffer_after: 'bigint',
}

const BOOKING_COLUMNS: Record<
  Exclude<keyof Schema['bookings'], 'sequence' | 'reason' | 'utm' | 'requested_at'>,
  string
> = {
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

function claimRow(hostId: string, claim: Claim): Insertable<Schema['claims']> {
  return {
    host_id: hostId,
    starts_at: claim.startsAt,
    ends_at: claim.endsAt,
    meeting_id: claim.meetingId,
    event_type_id: claim.eventTypeId,
    buffer_before: claim.bufferBefore,
    buffer_after: claim.bufferAfter,
  }
}

function bookingRow({
  booking,
  schedulerId,
  hostId,
  seat,
  seats,
  duplicateKey,
}: NewBooking): Insertable<Schema['bookings']> {
  return {
    id: booking.id,
    scheduler_id: schedulerId,
    event_type_id: booking.eventTypeId,
    meeting_id: booking.meetingId,
    host_id: hostId,
    seat,
    seats,
    status: booking.status,
    starts_at: booking.startsAt,
    ends_at: booking.endsAt,
    invitee_name: booking.invitee.name,
    invitee_email: booking.invitee.email,
    invitee_phone: booking.invitee.phone,
    invitee_time_zone: booking.invitee.timeZone,
    invitee_locale: booking.invitee.locale,
    location_type: booking.location.type,
    location_value: booking.location.value,
    notes: booking.notes,
    custom_fields: JSON.stringify(booking.customFields),
    source: booking.source,
    duplicate_key: duplicateKey,
    created_at: booking.createdAt,
  }
}
