import type { Sourced } from '../../domain/imports/source.ts'
import type { Sentence } from '../../domain/sentence.ts'
import type { Guard } from '../network/guard.ts'

export type ReadOptions =
  | { readonly source: 'calcom'; readonly database: string }
  | { readonly source: 'calcom'; readonly dump: AsyncIterable<Uint8Array>; readonly size?: number }
  | { readonly source: 'calcom'; readonly api: string; readonly token: string }
  | { readonly source: 'calendly'; readonly token: string; readonly api?: string }

export async function* readSource(
  _options: ReadOptions,
  _around: {
    readonly guard: Guard
    readonly onProgress?: (progress: { readonly done: number; readonly total: number | null }) => void
  },
): AsyncGenerator<Sourced | { readonly note: Sentence }> {}
