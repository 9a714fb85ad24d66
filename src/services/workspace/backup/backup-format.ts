import { createHash, type Hash } from 'node:crypto'

// A backup is lines of JSON: a header, one line for each row, and a trailer.

/** The first line. */
export interface Header {
  readonly format: typeof FORMAT
  readonly version: number
  readonly takenAt: string
  /** The migrations that had run when the backup was taken. */
  readonly migrations: readonly string[]
}

/** The last line. Without it, or with another checksum, a backup is incomplete. */
export interface Trailer {
  readonly rows: Readonly<Record<string, number>>
  /** Of every byte before this line. */
  readonly sha256: string
}

export const FORMAT = 'punctual-backup'
export const VERSION = 1

/** Counts and hashes lines for the trailer. */
export class Tally {
  readonly #hash: Hash = createHash('sha256')
  readonly #rows: Record<string, number> = {}

  addText(text: string | Buffer): void {
    this.#hash.update(text)
  }

  addRows(table: string, count: number): void {
    this.#rows[table] = (this.#rows[table] ?? 0) + count
  }

  /** Call once, at the end. */
  close(): Trailer {
    return { rows: this.#rows, sha256: this.#hash.digest('hex') }
  }
}
