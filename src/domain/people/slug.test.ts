import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isSlug, RESERVED_SLUGS } from './slug.ts'

const CHARACTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789-']
const inner = fc
  .array(fc.constantFrom(...CHARACTERS), { maxLength: 62 })
  .map((characters) => characters.join(''))

describe('isSlug', () => {
  it('takes lower-case letters, digits, and hyphens between them, up to 64', () => {
    fc.assert(fc.property(inner, (middle) => isSlug(`a${middle}0`)))
    assert.equal(isSlug('a'), true)
    assert.equal(isSlug('a'.repeat(64)), true)
  })

  it('refuses more than 64 characters, and none', () => {
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
  it('are slugs, or keeping them free would be no use', () => {
    for (const slug of RESERVED_SLUGS) assert.equal(isSlug(slug), true, slug)
  })

  it('keep the paths of the service itself free', () => {
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
