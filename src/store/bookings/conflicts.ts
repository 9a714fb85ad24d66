import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { BufferedMeeting } from '../../domain/slots/conflicts.ts'
import { MAX_DURATION } from '../../domain/slots/openings.ts'

/** A meeting in SQL: each part is a column or a placeholder. */
export type MeetingSql = Readonly<Record<keyof BufferedMeeting, RawBuilder<unknown>>>

/**
 * Whether a row of `claims` is in the way of a meeting: `conflicts` of the domain, in SQL.
 *
 * Neither a meeting nor a buffer is longer than MAX_DURATION, so only claims close to the meeting are read.
 */
export function claimConflictsWith(
  claims: string,
  { startsAt, endsAt, bufferBefore, bufferAfter }: MeetingSql,
): RawBuilder<SqlBool> {
  const claim = claimSql(claims)
  const longest = sql.lit(MAX_DURATION)
  return sql<SqlBool>`
    ${claim.startsAt} > ${startsAt} - ${longest} - ${longest} and ${claim.startsAt} < ${endsAt} + ${longest}
    and (${claim.endsAt} > ${startsAt} - ${bufferBefore} or ${claim.endsAt} + ${claim.bufferAfter} > ${startsAt})
    and (${claim.startsAt} < ${endsAt} + ${bufferAfter} or ${claim.startsAt} - ${claim.bufferBefore} < ${endsAt})`
}

/** The columns that describe a meeting, in a table or alias that has them. */
export function claimSql(table: string): MeetingSql {
  return {
    startsAt: sql`${sql.ref(`${table}.starts_at`)}`,
    endsAt: sql`${sql.ref(`${table}.ends_at`)}`,
    bufferBefore: sql`${sql.ref(`${table}.buffer_before`)}`,
    bufferAfter: sql`${sql.ref(`${table}.buffer_after`)}`,
  }
}
