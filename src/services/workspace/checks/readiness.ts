import { findMigrations } from '../../../store/engine/migrate.ts'
import { MIGRATIONS } from '../../../store/engine/migrations.ts'
import type { Context } from '../../context.ts'
import type { StorageWatch } from '../../storage-watch.ts'

type Readiness = 'ready' | 'database unavailable' | 'migrations pending' | 'disk full'

/** Milliseconds within which the check answers. Probes must wait longer. */
export const READY_WITHIN = 2000

/**
 * Makes a check of whether the database answers, has all tables, and has room. It always settles within `patience`.
 *
 * Callers that come at the same time share one query: anyone may ask, so asking must stay cheap.
 */
export function createReadinessCheck(
  { db, storage }: Pick<Context, 'db' | 'storage'>,
  log: Parameters<StorageWatch['hasRoom']>[0],
  patience = READY_WITHIN,
): () => Promise<Readiness> {
  let asking: Promise<Readiness> | undefined
  const ask = async (): Promise<Readiness> => {
    try {
      const done = new Set(await findMigrations(db))
      if (!MIGRATIONS.every(({ name }) => done.has(name))) return 'migrations pending'
      return (await storage.hasRoom(log)) ? 'ready' : 'disk full'
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
