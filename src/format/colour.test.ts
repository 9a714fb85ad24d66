import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { contrast, inkOn, readableOn } from './colour.ts'

const colour = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)

describe('contrast', () => {
  it('is what WCAG says it is', () => {
    assert.equal(contrast('#000000', '#ffffff'), 21)
    assert.equal(contrast('#abcdef', '#abcdef'), 1)
    // The example that everyone knows: the lightest grey that may be read on white.
    assert.ok(contrast('#767676', '#ffffff') >= 4.5 && contrast('#777777', '#ffffff') < 4.5)
  })
})

describe('a host’s colour', () => {
  it('has a text colour that is readable on it', () => {
    fc.assert(fc.property(colour, (given) => contrast(inkOn(given), given) >= 4.5))
  })

  it('is made readable on light and on dark, and left alone if it is', () => {
    fc.assert(
      fc.property(colour, fc.constantFrom('#ffffff', '#1c1c1f'), (given, paper) => {
        const readable = readableOn(given, paper)
        assert.ok(contrast(readable, paper) >= 4.5)
        if (contrast(given, paper) >= 4.5) assert.equal(readable, given)
      }),
    )
  })
})
