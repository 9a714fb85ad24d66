import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { watchLoop } from './loop-watch.ts'

const spin = (milliseconds: number) => {
  for (const until = performance.now() + milliseconds; performance.now() < until; );
}

describe('watchLoop', () => {
  it('tells a loop that works from one that waits, each time since it was last asked', async () => {
    const look = watchLoop(() => 0)
    await sleep(60)
    const idle = look().utilisation
    for (let i = 0; i < 6; i++) {
      spin(10)
      await new Promise((resolve) => setImmediate(resolve))
    }
    const busy = look().utilisation
    await sleep(60)
    assert.ok(idle < busy && busy > 0.5, `${idle} then ${busy}`)
    assert.ok(look().utilisation < busy)
  })

  it('counts requests by the second, each time since it was last asked', () => {
    let [requests, now] = [7, 1000]
    const look = watchLoop(
      () => requests,
      () => now,
    )
    requests += 100
    now += 2000
    assert.equal(look().requestRate, 50)
    now += 500
    assert.equal(look().requestRate, 0)
    requests += 1
    now += 250
    assert.equal(look().requestRate, 4)
    assert.equal(look().requestRate, 0, 'no time has passed')
  })
})
