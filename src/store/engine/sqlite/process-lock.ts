import { DatabaseSync } from 'node:sqlite'

const SQLITE_BUSY = 5

/**
 * Takes a lock that ends with this process, even if it is killed. Undefined if another process has it.
 *
 * Node.js has no file locks, but SQLite has: the file is an empty database with an open exclusive transaction.
 */
export function takeProcessLock(path: string): (() => void) | undefined {
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    file.exec('begin exclusive')
    return () => file.close()
  } catch (error) {
    file.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined
    throw error
  }
}
