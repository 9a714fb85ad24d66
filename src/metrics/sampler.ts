import type { Context } from '../services/context.ts'
import { sampleWork, type WorkSample } from '../store/work-sample.ts'

/** Looks into the database now and then, so that `/metrics` never has to wait for it. */
export interface Sampler {
  /** The last one that could be taken. */
  readonly sample: WorkSample | undefined
  readonly takenAt: number
  /** Whether the last try succeeded. */
  readonly works: boolean
  stop(): void
}

const SAMPLE_EVERY = 15_000

/** Samples at once, and then regularly. */
export function startSampler(
  { db, now, kinds }: Pick<Context, 'db' | 'now' | 'kinds'>,
  every = SAMPLE_EVERY,
): Sampler {
  const state = { sample: undefined as WorkSample | undefined, takenAt: 0, works: false }
  let busy = false
  const take = async () => {
    if (busy) return
    busy = true
    try {
      const at = now()
      state.sample = await sampleWork(db, at, kinds.names.calendars)
      state.takenAt = at
      state.works = true
    } catch {
      state.works = false
    } finally {
      busy = false
    }
  }
  const timer = setInterval(take, every)
  timer.unref()
  void take()
  return Object.assign(state, { stop: () => clearInterval(timer) })
}
