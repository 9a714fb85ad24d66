import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { accentOf, contrastOf, DEFAULT_ACCENT, SURFACES } from './contrast.ts'

const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, '0')}`)

describe('the accent of a host', () => {
  it('is readable, also as a background, for any colour', () => {
    fc.assert(
      fc.property(colour, fc.constantFrom('light' as const, 'dark' as const), (chosen, theme) => {
        const { fill, hover, onFill, tint, text } = accentOf(chosen)
        assert.ok(contrastOf(text[theme], SURFACES[theme]) >= 4.5)
        assert.ok(contrastOf(text[theme], tint[theme]) >= 4.5)
        assert.ok(contrastOf(onFill[theme], fill[theme]) >= 4.5)
        assert.ok(contrastOf(onFill[theme], hover[theme]) >= 4.5)
        assert.ok(contrastOf(fill[theme], SURFACES[theme]) >= 3)
      }),
    )
  })

  it('leaves a colour with enough contrast alone', () => {
    assert.equal(accentOf('#1d4ed8').fill.light, '#1d4ed8')
    assert.equal(accentOf('#1d4ed8').text.light, '#1d4ed8')
  })

  it('has the contrasts that WCAG defines', () => {
    assert.equal(contrastOf('#000', '#ffffff'), 21)
    assert.equal(contrastOf('#777777', '#777777'), 1)
  })

  it('falls back to the default colour', () => {
    for (const none of ['', 'red', '#12', 'url(x)'])
      assert.deepEqual(accentOf(none), accentOf(DEFAULT_ACCENT))
  })
})
