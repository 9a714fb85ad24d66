import type { TestContext } from 'node:test'
import { type KyselyPlugin, sql } from 'kysely'
import type { Db } from '../src/store/engine/database.ts'

// Ways to make two requests meet at a chosen point, instead of hoping that they do.

export interface StoppedReader {
  readonly db: Db
  /** Settles when a transaction has read claims of a host, at least one, and is held there. */
  readonly reached: Promise<void>
  readonly goOn: () => void
}

/** The same database, except that the first transaction that reads claims of a host is held there. */
export function stopAfterReading(t: TestContext, db: Db): StoppedReader {
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  // A failed test must not hold it forever.
  t.after(() => released.resolve())
  let stopped = false
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      // Known by its columns: a query that is prepared once does not pass by here again.
      const [row = {}] = result.rows
      if (!stopped && 'buffer_before' in row) {
        stopped = true
        reached.resolve()
        await released.promise
      }
      return result
    },
  }
  return { db: db.withPlugin(plugin), reached: reached.promise, goOn: released.resolve }
}

/** On PostgreSQL: until a statement stands before a lock, or `attempt` is over because nothing held it up. */
export async function untilSomeoneWaits(db: Db, attempt?: Promise<unknown>): Promise<void> {
  let done = false
  const noteEnd = () => {
    done = true
  }
  attempt?.then(noteEnd, noteEnd)
  while (!done) {
    const { rows } = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    if (rows.length > 0) return
  }
}
