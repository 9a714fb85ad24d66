import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Db } from '../engine/database.ts'
import { engine } from '../engine/engine.ts'
import { prepared, preparedInsertAll } from '../engine/prepared.ts'
import { insertJobRows, jobRow } from '../outbox.ts'
import { AUDIT_COLUMNS, auditRow } from '../people/audit.ts'
import { ANSWER_COLUMNS, answerRow } from './idempotency-keys.ts'
import type { BalanceChange, GuestMail, MailedCode, UpdatedBooking, Writes } from './ledger.ts'
import { BOOKING_COLUMNS, bookingRow, CLAIM_COLUMNS, claimRow, isUncommon, UNCOMMON_COLUMNS } from './rows.ts'

/** The statements that write all of this, in their order: one for each table, however many decisions there were. */
export function compileWrites(db: Db, decisions: readonly Writes[]): CompiledQuery[] {
  const queries: CompiledQuery[] = []
  const write = (rows: readonly object[], ...statements: readonly RowStatement[]) => {
    if (rows.length === 0) return
    const json = JSON.stringify(rows)
    for (const statement of statements) queries.push(statement.bind(db, { rows: json }))
  }
  const every = <Item>(itemsOf: (writes: Writes) => readonly Item[] | undefined): Item[] =>
    decisions.flatMap((decision) => itemsOf(decision) ?? [])

  // First, because another decision of this transaction may have taken that time again.
  write(
    every(({ freedMeetings }) => freedMeetings).map((meeting_id) => ({ meeting_id })),
    deleteClaims,
  )
  write(
    every(({ freedHolds }) => freedHolds).map((meeting_id) => ({ meeting_id })),
    deleteHolds,
  )
  write(
    every(({ holds }) => holds).flatMap(({ client, claims, expiresAt }) => {
      const kept = { expires_at: expiresAt, hold_client: client }
      return claims.map(({ hostId, claim }) => ({ ...claimRow(hostId, claim), ...kept }))
    }),
    insertHolds,
  )
  write(
    every(({ claims }) => claims).map(({ hostId, claim }) => claimRow(hostId, claim)),
    insertClaims,
  )
  const updates = every(({ updates }) => updates)
  write(updates.filter(({ after }) => !after).map(updateRow), updateBookings)
  for (const update of updates.filter(({ after }) => after)) write([updateRow(update)], updateBookings)
  const bookings = every(({ bookings }) => bookings).map(bookingRow)
  write(
    bookings.filter((row) => !isUncommon(row)),
    insertBookings,
  )
  write(bookings.filter(isUncommon), insertUncommonBookings)
  write(every(({ usedCodes }) => usedCodes).map(codeRow), deleteCodes, insertAnswered)
  write(every(({ failedCodes }) => failedCodes).map(codeRow), countTries)
  write(
    every(({ spentLinks }) => spentLinks).map((id) => ({ id })),
    spendLinks,
  )
  write(
    every(({ spentResponses }) => spentResponses).map(({ id, bookingId }) => ({ id, booking_id: bookingId })),
    spendResponses,
  )
  write(every(({ guestMails }) => guestMails).map(guestMailRow), insertAddedGuests)
  write(
    every(({ answers }) => answers).map((answer) => answerRow(answer)),
    deleteAnswers,
    insertAnswers,
  )
  write(balanceRows(every(({ balances }) => balances)), updateBalances)
  write(every(({ audit }) => audit).map(auditRow), insertAudit)
  write(
    every(({ withdrawnJobs }) => withdrawnJobs).map((id) => ({ id })),
    deleteWithdrawn,
  )
  write(
    every(({ jobs }) => jobs).map((job) => jobRow(job, job.dueAt)),
    insertJobRows,
  )
  return queries
}

type RowStatement = ReturnType<typeof statement>

/** What of a booking can change. */
const MUTABLE_COLUMNS = [
  'meeting_id',
  'host_id',
  'seat',
  'seats',
  'status',
  'starts_at',
  'ends_at',
  'sequence',
  'reason',
  'requested_at',
  'assignment',
] as const

const ADDED_GUEST_COLUMNS = ['booking_id', 'position', 'guest', 'created_at'] as const

const insertClaims = preparedInsertAll('claims', CLAIM_COLUMNS)
const insertHolds = preparedInsertAll('claims', [...CLAIM_COLUMNS, 'expires_at', 'hold_client'])
const insertBookings = preparedInsertAll('bookings', BOOKING_COLUMNS)
const insertUncommonBookings = preparedInsertAll('bookings', [...BOOKING_COLUMNS, ...UNCOMMON_COLUMNS])
const insertAddedGuests = preparedInsertAll('added_guests', ADDED_GUEST_COLUMNS)
const insertAnswers = preparedInsertAll('idempotency_keys', ANSWER_COLUMNS)
const insertAudit = preparedInsertAll('audit', AUDIT_COLUMNS)

const deleteClaims = statement(
  (db, rows) => sql`delete from claims
    where meeting_id in (${engine(db).rowsFromJson('claims', ['meeting_id'], rows)})`,
)

