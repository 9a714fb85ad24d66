import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { CALLING_CODES, countryOfNumber, internationalNumber } from './phone.ts'

const COUNTRY = fc.constantFrom(...CALLING_CODES.keys())

describe('a phone number', () => {
  it('is written as the whole world dials it', () => {
    for (const [country, typed, number] of [
      ['DE', '030 901820', '+4930901820'],
      ['DE', '+49 (0)30 90-18/20', '+4930901820'],
      ['DE', '0049 30 901820', '+4930901820'],
      ['FR', '01 23 45 67 89', '+33123456789'],
      ['US', '(555) 010-0199', '+15550100199'],
      ['US', '1 555 010 0199', '+15550100199'],
      ['CA', '+44 20 7946 0000', '+442079460000'],
      ['IT', '06 698', '+3906698'],
      ['RU', '8 495 123 45 67', '+74951234567'],
      ['RU', '812 123 45 67', '+78121234567'],
      ['HU', '06 1 234 5678', '+3612345678'],
      ['JP', '03-1234-5678', '+81312345678'],
    ] as const) {
      assert.equal(internationalNumber(typed, country), number, typed)
    }
  })

  it('stays as it is if it is no plain number', () => {
    for (const typed of ['', '030 901820 ext. 5', 'call me', '+', '()', '12 34+5']) {
      assert.equal(internationalNumber(typed, 'DE'), typed)
    }
    assert.equal(internationalNumber('030 901820', 'ZZ'), '030 901820')
  })

  it('names its country', () => {
    for (const [number, country] of [
      ['+49 30 901820', 'DE'],
      ['+1 555 0100', 'US'],
      ['+12425550100', 'BS'],
      ['+44 20 7946 0000', 'GB'],
      ['+7 495', 'RU'],
    ]) {
      assert.equal(countryOfNumber(number as string), country)
    }
    for (const none of ['', '030', '+', '+0']) assert.equal(countryOfNumber(none), undefined)
  })

  it('has the code of its country, whatever is typed, and does not change again', () => {
    fc.assert(
      fc.property(COUNTRY, fc.stringMatching(/^[1-9][\d ().-]{4,12}$/), (country, typed) => {
        const number = internationalNumber(typed, country)
        assert.match(number, /^\+\d+$/)
        assert.ok(number.startsWith(`+${CALLING_CODES.get(country)}`))
        assert.equal(internationalNumber(number, 'DE'), number)
        const found = countryOfNumber(number) ?? ''
        assert.ok(number.startsWith(`+${CALLING_CODES.get(found)}`))
      }),
    )
  })

  it('has a code in every country that has a name', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    for (const [country, code] of CALLING_CODES) {
      assert.ok(names.of(country) !== undefined, country)
      assert.match(code, /^[1-9]\d{0,3}$/)
    }
    assert.ok(CALLING_CODES.size > 230)
  })
})
