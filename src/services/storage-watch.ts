import { tryToWrite } from '../store/disk.ts'
import { type Db, isDiskFull } from '../store/engine/database.ts'

const MINUTE = 60_000

/** What is needed of a log: Fastify's has more. */
interface Log {
  error(details: { readonly reason: string }, sentence: string): void
  warn(sentence: string): void
}

/** Knows whether the disk is full: from the first write that fails for that reason, until a write succeeds. */
export class StorageWatch {
  readonly #db: Db
  #full = false
  #logged = Number.NEGATIVE_INFINITY

  constructor(db: Db) {
    this.#db = db
  }

  /** Whether an error means that the disk is full. That is logged once a minute, since every request fails then. */
  notice(error: unknown, log: Log): boolean {
    const reason = [error, (error as Error).cause].find(isDiskFull) as Error | undefined
    if (reason === undefined) return false
    this.#full = true
    const now = performance.now()
    if (now - this.#logged >= MINUTE) {
      this.#logged = now
      const sentence = 'The disk is full: nothing is saved until there is room. No restart is needed.'
      log.error({ reason: reason.message }, sentence)
    }
    return true
  }

  /** Whether there is room. It writes only to find out whether a full disk still is. */
  async hasRoom(log: Log): Promise<boolean> {
    if (!this.#full) return true
    try {
      await tryToWrite(this.#db)
    } catch (error) {
      return !this.notice(error, log)
    }
    this.#full = false
    this.#logged = Number.NEGATIVE_INFINITY
    log.warn('There is room on the disk again.')
    return true
  }
}
