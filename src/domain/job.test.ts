import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { JITTER, JOB_KINDS, JOBS, nextDueAt } from './job.ts'

const NOON = Date.UTC(2027, 0, 11, 12)
const HOUR = 3_600_000

describe('a job that fails', () => {
  it('is retried after each delay of its kind, and dies after the last', () => {
    for (const kind of JOB_KINDS) {
      const delays = JOBS[kind].retryAfter
      for (const [index, delay] of delays.entries()) {
        assert.equal(nextDueAt(kind, index + 1, NOON, 0), NOON + delay)
      }
      assert.equal(nextDueAt(kind, delays.length + 1, NOON, 0), undefined)
    }
  })

  it('waits longer each time, and webhooks for more than three days in all', () => {
    for (const { retryAfter: delays } of Object.values(JOBS)) {
      assert.deepEqual(
        delays,
        delays.toSorted((a, b) => a - b),
      )
    }
    const total = JOBS.webhook.retryAfter.reduce((sum, delay) => sum + delay)
    assert.equal(JOBS.webhook.retryAfter.length, 9)
    assert.ok(total > 72 * HOUR && total < 84 * HOUR)
  })

  it('gets a random extra delay, within the jitter', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...JOB_KINDS),
        fc.integer({ min: 1, max: 8 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (kind, failures, random) => {
          const delay = JOBS[kind].retryAfter[failures - 1] as number
          const due = nextDueAt(kind, failures, NOON, random) as number
          assert.ok(due >= NOON + delay && due <= NOON + delay * (1 + JITTER) + 1)
        },
      ),
    )
  })
})
