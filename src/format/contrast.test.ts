import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { accentOf, contrastOf, DEFAULT_ACCENT, readColour, SURFACES, surfaceOf } from './contrast.ts'

const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, '0')}`)

describe('the accent of a host', () => {
  it('is readable, also as a background, for any colour', () => {
    fc.assert(
      fc.property(colour, fc.constantFrom('light' as const, 'dark' as const), (chosen, theme) => {
        const { fill, hover, onFill, edge, tint, text } = accentOf(chosen)
        assert.ok(contrastOf(text[theme], SURFACES[theme]) >= 4.5)
        assert.ok(contrastOf(text[theme], tint[theme]) >= 4.5)
        assert.ok(contrastOf(onFill[theme], fill[theme]) >= 4.5)
        assert.ok(contrastOf(onFill[theme], hover[theme]) >= 4.5)
        assert.ok(contrastOf(edge[theme], SURFACES[theme]) >= 3)
      }),
    )
  })

  it('leaves a colour with enough contrast alone', () => {
    assert.equal(accentOf('#1d4ed8').fill.light, '#1d4ed8')
    assert.equal(accentOf('#1d4ed8').text.light, '#1d4ed8')
  })

  it('keeps the fill as the host chose it, with text that can be read on it', () => {
    for (const theme of ['light', 'dark'] as const) {
      assert.equal(accentOf('#ffd400').fill[theme], '#ffd400')
      assert.equal(accentOf('#ffd400').onFill[theme], '#000000')
      assert.equal(accentOf('#0b1f4d').fill[theme], '#0b1f4d')
      assert.equal(accentOf('#0b1f4d').onFill[theme], '#ffffff')
    }
    // Yellow that could be read on white would be olive.
    assert.equal(accentOf('#ffd400').text.light, '#1d1c1a')
    assert.equal(accentOf('#ffd400').text.dark, '#ffd400')
  })

  it('keeps the hue of text that gets darker or lighter', () => {
    const [red, green, blue] = [1, 3, 5].map((at) =>
      Number.parseInt(accentOf('#f97316').text.light.slice(at, at + 2), 16),
    ) as [number, number, number]
    assert.ok(red > 2 * green && green > blue, 'orange stays orange')
    assert.notEqual(accentOf('#1d4ed8').text.dark, '#1d4ed8')
    assert.match(accentOf('#1d4ed8').text.dark, /^#[0-9a-f]{4}f/, 'blue stays blue')
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

describe('the colours of a site around a page', () => {
  it('are taken while everything can be read in them', () => {
    assert.deepEqual(surfaceOf('fafafa', '102030'), { theme: 'light', card: '#fafafa', ink: '#102030' })
    assert.deepEqual(surfaceOf('101820', '#fff'), { theme: 'dark', card: '#101820', ink: '#ffffff' })
    assert.deepEqual(surfaceOf('fafafa', 'eeeeee'), { theme: 'light', card: '#fafafa', ink: '' })
    assert.deepEqual(surfaceOf(undefined, '102030'), { theme: 'light', card: '', ink: '#102030' })
    // Neither dark nor light text can be read well on it.
    assert.equal(surfaceOf('808080', 'eeeeee'), undefined)
    assert.equal(surfaceOf('}body{', 'url(x)'), undefined)
  })

  it('are read from an address with or without a hash, and nothing else is', () => {
    assert.equal(readColour('f00'), '#ff0000')
    assert.equal(readColour('#0F766E'), '#0f766e')
    for (const wrong of ['', 'red', '#12', 'fff;}', '1234567']) assert.equal(readColour(wrong), undefined)
  })
})
