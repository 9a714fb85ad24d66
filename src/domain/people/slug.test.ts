import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isSlug, RESERVED_SLUGS } from './slug.ts'

const CHARACTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789-']
const inner = fc
  .array(fc.constantFrom(...CHARACTERS), { maxLength: 62 })
  .map((characters) => characters.join(''))

describe('isSlug', () => {
  it('accepts up to 64 lower-case letters, digits, and hyphens between them', () => {
    fc.assert(fc.property(inner, (middle) => isSlug(`a${middle}0`)))
    assert.equal(isSlug('a'), true)
    assert.equal(isSlug('a'.repeat(64)), true)
  })

  it('refuses empty text and more than 64 characters', () => {
    assert.equal(isSlug(''), false)
    assert.equal(isSlug('a'.repeat(65)), false)
  })

  it('refuses every other character anywhere', () => {
    const other = fc
      .nat(0xffff)
      .map((code) => String.fromCharCode(code))
      .filter((c) => !CHARACTERS.includes(c))
    fc.assert(
      fc.property(
        inner,
        other,
        inner,
        (before, character, after) => !isSlug(`a${before}${character}${after}a`),
      ),
    )
    for (const text of ['A', 'é', 'a_b', 'a.b', 'a/b', '../a', 'a b', 'a\n', '\na', 'a%2f', '\u0000']) {
      assert.equal(isSlug(text), false, JSON.stringify(text))
    }
  })
})

describe('RESERVED_SLUGS', () => {
  it('are valid slugs', () => {
    for (const slug of RESERVED_SLUGS) assert.equal(isSlug(slug), true, slug)
  })

  it('include the service’s own paths', () => {
    for (const path of [
      'api',
      'app',
      'docs',
      'embed',
      'assets',
      'booking',
      'mcp',
      'healthz',
      'readyz',
      'metrics',
    ]) {
      assert.equal(RESERVED_SLUGS.has(path), true, path)
    }
  })
})
