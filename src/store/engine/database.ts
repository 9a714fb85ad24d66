import type { Kysely, Transaction } from 'kysely'
import type { Schema } from './schema.ts'

/** A connection or a transaction: `Transaction` extends `Kysely`, so both fit. */
export type Db = Kysely<Schema>

/** For functions that only make sense inside a transaction: a bare `Db` does not fit. */
export type Trx = Transaction<Schema>

/** Rules that the database enforces, whatever the code does. */
export type Constraint = 'host_overlap' | 'seat_taken' | 'duplicate_booking' | 'link_used' | 'unique'

const SQLITE_CONSTRAINT = 19

/** Whether a constraint or a concurrent transaction made a statement fail: its parts may succeed one by one. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode = 0 } = error as Error & { code?: string; errcode?: number }
  return (errcode & 0xff) === SQLITE_CONSTRAINT || /^(?:23|40)/.test(code ?? '')
}

/** Whether the data made a statement fail: retrying fails the same way. */
export function isDataError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode = 0 } = error as Error & { code?: string; errcode?: number }
  const sqliteTooBigOrConstraintOrMismatch = [18, 19, 20].includes(errcode & 0xff)
  return sqliteTooBigOrConstraintOrMismatch || /^2[23]/.test(code ?? '')
}

/** The rule that a statement broke, or undefined if it failed for another reason. */
export function brokenConstraint(error: unknown): Constraint | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, constraint, errcode } = error as Error & {
    code?: string
    constraint?: string
    errcode?: number
  }
  if (code === '23P01') return 'host_overlap'
  if (code === '23514' && constraint === 'bookings_capacity') return 'seat_taken'
  if (code === '23514' && constraint === 'private_links_uses') return 'link_used'
  if (code === '23505') return constraintByIndex[constraint ?? ''] ?? 'unique'
  if (error.message === 'host_overlap') return 'host_overlap'
  if (errcode !== undefined && (errcode & 0xff) === SQLITE_CONSTRAINT) {
    if (error.message.includes('claims.')) return 'host_overlap'
    if (/bookings\.seat|bookings_capacity/.test(error.message)) return 'seat_taken'
    if (error.message.includes('private_links_uses')) return 'link_used'
    if (error.message.includes('bookings.duplicate_key')) return 'duplicate_booking'
    if (error.message.startsWith('UNIQUE')) return 'unique'
  }
  return undefined
}

const constraintByIndex: Record<string, Constraint> = {
  claims_pkey: 'host_overlap',
  bookings_seat: 'seat_taken',
  bookings_duplicate: 'duplicate_booking',
}

/** Whether PostgreSQL didn't grant a lock in time. */
export const isLockTimeout = (error: unknown) => (error as { code?: string }).code === '55P03'

const SQLITE_FULL = 13

/** Whether there is no room left for what should be written: in the database, or for a file. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', errcode = 0 } = error as Error & { code?: string; errcode?: number }
  return (errcode & 0xff) === SQLITE_FULL || ['53100', 'ENOSPC', 'EDQUOT'].includes(code)
}

/** Busy (5), locked (6), read-only (8), I/O error (10), disk full (13), cannot be opened (14). */
const SQLITE_UNAVAILABLE: ReadonlySet<number> = new Set([5, 6, 8, 10, 13, 14])

/** Whether the database could not be reached or gave up: retrying later may work. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as Error & { code?: string; errcode?: number }
  return (
    (errcode !== undefined && SQLITE_UNAVAILABLE.has(errcode & 0xff)) ||
    /^(?:ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)/.test(code ?? '') ||
    // 0A000 is a statement that was prepared before a newer version's migration, 55P03 a lock that was not granted in
    // time, 57014 a statement that took too long, 25P03 a transaction that stood still.
    /^(?:08|0A000|57P|57014|53|40|55P03|25P03|25006)/.test(code ?? '') ||
    /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable/i.test(
      error.message,
    )
  )
}
