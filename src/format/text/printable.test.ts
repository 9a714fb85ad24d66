import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { nastyText } from '../../../test/nasty-text.ts'
import { isLine, isProse } from '../../domain/text.ts'
import { printableLine, printableProse, shortened, unlinked } from './printable.ts'

describe('printableLine', () => {
  it('makes one line of any text', () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        const line = printableLine(text)
        assert.ok(isLine(line) && line.isWellFormed())
        assert.doesNotMatch(line, /[\u202a-\u202e\u2066-\u2069]/)
      }),
    )
  })

  it('leaves ordinary text as it is, in any script', () => {
    for (const text of [
      'Ada Host',
      'O’Brien & Söhne',
      'שלום עולם',
      '山田 太郎',
      '👩‍👩‍👧 Family',
      'a\u200fb',
    ]) {
      assert.equal(printableLine(text), text)
    }
  })

  it('puts a space where a line was broken', () => {
    assert.equal(printableLine(' Ada\r\nHost\t'), 'Ada Host')
  })
})

describe('printableProse', () => {
  it('keeps line breaks and tabs, and drops other control characters', () => {
    assert.equal(printableProse('a\r\nb\rc\u2028d\te\u0007\u0000'), 'a\nb\nc\nd\te')
    fc.assert(
      fc.property(nastyText, (text) => {
        const prose = printableProse(text)
        assert.ok(isProse(prose) && prose.isWellFormed() && !prose.includes('\r'))
      }),
    )
  })
})

describe('shortened', () => {
  it('leaves short text alone', () => {
    assert.equal(shortened('abcde', 5), 'abcde')
    assert.equal(shortened('👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 5), '👩‍👩‍👧‍👦👩‍👩‍👧‍👦')
  })

  it('cuts between visible characters, and adds an ellipsis', () => {
    assert.equal(shortened('abcdef', 5), 'abcd…')
    assert.equal(shortened('ab cdef', 4), 'ab…')
    assert.equal(shortened('a👩‍👩‍👧‍👦bc', 3), 'a👩‍👩‍👧‍👦…')
  })

  it('limits the length of characters with many marks', () => {
    fc.assert(
      fc.property(fc.nat(3000), fc.integer({ min: 2, max: 60 }), (marks, most) => {
        const text = `e${'\u0301'.repeat(marks)}`.repeat(3)
        assert.ok(shortened(text, most).length <= most * 12 + 1)
      }),
    )
  })
})

describe('unlinked', () => {
  it('breaks what mail programs turn into links', () => {
    for (const [text, broken] of [
      ['https://evil.example/a.b?c', 'https[:]//evil[.]example/a.b?c'],
      ['HTTP://10.0.0.1/', 'HTTP[:]//10.0.0.1/'],
      ['go to evil.co.uk now', 'go to evil[.]co[.]uk now'],
      ['xn--a.xn--p1ai', 'xn--a[.]xn--p1ai'],
      ['пример.рф', 'пример[.]рф'],
      ['evil。example', 'evil[.]example'],
      ['me@evil.example', 'me@evil[.]example'],
    ] as const) {
      assert.equal(unlinked(text), broken)
    }
  })

  it('leaves ordinary text as it is', () => {
    for (const text of ['See you. At 9.30, z.B. here: ok', 'Dr. No', 'v1.2', 'J. S. Bach', '3.5 h / 2:1']) {
      assert.equal(unlinked(text), text)
    }
  })
})
