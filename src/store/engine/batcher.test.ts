import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Together, type Waiting } from './batcher.ts'

describe('Together', () => {
  const doubling = (seen: number[][], keyOf?: (wish: number) => string) =>
    new Together<number, number>({
      async answer(waiting: readonly Waiting<number, number>[]) {
        seen.push(waiting.map(({ wish }) => wish))
        await Promise.resolve()
        for (const { wish, resolve } of waiting) resolve(wish * 2)
      },
      ...(keyOf && { keyOf }),
    })

  it('answers in one go what comes at the same time, each with its own', async () => {
    const seen: number[][] = []
    const together = doubling(seen)
    assert.deepEqual(await Promise.all([1, 2, 3].map((wish) => together.ask(wish))), [2, 4, 6])
    assert.deepEqual(seen, [[1, 2, 3]])
    assert.equal(await together.ask(4), 8)
  })

  it('answers however many there are, and none with another of the same key', async () => {
    const seen: number[][] = []
    const together = doubling(seen, (wish) => String(wish % 100))
    const wishes = Array.from({ length: 1000 }, (_, i) => i)
    const answers = await Promise.all(wishes.map((wish) => together.ask(wish)))
    assert.deepEqual(
      answers,
      wishes.map((wish) => wish * 2),
    )
    for (const batch of seen) assert.equal(new Set(batch.map((wish) => wish % 100)).size, batch.length)
  })

  it('answers in one go those of a key that may share it, and never one while another of its key is answered', async () => {
    const seen: number[][] = []
    const answering = new Set<string>()
    const keyOf = (wish: number) => String(wish % 3)
    const together = new Together<number, number>({
      async answer(waiting) {
        const wishes = waiting.map(({ wish }) => wish)
        seen.push(wishes)
        for (const key of new Set(wishes.map(keyOf))) {
          assert.ok(!answering.has(key), 'two goes with the same key at the same time')
          answering.add(key)
        }
        await new Promise(setImmediate)
        for (const wish of wishes) answering.delete(keyOf(wish))
        for (const { wish, resolve } of waiting) resolve(wish)
      },
      keyOf,
      mayShare: (one, other) => Math.abs(one - other) > 3,
    })
    // Each comes twice, and twice the same may not share.
    const wishes = [0, 6, 12, 1, 2, 3, 0, 6, 12, 1, 2, 3]
    assert.deepEqual(await Promise.all(wishes.map((wish) => together.ask(wish))), wishes)
    assert.deepEqual(seen[0], [0, 6, 12, 1, 2])
    assert.equal(seen.flat().length, wishes.length)
    for (const batch of seen) {
      for (const [i, one] of batch.entries()) {
        for (const other of batch.slice(i + 1)) {
          assert.ok(keyOf(one) !== keyOf(other) || Math.abs(one - other) > 3, `${one} and ${other} share`)
        }
      }
    }
  })

  it('tells everyone who was in it when one go fails, and goes on', async () => {
    let fails = true
    const together = new Together<string, string>({
      async answer(waiting) {
        if (fails) throw new Error('the server is away')
        for (const { wish, resolve } of waiting) resolve(wish)
      },
    })
    const results = await Promise.allSettled(['a', 'b'].map((wish) => together.ask(wish)))
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    fails = false
    assert.equal(await together.ask('c'), 'c')
  })
})
