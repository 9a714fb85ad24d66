import type { CountRequest } from '../engine.ts'

const SWEEP_FROM = 10_000

/** Counts requests in this process: enough for SQLite, which only one process serves. */
export function countInMemory(windowSeconds: number): CountRequest {
  const windows = new Map<string, { points: number; readonly expire: number }>()
  let sweepAt = SWEEP_FROM
  return async (key) => {
    const now = Date.now()
    let window = windows.get(key)
    // A window that ends too late began before the clock was set back.
    if (window === undefined || window.expire <= now || window.expire > now + windowSeconds * 1000) {
      window = { points: 0, expire: now + windowSeconds * 1000 }
      windows.set(key, window)
      if (windows.size >= sweepAt) {
        for (const [old, { expire }] of windows) if (expire <= now) windows.delete(old)
        // Doubled, so that many live windows do not cause a sweep with each request.
        sweepAt = Math.max(SWEEP_FROM, windows.size * 2)
      }
    }
    window.points++
    return { points: window.points, millisecondsLeft: window.expire - now }
  }
}
