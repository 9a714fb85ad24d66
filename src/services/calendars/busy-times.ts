import { type Interval, merge } from '../../domain/interval.ts'
import { findBusyTimes } from '../../store/calendars/busy-times.ts'
import type { Db } from '../../store/engine/database.ts'
import { Recent } from '../slots/recent.ts'

interface HostBusyTimes {
  readonly revision: number
  readonly busy: readonly Interval[]
}

export type BusyTimeCache = Recent<HostBusyTimes>

const CACHED = 100_000

export const createBusyTimeCache = (): BusyTimeCache => new Recent(CACHED)

/**
 * What connected calendars take of these hosts' time, merged; hosts without any have no entry.
 *
 * Whatever changes busy times bumps the host's revision in the same
 * transaction. So what was read after that revision was seen holds for as long
 * as it is the host's: thousands of rows are read once, not with every offer.
 */
export async function readBusyTimes(
  db: Db,
  cache: BusyTimeCache,
  hosts: readonly { readonly hostId: string; readonly revision: number }[],
): Promise<ReadonlyMap<string, readonly Interval[]>> {
  const elsewhere = new Map<string, readonly Interval[]>()
  for (const { hostId, revision } of hosts) {
    let known = cache.get(hostId)
    if (known?.revision !== revision) {
      known = { revision, busy: merge(await findBusyTimes(db, hostId)) }
      cache.set(hostId, known, known.busy.length + 1)
    }
    if (known.busy.length > 0) elsewhere.set(hostId, known.busy)
  }
  return elsewhere
}
