import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Batcher, type Pending } from './batcher.ts'

describe('Batcher', () => {
  const doubling = (batches: number[][], keyOf?: (request: number) => string) =>
    new Batcher<number, number>({
      async run(batch: readonly Pending<number, number>[]) {
        batches.push(batch.map(({ request }) => request))
        await Promise.resolve()
        for (const { request, resolve } of batch) resolve(request * 2)
      },
      ...(keyOf && { keysOf: (request: number) => [keyOf(request)] }),
    })

  it('runs requests that arrive at the same time as one batch, each with its own result', async () => {
    const batches: number[][] = []
    const batcher = doubling(batches)
    assert.deepEqual(await Promise.all([1, 2, 3].map((request) => batcher.submit(request))), [2, 4, 6])
    assert.deepEqual(batches, [[1, 2, 3]])
    assert.equal(await batcher.submit(4), 8)
  })

  it('runs any number of requests, and never two of the same key in one batch', async () => {
    const batches: number[][] = []
    const batcher = doubling(batches, (request) => String(request % 100))
    const requests = Array.from({ length: 1000 }, (_, i) => i)
    const results = await Promise.all(requests.map((request) => batcher.submit(request)))
    assert.deepEqual(
      results,
      requests.map((request) => request * 2),
    )
    for (const batch of batches)
      assert.equal(new Set(batch.map((request) => request % 100)).size, batch.length)
  })

  it('batches requests of one key that may share a batch, and runs one batch of a key at a time', async () => {
    const batches: number[][] = []
    const running = new Set<string>()
    const keyOf = (request: number) => String(request % 3)
    const batcher = new Batcher<number, number>({
      async run(batch) {
        const requests = batch.map(({ request }) => request)
        batches.push(requests)
        for (const key of new Set(requests.map(keyOf))) {
          assert.ok(!running.has(key), 'two batches with the same key at the same time')
          running.add(key)
        }
        await new Promise(setImmediate)
        for (const request of requests) running.delete(keyOf(request))
        for (const { request, resolve } of batch) resolve(request)
      },
      keysOf: (request) => [keyOf(request)],
      mayShareBatch: (one, other) => Math.abs(one - other) > 3,
    })
    // Each is submitted twice, and equal requests may not share a batch.
    const requests = [0, 6, 12, 1, 2, 3, 0, 6, 12, 1, 2, 3]
    assert.deepEqual(await Promise.all(requests.map((request) => batcher.submit(request))), requests)
    assert.deepEqual(batches[0], [0, 6, 12, 1, 2])
    assert.equal(batches.flat().length, requests.length)
    for (const batch of batches) {
      for (const [i, one] of batch.entries()) {
        for (const other of batch.slice(i + 1)) {
          assert.ok(
            keyOf(one) !== keyOf(other) || Math.abs(one - other) > 3,
            `${one} and ${other} share a batch`,
          )
        }
      }
    }
  })

  it('lets no request overtake one that waits for the same key', async () => {
    const finished: string[] = []
    const begun = Promise.withResolvers<void>()
    const first = Promise.withResolvers<void>()
    const batcher = new Batcher<string, string>({
      async run(batch) {
        if (batch[0]?.request === 'a') {
          begun.resolve()
          await first.promise
        }
        for (const { request, resolve } of batch) {
          finished.push(request)
          resolve(request)
        }
      },
      keysOf: (request) => [...request],
      mayShareBatch: () => true,
    })
    const one = batcher.submit('a')
    await begun.promise
    const others = ['ab', 'b', 'c'].map((request) => batcher.submit(request))
    assert.equal(await others[2], 'c')
    assert.deepEqual(finished, ['c'])
    first.resolve()
    await Promise.all([one, ...others])
    assert.deepEqual(finished, ['c', 'a', 'ab', 'b'])
  })

  it('keeps requests with different keys apart, if asked to', async () => {
    const batches: string[] = []
    const batcher = new Batcher<string, string>({
      async run(batch) {
        batches.push(batch.map(({ request }) => request).join(' '))
        for (const { request, resolve } of batch) resolve(request)
      },
      keysOf: (request) => [request.charAt(0)],
      mayShareBatch: () => true,
      sameKeysOnly: true,
    })
    await Promise.all(['a1', 'b1', 'a2', 'b2'].map((request) => batcher.submit(request)))
    assert.deepEqual(batches.toSorted(), ['a1 a2', 'b1 b2'])
  })

  it('rejects every request of a batch that fails, and continues', async () => {
    let fails = true
    const batcher = new Batcher<string, string>({
      async run(batch) {
        if (fails) throw new Error('the server is away')
        for (const { request, resolve } of batch) resolve(request)
      },
    })
    const results = await Promise.allSettled(['a', 'b'].map((request) => batcher.submit(request)))
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    fails = false
    assert.equal(await batcher.submit('c'), 'c')
  })
})
