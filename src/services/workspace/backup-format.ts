import { createHash, type Hash } from 'node:crypto'

// A backup is lines of JSON: a header, one line for each row, and a trailer.

/** The first line. */
export interface Header {
  readonly format: typeof FORMAT
  readonly version: number
  readonly takenAt: string
  /** The shape of the tables that the rows come from. */
  readonly migrations: readonly string[]
}

/** The last line: without it, or with another sum, a backup is not whole. */
export interface Trailer {
  readonly rows: Readonly<Record<string, number>>
  /** Over every byte before this line. */
  readonly sha256: string
}

export const FORMAT = 'punctual-backup'
export const VERSION = 1

/** Gathers what the trailer says. */
export class Tally {
  readonly #hash: Hash = createHash('sha256')
  readonly #rows: Record<string, number> = {}

  addText(text: string | Buffer): void {
    this.#hash.update(text)
  }

  addRows(table: string, count: number): void {
    this.#rows[table] = (this.#rows[table] ?? 0) + count
  }

  /** Nothing can be added afterwards. */
  close(): Trailer {
    return { rows: this.#rows, sha256: this.#hash.digest('hex') }
  }
}
