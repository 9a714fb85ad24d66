import { findMigrations } from '../../store/engine/migrate.ts'
import { MIGRATIONS } from '../../store/engine/migrations.ts'
import type { Context } from '../context.ts'

export type Readiness = 'ready' | 'database unavailable' | 'migrations pending'

/** A probe waits about this long before it gives up. */
const PATIENCE = 2000

/**
 * Makes a check of whether the database answers and has all tables. It always settles within `patience`.
 *
 * Callers that come at the same time share one query: anyone may ask, so asking must stay cheap.
 */
export function createReadinessCheck(
  { db }: Pick<Context, 'db'>,
  patience = PATIENCE,
): () => Promise<Readiness> {
  let asking: Promise<Readiness> | undefined
  const ask = async (): Promise<Readiness> => {
    try {
      const done = new Set(await findMigrations(db))
      return MIGRATIONS.every(({ name }) => done.has(name)) ? 'ready' : 'migrations pending'
    } catch {
      return 'database unavailable'
    } finally {
      asking = undefined
    }
  }
  return async () => {
    asking ??= ask()
    const { promise: late, resolve } = Promise.withResolvers<Readiness>()
    const timer = setTimeout(resolve, patience, 'database unavailable')
    try {
      return await Promise.race([asking, late])
    } finally {
      clearTimeout(timer)
    }
  }
}
