import { sql } from 'kysely'
import type { HostClaim } from '../../../domain/bookings/facts/claims.ts'
import type { Question } from '../../../domain/bookings/ledger.ts'
import { type Interval, merge } from '../../../domain/interval.ts'
import { MAX_BUFFER, MAX_DURATION } from '../../../domain/slots/openings.ts'
import type { Db } from '../../engine/database.ts'
import { engine } from '../../engine/engine.ts'
import { prepared, preparedInsertAll } from '../../engine/prepared.ts'
import { CLAIM_COLUMNS, type ClaimRow, claimFromRow, claimRow } from '../rows.ts'
import { type Ids, type Reading, reading, rowStatement, type StoredFact, unique, writing } from './fact.ts'

/** The time of meetings and of holds, which are claims with an end. */
export const claims: StoredFact = {
  ask(db, questions) {
    const readings: Reading[] = []
    const spans = spansByHost(questions)
    if (spans.length > 0)
      readings.push(reading(readClaims.bind(db, { spans: JSON.stringify(spans) }), addAll))
    const meetingIds = unique(questions.flatMap((question) => question.meetingIds ?? []))
    if (meetingIds.length > 0) {
      readings.push(reading(readMeetingClaims.bind(db, { ids: engine(db).idList(meetingIds) }), addAll))
    }
    return readings
  },
  write: ({ freedMeetings = [], freedHolds = [], holds = [], claims = [] }) => [
    // First, because another decision of this transaction may have taken that time again.
    writing(freedMeetings.map(meetingRow), deleteClaims),
    writing(freedHolds.map(meetingRow), deleteHolds),
    writing(
      holds.flatMap(({ client, claims, expiresAt }) => {
        const kept = { expires_at: expiresAt, hold_client: client }
        return claims.map(({ hostId, claim }) => ({ ...claimRow(hostId, claim), ...kept }))
      }),
      insertHolds,
    ),
    writing(
      claims.map(({ hostId, claim }) => claimRow(hostId, claim)),
      insertClaims,
    ),
  ],
}

const addAll: Parameters<typeof reading<HeldClaimRow>>[1] = (rows, ledger) => {
  for (const row of rows) ledger.claims.add(hostClaimOf(row))
}

function hostClaimOf(row: HeldClaimRow): HostClaim {
  const claim = { hostId: row.host_id, claim: claimFromRow(row, 1) }
  return row.hold === null ? claim : { ...claim, hold: row.hold }
}

const meetingRow = (meeting_id: string) => ({ meeting_id })

/** The spans of the questions, as disjoint ranges for each host. */
export function spansByHost(
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

const CLAIM_REFS = sql.join(CLAIM_COLUMNS.map((column) => sql.ref(`found.${column}`)))

type HeldClaimRow = ClaimRow & { readonly hold: 'live' | 'over' | null }

const holdState = (db: Db) => sql`case when found.expires_at is null then null
    when found.expires_at > ${engine(db).now} then 'live' else 'over' end as hold`

// The index knows only where claims begin, which is at most the longest one and its buffer before a span.
export const claimsWithin = (db: Db, spans: string) =>
  engine(db).lookUpEach(
    engine(db).rowsFromJson('claims', ['host_id', 'starts_at', 'ends_at'], spans),
    'claims',
    sql`${engine(db).beginsBetween(EARLIEST, LATEST)}
      and found.starts_at - found.buffer_before < wanted.ends_at
      and found.ends_at + found.buffer_after > wanted.starts_at`,
    'starts_at',
  )

const EARLIEST = sql<number>`wanted.starts_at - ${sql.lit(MAX_DURATION + MAX_BUFFER)}`
const LATEST = sql<number>`wanted.ends_at + ${sql.lit(MAX_BUFFER)}`

const readClaims = prepared<{ spans: string }, HeldClaimRow>(
  (db, value) => sql`select ${CLAIM_REFS}, ${holdState(db)} from ${claimsWithin(db, value('spans'))}`,
)

const readMeetingClaims = prepared<Ids, HeldClaimRow>(
  (db, value) => sql`select ${CLAIM_REFS}, ${holdState(db)} from claims as found
    where ${engine(db).isAmong('found.meeting_id', value('ids'))}`,
)

const insertClaims = preparedInsertAll('claims', CLAIM_COLUMNS)
const insertHolds = preparedInsertAll('claims', [...CLAIM_COLUMNS, 'expires_at', 'hold_client'])

const areOfMeetings = (db: Db, rows: string) =>
  engine(db).isOneOf('meeting_id', engine(db).rowsFromJson('claims', ['meeting_id'], rows))

const deleteClaims = rowStatement((db, rows) => sql`delete from claims where ${areOfMeetings(db, rows)}`)

const deleteHolds = rowStatement(
  (db, rows) => sql`delete from claims where ${areOfMeetings(db, rows)} and expires_at is not null`,
)
