import type { ApiOptions } from './api-client.ts'
import { type CalcomApiSource, readCalcomApi } from './calcom-api.ts'
import { type DatabaseSource, readDatabase } from './calcom-database.ts'
import { type DumpSource, readDump } from './calcom-dump.ts'
import { type CalendlyOptions, type CalendlySource, readCalendlyApi } from './calendly-api.ts'
import type { Read } from './reading.ts'

/** Where to import from. Addresses and tokens are secrets. */
export type SourceOptions =
  | ({ readonly source: 'calcom' } & (DatabaseSource | DumpSource | CalcomApiSource))
  | ({ readonly source: 'calendly' } & CalendlySource)

/**
 * Reads all rows of a source, in any order. Throws a `Problem` with a sentence for the person who started it; nothing that it
 * throws names the address or the token.
 */
export function readSource(from: SourceOptions, options: ApiOptions & CalendlyOptions): AsyncGenerator<Read> {
  if (from.source === 'calendly') return readCalendlyApi(from, options)
  if ('database' in from) return readDatabase(from, options)
  if ('dump' in from) return readDump(from, options)
  return readCalcomApi(from, options)
}
