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

  it('counts requests by the second', async () => {
    let requests = 7
    const look = watchLoop(() => requests)
    const from = performance.now()
    await sleep(20)
    requests += 100
    const { requestRate } = look()
    assert.ok(requestRate > 0 && requestRate <= 100_000 / 20 + 1 && performance.now() > from)
    await sleep(5)
    assert.equal(look().requestRate, 0)
  })
})
