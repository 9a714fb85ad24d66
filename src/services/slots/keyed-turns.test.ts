import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { KeyedTurns } from './keyed-turns.ts'

describe('KeyedTurns', () => {
  it('runs tasks with a common key one after another, in order', async () => {
    const turns = new KeyedTurns()
    const events: string[] = []
    const first = Promise.withResolvers<void>()
    const running = [
      turns.run(['a'], async () => {
        events.push('first begins')
        await first.promise
        events.push('first ends')
      }),
      turns.run(['b', 'a'], async () => {
        events.push('second')
      }),
      turns.run(['b'], async () => {
        events.push('third')
      }),
    ]
    await turns.run(['c'], async () => {
      events.push('someone else')
    })
    first.resolve()
    await Promise.all(running)
    assert.deepEqual(events, ['first begins', 'someone else', 'first ends', 'second', 'third'])
  })

  it('returns the task’s result', async () => {
    assert.equal(await new KeyedTurns().run(['a'], async () => 5), 5)
  })

  it('continues after a task failed', async () => {
    const turns = new KeyedTurns()
    const failed = turns.run(['a'], async () => {
      throw new Error('no')
    })
    const next = turns.run(['a'], async () => 'next')
    await assert.rejects(failed, /no/)
    assert.equal(await next, 'next')
  })

  it('never runs two tasks with a common key at once, and never deadlocks', async () => {
    const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 })
    const tasks = fc.array(fc.tuple(keys, fc.nat(3), fc.boolean()), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(tasks, async (list) => {
        const turns = new KeyedTurns()
        const running = new Set<string>()
        let done = 0
        const all = list.map(([wanted, pauses, fails]) =>
          turns.run(wanted, async () => {
            for (const key of wanted) {
              assert.ok(!running.has(key), key)
              running.add(key)
            }
            for (let i = 0; i < pauses; i++) await null
            for (const key of wanted) running.delete(key)
            done++
            if (fails) throw new Error('on purpose')
          }),
        )
        await Promise.allSettled(all)
        assert.equal(done, list.length)
      }),
    )
  })
})
