import type { CompiledQuery, QueryResult } from 'kysely'
import { emptyLedger, type Ledger, type Question, type Writes } from '../../domain/bookings/ledger.ts'
import type { Db } from '../engine/database.ts'
import { announcements } from './facts/announcements.ts'
import { answers } from './facts/answers.ts'
import { audit } from './facts/audit.ts'
import { bookings } from './facts/bookings.ts'
import { checkouts } from './facts/checkouts.ts'
import { claims } from './facts/claims.ts'
import { codes } from './facts/codes.ts'
import type { Reading, StoredFact } from './facts/fact.ts'
import { guests } from './facts/guests.ts'
import { holds } from './facts/holds.ts'
import { links } from './facts/links.ts'
import { responses } from './facts/responses.ts'
import { type Locking, lockHosts, schedulers } from './facts/schedulers.ts'
import { seats } from './facts/seats.ts'
import { turns } from './facts/turns.ts'

/** Every kind of fact, in the order in which rows are locked and written. */
const FACTS: Readonly<Record<keyof Ledger, StoredFact>> = {
  schedulers,
  claims,
  seats,
  turns,
  bookings,
  checkouts,
  answers,
  guests,
  links,
  responses,
  codes,
  holds,
  audit,
  announcements,
}

/** The statements that a transaction begins with, and how their answers become a ledger. */
interface LedgerReads {
  readonly queries: readonly CompiledQuery[]
  readonly toLedger: (answers: readonly QueryResult<unknown>[]) => Ledger
}

/**
 * Locks the hosts of these questions, then reads what they are about.
 *
 * The lock is a statement of its own: on PostgreSQL each later statement sees everything that was committed
 * before the lock was granted.
 */
export function readLedger(db: Db, questions: readonly Question[], locking: Locking): LedgerReads {
  const readings: readonly Reading[] = [
    lockHosts(db, questions, locking),
    ...Object.values(FACTS).flatMap(({ ask }) => ask?.(db, questions) ?? []),
  ]
  const toLedger = (answers: readonly QueryResult<unknown>[]) => {
    const ledger = emptyLedger()
    for (const [i, { read }] of readings.entries()) read((answers[i] as QueryResult<never>).rows, ledger)
    return ledger
  }
  return { queries: readings.map(({ query }) => query), toLedger }
}

/** The statements that write all of this, in their order: one for each table, however many decisions these are of. */
export function compileWrites(db: Db, writes: Writes): CompiledQuery[] {
  return Object.values(FACTS)
    .flatMap(({ write }) => write?.(writes) ?? [])
    .filter(({ rows }) => rows.length > 0)
    .flatMap(({ rows, statements }) => {
      const json = JSON.stringify(rows)
      return statements.map((statement) => statement.bind(db, { rows: json }))
    })
}
