import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { watchLoop } from './loop-watch.ts'

const spin = (milliseconds: number) => {
  for (const until = performance.now() + milliseconds; performance.now() < until; );
}

describe('watchLoop', () => {
  it('tells a loop that works from one that waits, each time since it was last asked', {
    timeout: 300_000,
  }, async () => {
    const look = watchLoop(() => 0)
    // On a busy machine a pause may be over before the loop gets to wait, so each is tried until it shows.
    const untilIdle = async () => {
      do await sleep(20)
      while (look().utilisation > 0.5)
    }
    await untilIdle()
    do {
      spin(20)
      await new Promise((resolve) => setImmediate(resolve))
    } while (look().utilisation < 0.9)
    await untilIdle()
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
