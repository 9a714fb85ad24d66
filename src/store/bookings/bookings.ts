import { type SqlBool, sql } from 'kysely'
import type { NewBooking } from '../../domain/bookings/listed-booking.ts'
import { type Interval, merge } from '../../domain/interval.ts'
import { type Claim, MAX_DURATION } from '../../domain/slots/openings.ts'
import { batchedRead } from '../engine/batcher.ts'
import type { Db, Trx } from '../engine/database.ts'
import { engine, type IdList } from '../engine/engine.ts'
import { type Placeholder, prepared } from '../engine/prepared.ts'
import { isActive } from './active.ts'
import { takesTime } from './holds.ts'
import { bookingRow, CLAIM_DETAILS, type ClaimRow, claimFromRow, claimRow } from './rows.ts'

/** What is taken of a host's time within some span. */
interface TakenTime {
  readonly hostId: string
  readonly claims: readonly Claim[]
}

/**
 * Claims of these hosts that touch `span`, earliest first: one statement, so all of it is true at one moment.
 */
export async function findTakenTime(
  db: Db,
  hostIds: readonly string[],
  span: Interval,
  countSeats: boolean,
): Promise<TakenTime[]> {
  if (hostIds.length === 0) return []
  // No claim is longer than MAX_DURATION, so the index is read from close to the span.
  const values = { hostId: hostIds[0] as string, from: span.start - MAX_DURATION, to: span.end }
  const { rows } =
    hostIds.length === 1 && !countSeats
      ? await takenByOneHost(db, values)
      : await db.executeQuery(takenQuery(db, hostIds, values.from, values.to, countSeats))

  const taken: (TakenTime & { claims: Claim[] })[] = []
  for (const row of rows) {
    let host = taken.at(-1)
    if (host?.hostId !== row.id) {
      host = { hostId: row.id, claims: [] }
      taken.push(host)
    }
    // A host without claims has one row, in which the claim is null.
    if (row.meeting_id === null || (row.ends_at as number) <= span.start) continue
    const claim = claimFromRow(row as Omit<ClaimRow, 'host_id'>, row.seats_taken ?? 1)
    host.claims.push(row.expires_at === null ? claim : { ...claim, isHold: true })
  }
  return taken
}

/** The most common case: every booking and many listings run it. */
const takenByOneHost = prepared((db, value: Placeholder<{ hostId: string; from: number; to: number }>) =>
  takenQuery(db, [value('hostId')], value('from'), value('to'), false),
)

function takenQuery(db: Db, hostIds: readonly string[], from: number, to: number, countSeats: boolean) {
  return db
    .selectFrom('schedulers as s')
    .leftJoin('claims as c', (join) =>
      join
        .onRef('c.host_id', '=', 's.id')
        .on('c.starts_at', '>', from)
        .on('c.starts_at', '<', to)
        .on(takesTime(db)),
    )
    .select(['s.id', 'c.expires_at'])
    .select(CLAIM_DETAILS.map((column) => `c.${column}` as const))
    .$if(countSeats, (query) =>
      query.select((eb) =>
        eb
          .selectFrom('bookings as b')
          .select(engine(db).people('b.guests').as('count'))
          .whereRef('b.meeting_id', '=', 'c.meeting_id')
          .where(isActive('b'))
          .as('seats_taken'),
      ),
    )
    .where('s.id', 'in', hostIds)
    .orderBy('s.id')
    .orderBy('c.starts_at')
}

interface TakenHours {
  readonly revision: number
  readonly claims: readonly Claim[]
}

/**
 * One host's claims within `span`, earliest first, without their meetings: all that most listings need. The host's revision
 * comes with them. Undefined if there is no such host.
 */
export function findTakenHours(
  db: Db,
  hostId: string,
  span: Interval,
): TakenHours | undefined | Promise<TakenHours | undefined> {
  const values = { hostId, from: span.start - MAX_DURATION, to: span.end }
  const now = engine(db).readNow(db, hoursOfOneHost.bind(db, values))
  if (now === undefined) return findHoursTogether(db, JSON.stringify([hostId, span.start, span.end]))
  const [first] = now as HoursRow[]
  return first && { revision: first[0], claims: claimsOf(now as HoursRow[], span) }
}

/** In the order of the columns. A host without claims has one row, in which the claim is null. */
type HoursRow = readonly [
  revision: number,
  start: number | null,
  end: number | null,
  bufferBefore: number | null,
  bufferAfter: number | null,
]

function claimsOf(rows: readonly HoursRow[], span: Interval): Claim[] {
  const claims: Claim[] = []
  for (const [, start, endsAt, before, after] of rows) {
    if (endsAt === null || endsAt <= span.start || (start as number) >= span.end) continue
    claims.push({
      meetingId: '',
      eventTypeId: '',
      startsAt: start as number,
      endsAt,
      bufferBefore: before as number,
      bufferAfter: after as number,
      seatsTaken: 1,
    })
  }
  return claims
}

