import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEveryDatabase } from '../../test/databases.ts'
import { findOrInsertSecret } from './secrets.ts'

onEveryDatabase('secrets', ({ db }) => {
  it('keeps the first proposed value', async () => {
    assert.equal(await findOrInsertSecret(db(), 'first', 'one'), 'one')
    assert.equal(await findOrInsertSecret(db(), 'first', 'two'), 'one')
  })

  it('keeps secrets of different names apart', async () => {
    assert.equal(await findOrInsertSecret(db(), 'a', 'secret of a'), 'secret of a')
    assert.equal(await findOrInsertSecret(db(), 'b', 'secret of b'), 'secret of b')
  })

  it('gives instances that start together the same secret', async () => {
    const proposals = Array.from({ length: 10 }, (_, i) => `proposal ${i}`)
    const agreed = await Promise.all(
      proposals.map((proposal) => findOrInsertSecret(db(), 'together', proposal)),
    )
    assert.equal(new Set(agreed).size, 1)
    assert.ok(proposals.includes(agreed[0] as string))
  })
})
