import { type CompiledQuery, type QueryResult, type Selectable, type SqlBool, sql } from 'kysely'
import type { BookingStatus } from '../../domain/bookings/booking.ts'
import { partyOf } from '../../domain/bookings/guests.ts'
import { type Interval, merge } from '../../domain/interval.ts'
import { bookingLane } from '../../domain/job.ts'
import { MAX_BUFFER, MAX_DURATION } from '../../domain/slots/openings.ts'
import type { Db } from '../engine/database.ts'
import { engine, type IdList } from '../engine/engine.ts'
import { type Placeholder, prepared } from '../engine/prepared.ts'
import type { Schema } from '../engine/schema.ts'
import { routedFromRow } from '../forms/forms.ts'
import { answerFromRow } from './idempotency-keys.ts'
import {
  type GuestBooking,
  type HostClaim,
  Ledger,
  type LedgerContents,
  type Question,
  type TakenSeats,
} from './ledger.ts'
import { listedFromRow } from './list.ts'
import { privateLinkFromRow } from './private-links.ts'
import { CLAIM_COLUMNS, type ClaimRow, claimFromRow, guestsFrom } from './rows.ts'

/** The statements that a transaction begins with, and how their answers become a ledger. */
export interface LedgerReads {
  readonly queries: readonly CompiledQuery[]
  readonly toLedger: (answers: readonly QueryResult<unknown>[]) => Ledger
}

/** What becomes of hosts that another transaction holds; `look` locks none. */
export type Locking = 'wait' | 'skip' | 'look'

/**
 * Locks the hosts of these questions, then reads what they are about.
 *
 * The lock is a statement of its own: on PostgreSQL each later statement sees everything that was committed
 * before the lock was granted.
 */
