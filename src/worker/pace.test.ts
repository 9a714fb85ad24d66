import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { JOB_KINDS, JOBS } from '../domain/job.ts'
import { nextEase, Pace, rateOf } from './pace.ts'

const CROWDED = { utilisation: 1, requestRate: 5000 }
const QUIET = { utilisation: 0.1, requestRate: 5 }

const state = fc.record({
  utilisation: fc.double({ min: 0, max: 1, noNaN: true }),
  requestRate: fc.double({ min: 0, max: 20_000, noNaN: true }),
})

/** How many begin when someone asks every few milliseconds, for that long. */
function begun(pace: Pace, kind: (typeof JOB_KINDS)[number], from: number, milliseconds: number): number {
  let count = 0
  for (let now = from; now < from + milliseconds; now += 5) {
    while (pace.mayStart(kind, now)) assert.ok(++count < 100_000, 'there is no limit')
  }
  return count
}

describe('the worker’s share of the event loop', () => {
  it('has no limit while requests do not fill the event loop', () => {
    assert.equal(nextEase(Infinity, QUIET), Infinity)
    assert.equal(nextEase(Infinity, { utilisation: 1, requestRate: 3 }), Infinity)
    assert.equal(nextEase(Infinity, { utilisation: 0.6, requestRate: 5000 }), Infinity)
  })

  it('drops to the minimum when requests fill the loop, and recovers step by step', () => {
    assert.equal(nextEase(Infinity, CROWDED), 1)
    let ease = 1
    const steps: number[] = []
    while (ease < Infinity) {
      const next = nextEase(ease, QUIET)
      assert.ok(next > ease)
      ease = next
      steps.push(ease)
      assert.ok(steps.length < 20)
    }
    assert.ok(steps.length > 3)
    assert.equal(nextEase(steps[2] as number, CROWDED), 1)
  })

  it('never falls below the minimum, for any kind', () => {
    fc.assert(
      fc.property(fc.array(state, { maxLength: 30 }), (states) => {
        const ease = states.reduce(nextEase, Infinity)
        for (const kind of JOB_KINDS)
          assert.ok(rateOf(kind, ease) >= JOBS[kind].busyRate && JOBS[kind].busyRate > 0)
      }),
    )
  })

  it('follows its rates evenly, and saves up nothing during a pause', () => {
    const pace = new Pace()
    pace.observe(CROWDED)
    assert.ok(pace.isLimited)
    for (const kind of JOB_KINDS) {
      const count = begun(pace, kind, 0, 10_000)
      assert.ok(
        Math.abs(count - JOBS[kind].busyRate * 10) <= JOBS[kind].busyRate * 0.05 + 1,
        `${kind}: ${count}`,
      )
      // An hour in which nothing was to do is not saved up.
      const most = Math.max(1, JOBS[kind].busyRate * 0.05)
      let rush = 0
      while (pace.mayStart(kind, 3_600_000)) rush++
      assert.ok(rush >= 1 && rush <= most, `${kind}: ${rush}`)
    }
  })

  it('says how long to wait, and is right', () => {
    const pace = new Pace()
    pace.observe(CROWDED)
    for (const kind of JOB_KINDS) {
      let now = 1000
      while (pace.mayStart(kind, now));
      now += pace.waitFor(kind)
      assert.ok(pace.mayStart(kind, now + 1e-6), kind)
      assert.ok(!pace.mayStart(kind, now + 1e-6), kind)
    }
  })

  it('lets everything begin once there is no limit', () => {
    const pace = new Pace()
    pace.observe(CROWDED)
    while (pace.isLimited) pace.observe(QUIET)
    for (let i = 0; i < 10_000; i++) assert.ok(pace.mayStart('mail', 0))
    assert.equal(pace.waitFor('mail'), 0)
  })
})
