import type { Sourced } from '../../domain/imports/source.ts'
import type { Sentence } from '../../domain/sentence.ts'

/** What a reader gives: a row, or what it has to say about rows that it could not give. */
export type Read = Sourced | { readonly note: Sentence }

/** Bytes of a dump, rows of a database, requests to an API. */
export interface Progress {
  readonly done: number
  /** Null while it is not known. It may grow. */
  readonly total: number | null
}

export interface ReadingOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}