export function readLedger(db: Db, questions: readonly Question[], locking: Locking): LedgerReads {
  const queries: CompiledQuery[] = []
  const readers: ((answer: QueryResult<never>, contents: MutableContents) => void)[] = []
  const ask = <Row>(
    query: CompiledQuery<Row>,
    read: (rows: readonly Row[], contents: MutableContents) => void,
  ) => {
    queries.push(query)
    readers.push((answer, contents) => read(answer.rows, contents))
  }

  const hostIds = unique(questions.flatMap((question) => question.hostIds))
  const meetingIds = unique(questions.flatMap((question) => question.meetingIds ?? []))
  const ids = { ids: engine(db).idList(hostIds), meetings: engine(db).idList(meetingIds) }
  const lock = {
    wait: meetingIds.length > 0 ? lockMeetingHosts : lockHosts,
    skip: meetingIds.length > 0 ? lockFreeMeetingHosts : lockFreeHosts,
    look: readRevisions,
  }[locking]
  ask(lock.bind(db, ids), (rows, { lockedIds, revisions }) => {
    for (const { id, revision } of rows) {
      lockedIds.add(id)
      revisions.set(id, revision)
    }
  })

  // What locked hosts depend on of their own came with the lock.
  const others = unique(questions.flatMap(({ dependsOn = [] }) => dependsOn)).filter(
    (id) => !hostIds.includes(id),
  )
  if (others.length > 0) {
    ask(readRevisions.bind(db, { ids: engine(db).idList(others) }), (rows, { revisions }) => {
      for (const { id, revision } of rows) revisions.set(id, revision)
    })
  }
  const spans = spansByHost(questions)
  if (spans.length > 0) {
    ask(readClaims.bind(db, { spans: JSON.stringify(spans) }), (rows, { claims }) => {
      for (const row of rows) claims.push(hostClaimOf(row))
    })
  }
  if (meetingIds.length > 0) {
    ask(readMeetingClaims.bind(db, { ids: ids.meetings }), (rows, { claims }) => {
      for (const row of rows) claims.push(hostClaimOf(row))
    })
  }
  const starts = questions.flatMap(({ hostIds, seatsAt = [] }) => {
    return seatsAt.flatMap((starts_at) => hostIds.map((host_id) => ({ host_id, starts_at })))
  })
  if (starts.length > 0) {
    ask(readSeats.bind(db, { starts: JSON.stringify(starts) }), (rows, { seats }) => {
      for (const row of rows) seats.push(takenSeats(row))
    })
  }
  const rotating = unique(questions.flatMap((question) => question.turnsOf ?? []))
  if (rotating.length > 0) {
    ask(readTurns.bind(db, { ids: engine(db).idList(rotating) }), (rows, { turns }) => {
      for (const row of rows) {
        const { event_type_id: eventTypeId, host_id: hostId, balance, weight } = row
        turns.push({ eventTypeId, hostId, balance, weight, lastAssignedAt: row.last_assigned_at })
      }
    })
  }
  const bookingIds = unique(questions.flatMap((question) => question.bookingIds ?? []))
  if (bookingIds.length > 0) {
    const wanted = { ids: engine(db).idList(bookingIds) }
    ask(readBookings.bind(db, wanted), (rows, { bookings }) => {
      for (const row of rows) bookings.push(listedFromRow(row))
    })
    ask(readCompanions.bind(db, wanted), (rows, { companions, seats }) => {
      for (const row of rows) {
        companions.push({ id: row.id, meetingId: row.meeting_id, status: row.status as BookingStatus })
        if (row.seats > 1) seats.push(takenSeats(row))
      }
    })
  }
  const unannounced = unique(questions.flatMap((question) => question.unannouncedIds ?? []))
  if (unannounced.length > 0) {
    const lanes = unannounced.map((id) => ({ lane: bookingLane(id) }))
    ask(readAnnouncements.bind(db, { lanes: JSON.stringify(lanes) }), (rows, contents) => {
      for (const row of rows) contents.unannounced.push({ jobId: row.id, record: JSON.parse(row.data) })
    })
  }
  const retries = questions.flatMap(({ retry }) => {
    return retry === undefined ? [] : { event_type_id: retry.eventTypeId, key: retry.key }
  })
  if (retries.length > 0) {
    ask(readAnswers.bind(db, { keys: JSON.stringify(retries) }), (rows, { answers }) => {
      for (const row of rows) answers.push(answerFromRow(row))
    })
  }

  const guests = questions.flatMap(({ guests }) => guests ?? [])
  if (guests.length > 0) {
    const keys = engine(db).idList(unique(guests.flatMap(({ keys }) => keys)))
    const from = Math.min(...guests.map((guest) => guest.from))
    ask(readGuestBookings.bind(db, { keys, from }), (rows, { guestBookings, guestMails }) => {
      for (const row of rows) {
        const { id, guest, created_at: sentAt } = row
        if (row.source === ADDED) guestMails.push({ bookingId: id, position: row.starts_at, guest, sentAt })
        else
          guestBookings.push({
            id: row.id,
            guest: row.guest,
            eventTypeId: row.event_type_id,
            status: row.status as BookingStatus,
            startsAt: row.starts_at,
            createdAt: row.created_at,
            source: row.source as GuestBooking['source'],
            seriesId: row.series_id,
          })
      }
    })
  }

  const linkIds = unique(questions.flatMap(({ linkId }) => linkId ?? []))
  if (linkIds.length > 0) {
    ask(readLinks.bind(db, { ids: engine(db).idList(linkIds) }), (rows, { links }) => {
      for (const row of rows) links.push(privateLinkFromRow(row))
    })
  }

  const responseIds = unique(questions.flatMap(({ responseId }) => responseId ?? []))
  if (responseIds.length > 0) {
    ask(readResponses.bind(db, { ids: engine(db).idList(responseIds) }), (rows, { responses }) => {
      responses.push(...rows.flatMap((row) => routedFromRow(row) ?? []))
    })
  }

  const codes = questions.flatMap(({ emailCode }) => emailCode ?? [])
  if (codes.length > 0) {
    const wanted = {
      eventTypes: engine(db).idList(unique(codes.map(({ eventTypeId }) => eventTypeId))),
      addresses: engine(db).idList(unique(codes.map(({ address }) => address))),
    }
    ask(readCodes.bind(db, wanted), (rows, contents) => {
      for (const row of rows) {
        const { event_type_id: eventTypeId, address_hash: address, code_hash: codeHash, tries } = row
        contents.codes.push({ eventTypeId, address, codeHash, tries, expiresAt: row.expires_at })
      }
    })
  }

  const clients = questions.flatMap(({ holdsOf }) => holdsOf ?? [])
  if (clients.length > 0) {
    const wanted = {
      eventTypes: engine(db).idList(unique(clients.map(({ eventTypeId }) => eventTypeId))),
      clients: engine(db).idList(unique(clients.map(({ client }) => client))),
    }
    ask(readHolds.bind(db, wanted), (rows, { holds }) => {
      for (const row of rows) {
        if (holds.some(({ id }) => id === row.meeting_id)) continue
        const { event_type_id: eventTypeId, hold_client: client, expires_at: expiresAt } = row
        holds.push({ id: row.meeting_id, eventTypeId, client, expiresAt })
      }
    })
    ask(readTime.bind(db, {}), (rows, { databaseTimes }) => {
      for (const { now } of rows) databaseTimes.push(now)
    })
  }

  const toLedger = (answers: readonly QueryResult<unknown>[]) => {
    const contents = emptyContents()
    for (const [i, read] of readers.entries()) read(answers[i] as QueryResult<never>, contents)
    // A claim may have been read twice: by two spans, or by its host and by its meeting.
    contents.claims = uniqueClaims(contents.claims)
    return new Ledger(contents)
  }
  return { queries, toLedger }
}

