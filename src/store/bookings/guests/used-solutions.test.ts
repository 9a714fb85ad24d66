import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { insertUsedSolution } from './used-solutions.ts'

onEveryDatabase('used solutions', ({ db }) => {
  it('accepts each solution once', async () => {
    assert.equal(await insertUsedSolution(db(), 'one', 1000), true)
    assert.equal(await insertUsedSolution(db(), 'one', 1000), false)
    assert.equal(await insertUsedSolution(db(), 'another', 1000), true)
  })

  it('accepts it once when many submit it at the same time', async () => {
    const accepted = await Promise.all(
      Array.from({ length: 10 }, () => insertUsedSolution(db(), 'shared', 1000)),
    )
    assert.equal(accepted.filter(Boolean).length, 1)
  })
})
