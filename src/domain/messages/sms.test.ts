import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { e164Of } from '../people/phone.ts'
import { fitSms, isInCountries, isStart, isStop, segmentsOf } from './sms.ts'

describe('text messages', () => {
  it('are counted as phone companies do', () => {
    assert.equal(segmentsOf(''), 0)
    assert.equal(segmentsOf('a'.repeat(160)), 1)
    assert.equal(segmentsOf('a'.repeat(161)), 2)
    assert.equal(segmentsOf('a'.repeat(307)), 3)
    assert.equal(segmentsOf('€'.repeat(80)), 1)
    assert.equal(segmentsOf('€'.repeat(81)), 2)
    assert.equal(segmentsOf('ż'.repeat(70)), 1)
    assert.equal(segmentsOf('ż'.repeat(71)), 2)
    assert.equal(segmentsOf('😀'.repeat(36)), 2)
    // A letter of two places stays whole, and leaves one place empty.
    assert.equal(segmentsOf(`${'a'.repeat(152)}€${'a'.repeat(152)}`), 3)
    assert.equal(segmentsOf(`ż${'a'.repeat(65)}😀${'a'.repeat(65)}`), 2)
    assert.equal(segmentsOf(`ż${'a'.repeat(65)}😀${'a'.repeat(66)}`), 3)
  })

  it('go to numbers of the countries that are allowed', () => {
    for (const same of ['+4915112345678', '+49 151 12345678', '+49 (0)151/123-456.78'])
      assert.equal(e164Of(same), '+4915112345678')
    for (const bad of [
      '4915112345678',
      '0151 12345678',
      '+0123456789',
      '+49151',
      '+49 151 12345678 ext. 5',
      '',
    ])
      assert.equal(e164Of(bad), undefined, bad)
    assert.ok(isInCountries('+4915112345678', ['+43', '+49']))
    assert.ok(!isInCountries('+4915112345678', []))
    // Jamaica shares the first digit with the United States, and costs much more.
    assert.ok(isInCountries('+12025550123', ['+1']))
    assert.ok(!isInCountries('+18765550123', ['+1']))
    assert.ok(isInCountries('+18765550123', ['+1', '+1876']))
  })

  it('end with STOP as the whole text, in any case', () => {
    assert.ok(isStop(' Stop\n'))
    assert.ok(!isStop('please stop'))
    assert.ok(isStart('start') && !isStart('starting'))
  })

  it('are cut after a whole word, so that no link is', () => {
    const link = 'https://book.example.com/booking/0199?token=abcdef'
    assert.equal(fitSms(`Hello ${link}`), `Hello ${link}`)
    const long = `${'word '.repeat(300)}${link} end`
    assert.equal(segmentsOf(fitSms(long)), 10)
    assert.match(fitSms(long), /^(?:word )+\.\.\.$/)
    assert.equal(fitSms('x'.repeat(2000)), '')
  })
})