type Mutable<T> =
  T extends ReadonlyMap<infer K, infer V>
    ? Map<K, V>
    : T extends ReadonlySet<infer V>
      ? Set<V>
      : T extends readonly (infer V)[]
        ? V[]
        : never

type MutableContents = { -readonly [Kind in keyof LedgerContents]: Mutable<LedgerContents[Kind]> }

const emptyContents = (): MutableContents => ({
  lockedIds: new Set(),
  revisions: new Map(),
  claims: [],
  seats: [],
  turns: [],
  bookings: [],
  companions: [],
  answers: [],
  unannounced: [],
  guestBookings: [],
  links: [],
  responses: [],
  codes: [],
  holds: [],
  databaseTimes: [],
  guestMails: [],
})

const unique = (ids: readonly string[]): string[] => [...new Set(ids)]

function uniqueClaims(claims: readonly HostClaim[]): HostClaim[] {
  const byKey = new Map(claims.map((claim) => [`${claim.hostId} ${claim.claim.startsAt}`, claim]))
  return [...byKey.values()]
}

/** Whether a decision depends on times and settings alone, so that `guardLedger` can check it. */
export const dependsOnTimes = ({
  meetingIds,
  seatsAt,
  turnsOf,
  bookingIds,
  unannouncedIds,
  linkId,
  responseId,
  emailCode,
  holdsOf,
}: Question): boolean =>
  [meetingIds, seatsAt, turnsOf, bookingIds, unannouncedIds, linkId, responseId, emailCode, holdsOf].every(
    (part) => part === undefined,
  )

