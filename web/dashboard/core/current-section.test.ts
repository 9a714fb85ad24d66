import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { currentSection } from './current-section.ts'

describe('currentSection', () => {
  const boxes = (...tops: number[]) => tops.map((top, index) => ({ id: String(index), top }))

  it('is the first at the top of the page', () => {
    assert.equal(currentSection(boxes(350, 900), 700, undefined), '0')
  })
  it('is the last that begins in the upper third', () => {
    assert.equal(currentSection(boxes(-900, -100, 200, 400), 700, undefined), '2')
  })
  it('is the one jumped to, even if the page ends before it reaches the top', () => {
    assert.equal(currentSection(boxes(-900, 100, 500), 700, '2'), '2')
  })
  it('is another once the one jumped to has left the window', () => {
    assert.equal(currentSection(boxes(-10, 800, 1500), 700, '2'), '0')
    assert.equal(currentSection(boxes(-900, -10, 100), 700, '1'), '2')
  })
  it('is none without sections', () => {
    assert.equal(currentSection([], 700, undefined), undefined)
  })
})