const deleteHolds = statement(
  (db, rows) => sql`delete from claims
    where meeting_id in (${engine(db).rowsFromJson('claims', ['meeting_id'], rows)}) and expires_at is not null`,
)

const updateBookings = statement(
  (db, rows) => sql`update bookings
    set ${sql.join(
      MUTABLE_COLUMNS.map((column) => {
        const changed = sql`${sql.ref(`changed.${column}`)}`
        const value = column === 'requested_at' ? sql`coalesce(${changed}, bookings.requested_at)` : changed
        return sql`${sql.ref(column)} = ${value}`
      }),
    )}
    from (${engine(db).rowsFromJson('bookings', ['id', ...MUTABLE_COLUMNS], rows)}) as changed
    where bookings.id = changed.id`,
)

/** Only an answer that has expired can stand in the way of a new one: the others were found before deciding. */
const deleteAnswers = statement(
  (db, rows) => sql`delete from idempotency_keys
    where (event_type_id, key) in (${engine(db).rowsFromJson('idempotency_keys', ['event_type_id', 'key'], rows)})`,
)

const spendLinks = statement(
  (db, rows) => sql`update private_links set used = used + spent.uses
    from (
      select id, count(*) as uses from (${engine(db).rowsFromJson('private_links', ['id'], rows)}) as each_use group by id
    ) as spent
    where private_links.id = spent.id`,
)

const spendResponses = statement(
  (db, rows) => sql`update routing_responses set booking_id = spent.booking_id
    from (${engine(db).rowsFromJson('routing_responses', ['id', 'booking_id'], rows)}) as spent
    where routing_responses.id = spent.id`,
)

const deleteCodes = statement(
  (db, rows) => sql`delete from email_codes where (event_type_id, address_hash)
    in (${engine(db).rowsFromJson('email_codes', ['event_type_id', 'address_hash'], rows)})`,
)

// `where true`, because SQLite would read "on conflict" as part of a join.
const insertAnswered = statement(
  (db, rows) => sql`insert into answered_guests (address_hash, answered_at)
    select distinct address_hash, ${engine(db).now}
      from (${engine(db).rowsFromJson('email_codes', ['address_hash'], rows)}) as used where true
    on conflict do nothing`,
)

const countTries = statement(
  (db, rows) => sql`update email_codes set tries = email_codes.tries + failed.times
    from (
      select event_type_id, address_hash, count(*) as times
        from (${engine(db).rowsFromJson('email_codes', ['event_type_id', 'address_hash'], rows)}) as each_try
        group by event_type_id, address_hash
    ) as failed
    where email_codes.event_type_id = failed.event_type_id
      and email_codes.address_hash = failed.address_hash`,
)

const codeRow = ({ eventTypeId, address }: MailedCode) => ({
  event_type_id: eventTypeId,
  address_hash: address,
})

const deleteWithdrawn = statement(
  (db, rows) => sql`delete from outbox where id in (${engine(db).rowsFromJson('outbox', ['id'], rows)})`,
)

const BALANCE_COLUMNS = ['event_type_id', 'host_id', 'balance', 'last_assigned_at'] as const

const updateBalances = statement(
  (db, rows) => sql`update event_type_hosts
    set balance = event_type_hosts.balance + changed.balance,
      last_assigned_at = coalesce(changed.last_assigned_at, event_type_hosts.last_assigned_at)
    from (${engine(db).rowsFromJson('event_type_hosts', BALANCE_COLUMNS, rows)}) as changed
    where event_type_hosts.event_type_id = changed.event_type_id
      and event_type_hosts.host_id = changed.host_id`,
)

/** One row for each host, since an update changes a row only once. */
function balanceRows(changes: readonly BalanceChange[]) {
  const rows = new Map<string, Record<(typeof BALANCE_COLUMNS)[number], string | number | null>>()
  for (const { eventTypeId, hostId, by, assignedAt } of changes) {
    const key = `${eventTypeId} ${hostId}`
    const known = rows.get(key)
    rows.set(key, {
      event_type_id: eventTypeId,
      host_id: hostId,
      balance: Number(known?.balance ?? 0) + by,
      last_assigned_at: assignedAt ?? known?.last_assigned_at ?? null,
    })
  }
  return [...rows.values()]
}

function statement(build: (db: Db, rows: string) => RawBuilder<unknown>) {
  return prepared<{ rows: string }, unknown>((db, value) => build(db, value('rows')))
}

const guestMailRow = ({ bookingId, position, guest, sentAt }: GuestMail) => ({
  booking_id: bookingId,
  position,
  guest,
  created_at: sentAt,
})

function updateRow({ booking, hostId, seat, seats, requestedAt, assignment }: UpdatedBooking) {
  return {
    id: booking.id,
    meeting_id: booking.meetingId,
    host_id: hostId,
    seat,
    seats,
    status: booking.status,
    starts_at: booking.startsAt,
    ends_at: booking.endsAt,
    sequence: booking.sequence,
    reason: booking.reason,
    requested_at: requestedAt ?? null,
    ...(assignment && { assignment: JSON.stringify(assignment) }),
  }
}