/** Locks the hosts of these questions, and fails if a decision on this ledger would now be another. */
export function guardLedger(db: Db, questions: readonly Question[], ledger: Ledger): CompiledQuery[] {
  const hostIds = unique(questions.flatMap((question) => question.hostIds))
  const ids = unique(questions.flatMap(({ hostIds, dependsOn = [] }) => [...hostIds, ...dependsOn]))
  const revisions = ids.map((id) => ({ id, revision: ledger.revisionOf(id) ?? null }))
  const known = hostIds.flatMap((host_id) => {
    return ledger.claimsOf(host_id).map(({ startsAt, meetingId }) => {
      return { host_id, starts_at: startsAt, meeting_id: meetingId }
    })
  })
  // Ended holds are known, too: they are deleted, and in nobody's way.
  for (const { hostId, claim } of ledger.endedHolds) {
    known.push({ host_id: hostId, starts_at: claim.startsAt, meeting_id: claim.meetingId })
  }
  const retries = questions.flatMap(({ retry }) => retry ?? [])
  return [
    lockHosts.bind(db, { ids: engine(db).idList(hostIds) }),
    checkUnchanged.bind(db, {
      ids: engine(db).idList(ids),
      revisions: JSON.stringify(revisions),
      count: ids.length,
      spans: JSON.stringify(spansByHost(questions)),
      known: JSON.stringify(known),
      eventTypes: engine(db).idList(unique(retries.map(({ eventTypeId }) => eventTypeId))),
      keys: engine(db).idList(unique(retries.map(({ key }) => key))),
    }),
  ]
}

/** The spans of the questions, as disjoint ranges for each host. */
function spansByHost(
  questions: readonly Question[],
): { host_id: string; starts_at: number; ends_at: number }[] {
  const spans = new Map<string, Interval[]>()
  for (const question of questions) {
    for (const span of question.spans ?? []) {
      for (const hostId of question.hostIds) {
        const known = spans.get(hostId)
        if (known === undefined) spans.set(hostId, [span])
        else known.push(span)
      }
    }
  }
  return [...spans].flatMap(([host_id, intervals]) =>
    merge(intervals).map(({ start, end }) => ({ host_id, starts_at: start, ends_at: end })),
  )
}

type Ids = { readonly ids: IdList }
type Locked = { readonly id: string; readonly revision: number }

/** In one order everywhere, so that two transactions never wait for each other. */
const lockHosts = prepared<Ids, Locked>(
  (db, value) => sql`select id, revision from schedulers where ${engine(db).isAmong('id', value('ids'))}
    order by id ${engine(db).lockRows}`,
)

const lockFreeHosts = prepared<Ids, Locked>(
  (db, value) => sql`select id, revision from schedulers where ${engine(db).isAmong('id', value('ids'))}
    order by id ${engine(db).lockFreeRows}`,
)

const meetingHosts = (db: Db, value: Placeholder<{ ids: IdList; meetings: IdList }>) => sql`
  select id from schedulers where ${engine(db).isAmong('id', value('ids'))}
  union all
  select host_id from claims where ${engine(db).isAmong('meeting_id', value('meetings'))}`

const lockMeetingHosts = prepared<Ids & { meetings: IdList }, Locked>(
  (db, value) => sql`select id, revision from schedulers where id in (${meetingHosts(db, value)})
    order by id ${engine(db).lockRows}`,
)

const lockFreeMeetingHosts = prepared<Ids & { meetings: IdList }, Locked>(
  (db, value) => sql`select id, revision from schedulers where id in (${meetingHosts(db, value)})
    order by id ${engine(db).lockFreeRows}`,
)

const readRevisions = prepared<Ids, Locked>(
  (db, value) => sql`select id, revision from schedulers where ${engine(db).isAmong('id', value('ids'))}`,
)

const CLAIM_REFS = sql.join(CLAIM_COLUMNS.map((column) => sql.ref(`found.${column}`)))

type HeldClaimRow = ClaimRow & { readonly hold: 'live' | 'over' | null }

const holdState = (db: Db) => sql`case when found.expires_at is null then null
    when found.expires_at > ${engine(db).now} then 'live' else 'over' end as hold`

// The index knows only where claims begin, which is at most the longest one and its buffer before a span.
const claimsWithin = (db: Db, spans: string) =>
  engine(db).lookUpEach(
    engine(db).rowsFromJson('claims', ['host_id', 'starts_at', 'ends_at'], spans),
    'claims',
    sql`${engine(db).beginsBetween(EARLIEST, LATEST)}
      and found.starts_at - found.buffer_before < wanted.ends_at
      and found.ends_at + found.buffer_after > wanted.starts_at`,
  )

