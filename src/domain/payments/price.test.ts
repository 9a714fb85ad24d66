import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Problem } from '../problem.ts'
import { CURRENCIES, checkPrice, readAmount, writeAmount } from './check-price.ts'
import { decimalsOf, formatPrice, formatPrices, type Price, priceOf } from './price.ts'

const price: Price = {
  amount: 4900,
  currency: 'EUR',
  refund: { fullUntilMinutes: 1440, laterPercent: 50 },
}

/** Amounts have spaces that don't break. */
const plain = (text: string) => text.replaceAll(/\s/gu, ' ')

describe('a price', () => {
  it('is that of the length, or the one for all', () => {
    const byLength = { ...price, byDuration: { '60': 8900 } }
    assert.equal(priceOf(byLength, 60), 8900)
    assert.equal(priceOf(byLength, 30), 4900)
  })

  it('is written as people do, in any currency', () => {
    assert.equal(formatPrice(price, 'en'), '€49.00')
    assert.equal(plain(formatPrice(price, 'de')), '49,00 €')
    assert.equal(formatPrice({ amount: 4900, currency: 'JPY' }, 'ja'), '￥4,900')
    // Intl would leave the decimals out, but the provider counts them.
    assert.equal(plain(formatPrice({ amount: 490_050, currency: 'RSD' }, 'en')), 'RSD 4,900.50')
  })

  it('is a range where lengths differ', () => {
    const byLength = { ...price, byDuration: { '60': 8900 } }
    assert.equal(plain(formatPrices(byLength, [30, 60], 'en')), '€49.00 – €89.00')
    assert.equal(formatPrices(byLength, [60], 'en'), '€89.00')
  })

  it('knows currencies that Intl can name, each once', () => {
    assert.equal(new Set(CURRENCIES).size, CURRENCIES.length)
    const names = new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' })
    assert.deepEqual(
      CURRENCIES.filter((code) => names.of(code) === undefined),
      [],
    )
    assert.equal(decimalsOf('KRW'), 0)
    assert.equal(decimalsOf('HUF'), 2)
  })

  it('is read as people type it', () => {
    const euros: [string, number | undefined][] = [
      ['49', 4900],
      ['49.5', 4950],
      ['49,50', 4950],
      ['€ 49.00', 4900],
      ['1,234.50', 123_450],
      ['1.234,50 €', 123_450],
      ['1.234', 123_400],
      ['0,50', 50],
      ['0', undefined],
      ['', undefined],
      ['forty', undefined],
      ['-5', undefined],
    ]
    for (const [text, amount] of euros) assert.equal(readAmount(text, 'EUR'), amount, text)
    assert.equal(readAmount('4900', 'JPY'), 4900)
    assert.equal(readAmount('4,900', 'JPY'), 4900)
    assert.equal(readAmount('49.5', 'JPY'), undefined)
    for (const tag of ['en', 'de', 'fr', 'ja']) {
      assert.equal(readAmount(writeAmount(123_450, 'EUR', tag), 'EUR'), 123_450, tag)
    }
  })

  it('is checked, field by field', () => {
    const refused = (given: Partial<Price>) => {
      try {
        checkPrice({ ...price, ...given }, [30, 60])
      } catch (error) {
        if (error instanceof Problem) return error.field
        throw error
      }
      return undefined
    }
    assert.equal(refused({}), undefined)
    assert.equal(refused({ byDuration: { '30': 1, '60': 999_999_999_999 } }), undefined)
    assert.equal(refused({ refund: { fullUntilMinutes: 525_600, laterPercent: 100 } }), undefined)
    for (const amount of [0, -1, 1.5, Number.NaN, 1e12]) {
      assert.equal(refused({ amount }), 'price.amount', String(amount))
    }
    for (const currency of ['eur', 'XXX', '', 'ISK', 'KWD']) {
      assert.equal(refused({ currency }), 'price.currency', currency)
    }
    assert.equal(refused({ byDuration: { '45': 100 } }), 'price.byDuration.45')
    assert.equal(refused({ byDuration: { '060': 100 } }), 'price.byDuration.060')
    assert.equal(refused({ byDuration: { '60': 0 } }), 'price.byDuration.60')
    for (const fullUntilMinutes of [-1, 525_601, 0.5]) {
      assert.equal(
        refused({ refund: { fullUntilMinutes, laterPercent: 0 } }),
        'price.refund.fullUntilMinutes',
      )
    }
    for (const laterPercent of [-1, 101, 0.5]) {
      assert.equal(refused({ refund: { fullUntilMinutes: 0, laterPercent } }), 'price.refund.laterPercent')
    }
  })
})
