import type { Context } from '../services/context.ts'
import { countAttention } from '../services/workspace/attention/attention.ts'
import type { AttentionKind } from '../services/workspace/attention/audience.ts'
import { sampleWork, type WorkSample } from '../store/work-sample.ts'

/** Looks into the database now and then, so that `/metrics` never has to wait for it. */
export interface Sampler {
  /** The last one that could be taken. */
  readonly sample: WorkSample | undefined
  readonly takenAt: number
  /** How much needs attention, by kind: of another sample, which is taken less often. */
  readonly attention: ReadonlyMap<AttentionKind, number>
  /** Whether the last try succeeded. */
  readonly works: boolean
  stop(): void
}

const SAMPLE_EVERY = 15_000

/** It looks through all event types. */
const ATTENTION_EVERY = 60_000

/** Samples at once, and then regularly. */
export function startSampler(context: Context, every = SAMPLE_EVERY): Sampler {
  const { db, now, kinds } = context
  const state = {
    sample: undefined as WorkSample | undefined,
    takenAt: 0,
    attention: new Map() as Sampler['attention'],
    works: false,
  }
  let attendedAt = 0
  let busy = false
  const take = async () => {
    if (busy) return
    busy = true
    try {
      const at = now()
      state.sample = await sampleWork(db, at, kinds.names.calendars)
      state.takenAt = at
      state.works = true
      if (at >= attendedAt + ATTENTION_EVERY) {
        state.attention = await countAttention(context)
        attendedAt = at
      }
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