const EARLIEST = sql<number>`wanted.starts_at - ${sql.lit(MAX_DURATION + MAX_BUFFER)}`
const LATEST = sql<number>`wanted.ends_at + ${sql.lit(MAX_BUFFER)}`

const readClaims = prepared<{ spans: string }, HeldClaimRow>(
  (db, value) => sql`select ${CLAIM_REFS}, ${holdState(db)} from ${claimsWithin(db, value('spans'))}`,
)

// Claims that are gone do no harm: the time is free.
const checkUnchanged = prepared<
  {
    ids: IdList
    revisions: string
    count: number
    spans: string
    known: string
    eventTypes: IdList
    keys: IdList
  },
  { unchanged: number }
>(
  (db, value) => sql`select 1 / (case when
    (select count(*) from schedulers where ${engine(db).isAmong('id', value('ids'))}
      and (id, revision) in (
        ${engine(db).rowsFromJson('schedulers', ['id', 'revision'], value('revisions'))}
      )
    ) < ${value('count')}
    or exists (
      select 1 from ${claimsWithin(db, value('spans'))}
        and (found.host_id, found.starts_at, found.meeting_id) not in (
          ${engine(db).rowsFromJson('claims', ['host_id', 'starts_at', 'meeting_id'], value('known'))}
        )
    )
    or exists (
      select 1 from idempotency_keys
      where ${engine(db).isAmong('event_type_id', value('eventTypes'))}
        and ${engine(db).isAmong('key', value('keys'), 'text')}
    )
    then 0 else 1 end) as unchanged`,
)

const readMeetingClaims = prepared<Ids, HeldClaimRow>(
  (db, value) => sql`select ${CLAIM_REFS}, ${holdState(db)} from claims as found
    where ${engine(db).isAmong('found.meeting_id', value('ids'))}`,
)

// The states are written out, because only then a partial index serves.
const readSeats = prepared<{ starts: string }, SeatRow>((db, value) => {
  const starts = engine(db).rowsFromJson('claims', ['host_id', 'starts_at'], value('starts'))
  const isThere = sql<SqlBool>`found.host_id = wanted.host_id and found.starts_at = wanted.starts_at`
  const meetings = sql`select found.meeting_id from ${engine(db).lookUpEach(starts, 'claims', isThere)}`
  const isActive = sql<SqlBool>`found.meeting_id = wanted.meeting_id
    and found.status in ('PendingApproval', 'Confirmed')`
  return sql`select found.meeting_id, found.seat, found.guests from ${engine(db).lookUpEach(meetings, 'bookings', isActive)}`
})

// Locked: cancelling changes the balances of hosts whom it does not lock. In one order everywhere, as hosts are.
const readTurns = prepared<Ids, Selectable<Schema['event_type_hosts']>>(
  (db, value) => sql`select event_type_id, host_id, last_assigned_at, weight, balance from event_type_hosts
    where ${engine(db).isAmong('event_type_id', value('ids'))} and fixed = 0
    order by event_type_id, host_id ${engine(db).lockRows}`,
)

// Locked as well: meetings that have ended are completed without their hosts.
const readBookings = prepared<Ids, Selectable<Schema['bookings']>>(
  (db, value) => sql`select * from bookings where ${engine(db).isAmong('id', value('ids'))}
    order by id ${engine(db).lockRows}`,
)

const readCompanions = prepared<
  Ids,
  Pick<Selectable<Schema['bookings']>, 'id' | 'meeting_id' | 'status' | 'seat' | 'seats' | 'guests'>
>(
  (db, value) => sql`select id, meeting_id, status, seat, seats, guests from bookings
    where status in ('PendingApproval', 'Confirmed')
      and meeting_id in (select meeting_id from bookings where ${engine(db).isAmong('id', value('ids'))})`,
)

// Locked, so that no worker announces what is being withdrawn. One that a worker has locked is being announced.
const readAnnouncements = prepared<{ lanes: string }, { id: number; data: string }>(
  (db, value) => sql`select id, data from outbox
    where lane in (${engine(db).rowsFromJson('outbox', ['lane'], value('lanes'))})
      and kind = 'announce' and failed_at is null
    order by id ${engine(db).skipLocked}`,
)

