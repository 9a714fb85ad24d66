import type { Guard } from '../network/guard.ts'
import { readDatabase } from './calcom-database.ts'
import { readDump } from './calcom-dump.ts'
import type { Read, ReadingOptions } from './reading.ts'

export type ReadOptions =
  | { readonly source: 'calcom'; readonly database: string }
  | { readonly source: 'calcom'; readonly dump: AsyncIterable<Uint8Array>; readonly size?: number }
  | { readonly source: 'calcom'; readonly api: string; readonly token: string }
  | { readonly source: 'calendly'; readonly token: string; readonly api?: string }

export async function* readSource(
  options: ReadOptions,
  around: ReadingOptions & { readonly guard: Guard },
): AsyncGenerator<Read> {
  if ('database' in options) yield* readDatabase(options, around)
  else if ('dump' in options) yield* readDump(options, around)
}