const hoursOfOneHost = prepared((db, value: Placeholder<{ hostId: string; from: number; to: number }>) =>
  db
    .selectFrom('schedulers as s')
    .leftJoin('claims as c', (join) =>
      join
        .onRef('c.host_id', '=', 's.id')
        .on('c.starts_at', '>', value('from'))
        .on('c.starts_at', '<', value('to'))
        .on(takesTime(db)),
    )
    .select(['s.revision', 'c.starts_at', 'c.ends_at', 'c.buffer_before', 'c.buffer_after'])
    .where('s.id', '=', value('hostId'))
    .orderBy('c.starts_at'),
)

/** Requests that arrive together share a statement, which costs more than the rows it reads. */
const findHoursTogether = batchedRead<TakenHours>(async (db, keys) => {
  const wanted = keys.map((key) => {
    const [hostId, start, end]: [string, number, number] = JSON.parse(key)
    return { key, hostId, span: { start, end }, read: { start: start - MAX_DURATION, end } }
  })
  const byHost = Map.groupBy(wanted, ({ hostId }) => hostId)
  const spans = [...byHost].flatMap(([host_id, asked]) =>
    merge(asked.map(({ read }) => read)).map(({ start, end }) => ({
      host_id,
      starts_at: start,
      ends_at: end,
    })),
  )
  const ids = engine(db).idList([...byHost.keys()])
  const { rows } = await hoursOfHosts(db, { ids, spans: JSON.stringify(spans) })
  const rowsByHost = Map.groupBy(rows, ({ host_id }) => host_id)
  const found = new Map<string, TakenHours>()
  for (const { key, hostId, span } of wanted) {
    const rows = (rowsByHost.get(hostId) ?? []).map(
      (row): HoursRow => [row.revision, row.starts_at, row.ends_at, row.buffer_before, row.buffer_after],
    )
    const [first] = rows
    if (first !== undefined) found.set(key, { revision: first[0], claims: claimsOf(rows, span) })
  }
  return found
})

interface HoursOfHostRow {
  readonly host_id: string
  readonly revision: number
  readonly starts_at: number | null
  readonly ends_at: number | null
  readonly buffer_before: number | null
  readonly buffer_after: number | null
}

// First a row for each host, without a claim, then a row for each claim.
const hoursOfHosts = prepared<{ ids: IdList; spans: string }, HoursOfHostRow>((db, value) => {
  const wanted = engine(db).rowsFromJson('claims', ['host_id', 'starts_at', 'ends_at'], value('spans'))
  const begins = engine(db).beginsBetween(sql`wanted.starts_at`, sql`wanted.ends_at`)
  const fits = sql<SqlBool>`${begins} and ${takesTime(db)}`
  const nothing = sql`cast(null as bigint)`
  return sql`
    select id as host_id, revision, ${nothing} as starts_at, ${nothing} as ends_at, ${nothing} as buffer_before,
      ${nothing} as buffer_after
    from schedulers where ${engine(db).isAmong('id', value('ids'))}
    union all
    select found.host_id, 0, found.starts_at, found.ends_at, found.buffer_before, found.buffer_after
    from ${engine(db).lookUpEach(wanted, 'claims', fits)}
    order by starts_at nulls first`
})

/** Whether the slot has an active booking with this key. */
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
    .where(isActive('bookings'))
    .executeTakeFirst()
  return row !== undefined
}

/** How many bookings of this guest were made since then, of any host. */
export async function countMadeSince(
  db: Db,
  guest: string,
  since: number,
  client: string,
): Promise<{ readonly own: number; readonly all: number }> {
  const rows = await db
    .selectFrom('bookings')
    .select('client')
    .where('guest', '=', guest)
    // No booking begins before it is made, and the index knows when they begin.
    .where('starts_at', '>=', since)
    .where('created_at', '>', since)
    .where('source', '!=', 'Host')
    .execute()
  return { own: rows.filter((row) => row.client === client).length, all: rows.length }
}

/** Inserts a booking that was made elsewhere, as it is there. */
export async function insertBooking(trx: Trx, added: NewBooking): Promise<void> {
  await trx.insertInto('bookings').values(bookingRow(added)).execute()
}

/** Replaces what hosts have written about a booking. */
export async function updateHostNotes(trx: Trx, id: string, hostNotes: string): Promise<void> {
  await trx
    .updateTable('bookings')
    .set({ host_notes: hostNotes === '' ? null : hostNotes })
    .where('id', '=', id)
    .execute()
}

/** Claims a host's time for a meeting. */
export async function insertClaim(trx: Trx, hostId: string, claim: Claim): Promise<void> {
  await trx.insertInto('claims').values(claimRow(hostId, claim)).execute()
}
