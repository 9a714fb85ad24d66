import { performance } from 'node:perf_hooks'
import type { LoopState } from './pace.ts'

/** Measures the event loop since the last call. `requests` is the number of requests since the start. */
export function watchLoop(requests: () => number, clock = () => performance.now()): () => LoopState {
  let before = { loop: performance.eventLoopUtilization(), requests: requests(), at: clock() }
  return () => {
    const after = { loop: performance.eventLoopUtilization(), requests: requests(), at: clock() }
    const { utilization } = performance.eventLoopUtilization(after.loop, before.loop)
    const seconds = (after.at - before.at) / 1000
    const requestRate = seconds > 0 ? (after.requests - before.requests) / seconds : 0
    before = after
    return { utilisation: utilization, requestRate }
  }
}