const readAnswers = prepared<{ keys: string }, Selectable<Schema['idempotency_keys']>>((db, value) => {
  const keys = engine(db).rowsFromJson('idempotency_keys', ['event_type_id', 'key'], value('keys'))
  const isSame = sql<SqlBool>`found.event_type_id = wanted.event_type_id and found.key = wanted.key`
  return sql`select found.* from ${engine(db).lookUpEach(keys, 'idempotency_keys', isSame)}`
})

/** Marks mails to those whom others brought; no booking has this source. */
const ADDED = 'Added'

// By a list, not by a join: PostgreSQL would expect a hundred guests, and read all bookings. One statement for both
// tables, since every booking asks.
const readGuestBookings = prepared<
  { keys: IdList; from: number },
  Pick<
    Selectable<Schema['bookings']>,
    'id' | 'guest' | 'event_type_id' | 'status' | 'starts_at' | 'created_at' | 'series_id'
  > & { source: string }
>(
  (
    db,
    value,
  ) => sql`select b.id, b.guest, b.event_type_id, b.status, b.starts_at, b.created_at, b.source, b.series_id
    from bookings as b
    where ${engine(db).isAmong('b.guest', value('keys'), 'text')} and b.starts_at >= ${value('from')}
    union all
    select a.booking_id, a.guest, a.booking_id, '', a.position, a.created_at, ${sql.lit(ADDED)}, null
    from added_guests as a
    where ${engine(db).isAmong('a.guest', value('keys'), 'text')} and a.created_at >= ${value('from')}`,
)

// Locked: a link may be used with different hosts, when those of its event type change.
const readLinks = prepared<Ids, Selectable<Schema['private_links']>>(
  (db, value) => sql`select * from private_links where ${engine(db).isAmong('id', value('ids'))}
    order by id ${engine(db).lockRows}`,
)

// Locked: two bookings with one response may be with different hosts, when those of its event type change.
const readResponses = prepared<Ids, Selectable<Schema['routing_responses']>>(
  (db, value) => sql`select * from routing_responses where ${engine(db).isAmong('id', value('ids'))}
    order by id ${engine(db).lockRows}`,
)

// Locked, so that two bookings never use one code, and every wrong one is counted.
const readCodes = prepared<{ eventTypes: IdList; addresses: IdList }, Selectable<Schema['email_codes']>>(
  (db, value) => sql`select * from email_codes
    where ${engine(db).isAmong('event_type_id', value('eventTypes'))}
      and ${engine(db).isAmong('address_hash', value('addresses'), 'text')}
    order by event_type_id, address_hash ${engine(db).lockRows}`,
)

const readHolds = prepared<
  { eventTypes: IdList; clients: IdList },
  { meeting_id: string; event_type_id: string; hold_client: string; expires_at: number }
>(
  (db, value) => sql`select meeting_id, event_type_id, hold_client, expires_at from claims
    where ${engine(db).isAmong('event_type_id', value('eventTypes'))}
      and ${engine(db).isAmong('hold_client', value('clients'), 'text')}
      and expires_at is not null and expires_at > ${engine(db).now}`,
)

const readTime = prepared<Record<never, never>, { now: number }>((db) => sql`select ${engine(db).now} as now`)

function hostClaimOf(row: HeldClaimRow): HostClaim {
  const claim = { hostId: row.host_id, claim: claimFromRow(row, 1) }
  return row.hold === null ? claim : { ...claim, hold: row.hold }
}

type SeatRow = Pick<Selectable<Schema['bookings']>, 'meeting_id' | 'seat' | 'guests'>

const takenSeats = (row: SeatRow): TakenSeats => ({
  meetingId: row.meeting_id,
  seat: row.seat,
  party: partyOf({ guests: guestsFrom(row.guests) }),
})
