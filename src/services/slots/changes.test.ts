import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Changes } from './changes.ts'

describe('Changes', () => {
  it('knows of none before the first', () => {
    const changes = new Changes()
    assert.equal(changes.noneSince(changes.mark, ['ada']), true)
  })

  it('knows whom a change was about', () => {
    const changes = new Changes()
    const { mark } = changes
    changes.note(['ada', 'bob'])
    assert.equal(changes.noneSince(mark, ['ada']), false)
    assert.equal(changes.noneSince(mark, ['carol', 'bob']), false)
    assert.equal(changes.noneSince(mark, ['carol']), true)
  })

  it('lets what was read after a change stand until the next', () => {
    const changes = new Changes()
    changes.note(['ada'])
    const { mark } = changes
    assert.equal(changes.noneSince(mark, ['ada']), true)
    changes.note(['bob'])
    assert.equal(changes.noneSince(mark, ['ada']), true)
    changes.note(['ada'])
    assert.equal(changes.noneSince(mark, ['ada']), false)
  })

  it('takes everything for changed that it has forgotten', () => {
    const changes = new Changes()
    const { mark } = changes
    changes.note(['ada'])
    for (let i = 0; i < 200_000; i++) changes.note([`host-${i}`])
    assert.equal(changes.noneSince(mark, ['ada']), false)
    assert.equal(changes.noneSince(mark, ['nobody']), false)
    assert.equal(changes.noneSince(changes.mark, ['ada', 'host-1']), true)
  })
})
