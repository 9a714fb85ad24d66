import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { findUnstorable, isLine, isProse } from './text.ts'

/** Every character that Unicode calls a control, and its two line separators. */
const CONTROLS = [
  ...Array.from({ length: 0x110 }, (_, code) => String.fromCodePoint(code)).filter((character) =>
    /\p{Cc}/u.test(character),
  ),
  '\u2028',
  '\u2029',
]
const BREAKS = ['\t', '\n', '\r', '\u2028', '\u2029']

const nested = (depth: number): unknown => (depth === 0 ? 'bottom' : { a: nested(depth - 1) })
const nestedArray = (depth: number): unknown => (depth === 0 ? 'bottom' : [nestedArray(depth - 1)])

describe('isLine', () => {
  it('refuses every control character and line separator', () => {
    for (const control of CONTROLS) {
      assert.equal(isLine(`a${control}b`), false, `U+${control.codePointAt(0)?.toString(16)}`)
    }
  })

  it('accepts names in any script', () => {
    for (const name of ['Ann', "O'Neill-Šimić", '山田 太郎', 'عمر', '👩🏽‍💻', '', '  '])
      assert.equal(isLine(name), true, name)
  })
})

describe('isProse', () => {
  it('accepts line breaks and tabs', () => {
    for (const control of BREAKS) assert.equal(isProse(`a${control}b`), true)
  })

  it('refuses every other control character', () => {
    for (const control of CONTROLS.filter((character) => !BREAKS.includes(character))) {
      assert.equal(isProse(`a${control}b`), false, `U+${control.codePointAt(0)?.toString(16)}`)
    }
  })
})

describe('findUnstorable', () => {
  it('finds nothing in any JSON of well-formed text', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\u0000'))
    const value = fc.jsonValue({ maxDepth: 5, stringUnit: 'grapheme' })
    fc.assert(fc.property(text, value, (key, inner) => findUnstorable({ [key]: inner }) === undefined))
  })

  it('finds a NUL or half a surrogate pair wherever it hides', () => {
    for (const bad of ['\u0000', 'a\u0000b', '\ud800', '\udc00', 'a\ud83d', '\ude00\ud83d']) {
      for (const body of [
        bad,
        [bad],
        { a: bad },
        { [bad]: 1 },
        { a: [1, { b: [bad] }] },
        { a: { [bad]: {} } },
      ]) {
        assert.match(findUnstorable(body) ?? '', /^contains /, JSON.stringify(body))
      }
    }
  })

  it('allows nesting up to the maximum depth', () => {
    for (const value of [nested, nestedArray]) {
      assert.equal(findUnstorable(value(10)), undefined)
      assert.match(findUnstorable(value(100)) ?? '', /^is nested/)
      assert.match(findUnstorable(value(5000)) ?? '', /^is nested/)
    }
  })
})
