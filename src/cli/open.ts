import type { Actor } from '../domain/people/audit.ts'
import type { Context } from '../services/context.ts'
import type { Settings } from '../settings.ts'
import { openService, openStore } from '../start.ts'
import type { Db } from '../store/engine/database.ts'

/** The actor in the audit log. */
export const COMMAND_LINE: Actor = { userId: null, email: 'command line' }

// Only the operator waits for a command. Where nothing answers at all, they should hear of it.
const PATIENT = { queryTimeout: 0, connectTimeout: 30_000 }

/** Runs `work` on the service that the settings describe, migrated, and closes it. */
export async function withService(
  settings: Settings,
  work: (context: Context) => Promise<void>,
): Promise<void> {
  // Commands notify nobody. With another JWT_SECRET by mistake, one would replace the key of notifications.
  const { context, close } = await openService({ ...settings, webPush: false }, PATIENT)
  try {
    await work(context)
  } finally {
    await close()
  }
}

/** Runs `work` on the database as it is, and closes it. */
export async function withStore(settings: Settings, work: (db: Db) => Promise<void>): Promise<void> {
  const db = openStore(settings, PATIENT)
  try {
    await work(db)
  } finally {
    await db.destroy()
  }
}
