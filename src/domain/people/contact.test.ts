import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { canonicalEmail, isEmail, isPhone, isWebAddress } from './contact.ts'

const all = (judge: (text: string) => boolean, expected: boolean, texts: readonly string[]) => {
  for (const text of texts) assert.equal(judge(text), expected, JSON.stringify(text))
}

/** What would end a line, a header or a calendar entry. */
const CONTROLS = ['\u0000', '\u0001', '\t', '\n', '\r', '\u001b', '\u007f', '\u0085', '\u2028', '\u2029']

describe('isEmail', () => {
  it('accepts valid addresses', () => {
    all(isEmail, true, [
      'a@b.example',
      'first.last+tag@mail.example.com',
      "o'brien@example.com",
      '!#$%&*/=?^_`{|}~-@example.com',
      '用户@例子.example',
      'a@münchen.example',
      'a@xn--mnchen-3ya.example',
      'A@B.EXAMPLE',
      'a@1.2.example',
      `${'a'.repeat(64)}@example.com`,
      `a@${'b'.repeat(63)}.example`,
    ])
  })

  it('refuses invalid addresses', () => {
    all(isEmail, false, [
      '',
      'a',
      '@',
      'a@',
      '@b.example',
      'a@b',
      'a b@c.example',
      'a@b c.example',
      'a@b@c.example',
      '.a@b.example',
      'a.@b.example',
      'a..b@c.example',
      'a@.example',
      'a@b.example.',
      'a@b..example',
      'a@-b.example',
      'a@b-.example',
      'a@b_c.example',
      'a@[127.0.0.1]',
      '"a b"@c.example',
      'Ann <a@b.example>',
      'a@b.example,c@d.example',
      'mailto:a@b.example',
      `${'a'.repeat(65)}@example.com`,
      `a@${'b'.repeat(64)}.example`,
      `a@${'b.'.repeat(130)}example`,
    ])
  })

  it('refuses control characters anywhere', () => {
    for (const control of CONTROLS) all(isEmail, false, [`a${control}@b.example`, `a@b${control}.example`])
  })

  it('accepts generated addresses', () => {
    fc.assert(fc.property(fc.emailAddress({ size: 'small' }), isEmail))
  })

  it('returns a boolean for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) }),
        (text) => typeof isEmail(text) === 'boolean',
      ),
    )
  })
})

describe('canonicalEmail', () => {
  it('is the same for all spellings of one address', () => {
    for (const spelling of ['Ann@Example.org', ' ann@example.org ', 'ANN@EXAMPLE.ORG']) {
      assert.equal(canonicalEmail(spelling), canonicalEmail('ann@example.org'))
    }
    assert.equal(canonicalEmail('rene\u0301@example.org'), canonicalEmail('ren\u00e9@example.org'))
  })

  it('keeps tags', () => {
    assert.notEqual(canonicalEmail('ann+a@example.org'), canonicalEmail('ann@example.org'))
  })

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        assert.equal(canonicalEmail(canonicalEmail(email)), canonicalEmail(email))
      }),
    )
  })
})

describe('isPhone', () => {
  it('accepts numbers with the usual punctuation', () => {
    all(isPhone, true, [
      '12345',
      '+49 30 901820',
      '(212) 555-0100',
      '+1.212.555.0100',
      '030/901820',
      '+1 212 555 0100 x12',
      '212-555-0100 ext. 7',
      '212-555-0100 #7',
      '1'.repeat(20),
    ])
  })

  it('refuses invalid numbers', () => {
    all(isPhone, false, [
      '',
      '1234',
      '1'.repeat(21),
      'call me',
      '+',
      '++49 30 901820',
      '30+901820',
      '555-0100 x',
      'x12 555-0100',
      '12345; drop table',
      '١٢٣٤٥',
      `1 2${' '.repeat(40)}345`,
    ])
  })

  it('refuses control characters anywhere', () => {
    for (const control of CONTROLS) all(isPhone, false, [`+49${control}30901820`])
  })
})

describe('isWebAddress', () => {
  it('accepts absolute http and https addresses', () => {
    all(isWebAddress, true, [
      'https://example.com',
      'http://example.com/a?b=c#d',
      'HTTPS://EXAMPLE.COM',
      'https://münchen.example/ü',
      'http://127.0.0.1:8080/',
      'https://[::1]/',
    ])
  })

  it('refuses everything else', () => {
    all(isWebAddress, false, [
      '',
      'example.com',
      '//example.com',
      '/path',
      'https:',
      'https://',
      'https:example.com',
      'ftp://example.com',
      'javascript:alert(1)',
      'javascript://example.com/%0aalert(1)',
      'data:text/html,hi',
      ' https://example.com',
      'https://exa mple.com',
      'https://example.com:99999',
      `https://example.com/${'a'.repeat(2000)}`,
    ])
  })

  it('refuses control characters anywhere', () => {
    for (const control of CONTROLS) {
      all(isWebAddress, false, [`https://exa${control}mple.com/`, `https://example.com/a${control}b`])
    }
  })
})
