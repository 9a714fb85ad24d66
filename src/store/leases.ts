import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from './engine/database.ts'
import { engine } from './engine/engine.ts'

/** No lease is longer. One that ends later was taken before the clock was set back, and does not count. */
const MAX_LEASE = 3_600_000

/** Whether no lease that ends at the time in this column is held, by the database's clock. */
export function isFree(db: Db, column: string): RawBuilder<SqlBool> {
  const [until, { now }] = [sql.ref(column), engine(db)]
  return sql<SqlBool>`(${until} is null or ${until} <= ${now} or ${until} > ${now} + ${sql.lit(MAX_LEASE)})`
}

/** Work that one instance does for all that share the database. */
type SharedWork = 'backup' | 'erasure' | 'payments' | 'search'

/**
 * Takes the lease on this work if it was last done at least `every` ago and no other instance holds the lease.
 *
 * Times are the database's, so that instances with wrong clocks agree.
 */
export async function takeLease(db: Db, name: SharedWork, every: number, lease: number): Promise<boolean> {
  const { now } = engine(db)
  const { rows } = await sql`
    insert into leases (name, leased_until) values (${name}, ${now} + ${sql.lit(lease)})
    on conflict (name) do update set leased_until = excluded.leased_until
      where ${isFree(db, 'leases.leased_until')}
        and (coalesce(leases.done_at, 0) <= ${now} - ${sql.lit(every)} or leases.done_at > ${now})
    returning name`.execute(db)
  return rows.length > 0
}

/** Keeps the lease for another while. */
export async function renewLease(db: Db, name: SharedWork, lease: number): Promise<void> {
  await sql`update leases set leased_until = ${engine(db).now} + ${sql.lit(lease)} where name = ${name}`.execute(
    db,
  )
}

/** Gives the lease back with the work done: it's due again `every` from now. */
export async function finishLease(db: Db, name: SharedWork): Promise<void> {
  await sql`update leases set leased_until = 0, done_at = ${engine(db).now} where name = ${name}`.execute(db)
}

/** Gives the lease back with the work undone: any instance may try after `pause`. */
export async function abandonLease(db: Db, name: SharedWork, pause: number): Promise<void> {
  await renewLease(db, name, pause)
}

/** Ends every lease, for the only process that there is: whoever held one was killed. */
export async function endAllLeases(db: Db): Promise<void> {
  const { now } = engine(db)
  await sql`update outbox set leased_until = null where leased_until is not null`.execute(db)
  await sql`update calendars set leased_until = 0, next_refresh_at = ${now} where leased_until > ${now}`.execute(
    db,
  )
  await sql`update connections set leased_until = 0 where leased_until > ${now}`.execute(db)
  await sql`update leases set leased_until = 0 where leased_until > ${now}`.execute(db)
}
