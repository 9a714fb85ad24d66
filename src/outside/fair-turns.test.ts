import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FairTurns } from './fair-turns.ts'

describe('FairTurns', () => {
  /** Tasks that run until they are ended by name. */
  function stage(limit: number) {
    const turns = new FairTurns(limit)
    const started: string[] = []
    const ends = new Map<string, (error?: Error) => void>()
    const add = (owner: string, name: string) =>
      turns.run(owner, () => {
        started.push(name)
        return new Promise<void>((resolve, reject) => {
          ends.set(name, (error) => (error === undefined ? resolve() : reject(error)))
        })
      })
    const end = async (name: string, error?: Error) => {
      ends.get(name)?.(error)
      await new Promise(setImmediate)
    }
    return { started, add, end }
  }

  it('never gives an owner more than one turn at once', async () => {
    const { started, add, end } = stage(2)
    const tasks = [add('mallory', 'm1'), add('mallory', 'm2'), add('mallory', 'm3'), add('ada', 'a')]
    await end('none')
    assert.deepEqual(started, ['m1', 'a'])
    await end('a')
    assert.deepEqual(started, ['m1', 'a'])
    for (const name of ['m1', 'm2', 'm3']) await end(name)
    await Promise.all(tasks)
    assert.deepEqual(started, ['m1', 'a', 'm2', 'm3'])
  })

  it('lets others go first when an owner’s turn ends, also by a failure', async () => {
    const { started, add, end } = stage(1)
    const tasks = [add('mallory', 'm1'), add('mallory', 'm2'), add('ada', 'a'), add('grace', 'g')]
    const refused = assert.rejects(tasks[0] as Promise<void>, /Too long/)
    await end('m1', new Error('Too long.'))
    await refused
    assert.deepEqual(started, ['m1', 'a'])
    for (const name of ['a', 'm2', 'g']) await end(name)
    await Promise.all(tasks.slice(1))
    assert.deepEqual(started, ['m1', 'a', 'm2', 'g'])
  })
})
