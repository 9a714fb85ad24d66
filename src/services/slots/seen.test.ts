import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Seen } from './seen.ts'

describe('Seen', () => {
  it('recognises a text from the second time on', () => {
    const seen = new Seen()
    assert.equal(seen.before('/ada/talk'), false)
    assert.equal(seen.before('/ada/talk'), true)
    assert.equal(seen.before('/ada/talk'), true)
    assert.equal(seen.before('/bob/talk'), false)
  })

  it('forgets old texts instead of growing', () => {
    const seen = new Seen()
    seen.before('first')
    for (let i = 0; i < 200_000; i++) seen.before(`text ${i}`)
    assert.equal(seen.before('first'), false)
  })
})
