import { type Interval, merge } from '../../domain/interval.ts'
import { findBusyTimes } from '../../store/calendars/busy-times.ts'
import type { Db } from '../../store/engine/database.ts'
import { BoundedCache } from './bounded-cache.ts'

interface HostBusyTimes {
  readonly revision: number
  readonly busy: readonly Interval[]
}

const CACHED_BUSY_TIMES = 100_000

/** Busy times in the hosts' connected calendars, kept by host. */
export class BusyTimes {
  readonly #cache = new BoundedCache<HostBusyTimes>(CACHED_BUSY_TIMES)

  /**
   * The busy times of these hosts, merged; a host without any has no entry.
   *
   * Every change to busy times bumps the host's revision in the same transaction,
   * so what was read for a revision stays true while the host has it. Thousands of
   * rows are read once instead of with every event type.
   */
  async read(
    db: Db,
    hosts: readonly { readonly hostId: string; readonly revision: number }[],
  ): Promise<ReadonlyMap<string, readonly Interval[]>> {
    const busyTimes = new Map<string, readonly Interval[]>()
    for (const { hostId, revision } of hosts) {
      let known = this.#cache.get(hostId)
      if (known?.revision !== revision) {
        known = { revision, busy: merge(await findBusyTimes(db, hostId)) }
        this.#cache.set(hostId, known, known.busy.length + 1)
      }
      if (known.busy.length > 0) busyTimes.set(hostId, known.busy)
    }
    return busyTimes
  }
}
