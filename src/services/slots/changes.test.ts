import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Changes } from './changes.ts'

describe('Changes', () => {
  it('have none before the first', () => {
    const changes = new Changes()
    assert.equal(changes.noneSince(changes.mark, ['ada']), true)
  })

  it('know the ids of a change', () => {
    const changes = new Changes()
    const { mark } = changes
    changes.note(['ada', 'bob'])
    assert.equal(changes.noneSince(mark, ['ada']), false)
    assert.equal(changes.noneSince(mark, ['carol', 'bob']), false)
    assert.equal(changes.noneSince(mark, ['carol']), true)
  })

  it('keep data that was read after a change until the next one', () => {
    const changes = new Changes()
    changes.note(['ada'])
    const { mark } = changes
    assert.equal(changes.noneSince(mark, ['ada']), true)
    changes.note(['bob'])
    assert.equal(changes.noneSince(mark, ['ada']), true)
    changes.note(['ada'])
    assert.equal(changes.noneSince(mark, ['ada']), false)
  })

  it('treat forgotten ids as changed', () => {
    const changes = new Changes()
    const { mark } = changes
    changes.note(['ada'])
    for (let i = 0; i < 200_000; i++) changes.note([`host-${i}`])
    assert.equal(changes.noneSince(mark, ['ada']), false)
    assert.equal(changes.noneSince(mark, ['dora']), false)
    assert.equal(changes.noneSince(changes.mark, ['ada', 'host-1']), true)
  })
})
