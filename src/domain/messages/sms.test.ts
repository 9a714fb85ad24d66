import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isE164, isInCountries, isStop, segmentsOf } from './sms.ts'

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
  })

  it('go to numbers of the countries that are allowed', () => {
    assert.ok(isE164('+4915112345678'))
    for (const bad of ['4915112345678', '+0123456789', '+49 151 1234', '+49151', ''])
      assert.ok(!isE164(bad), bad)
    assert.ok(isInCountries('+4915112345678', ['+43', '+49']))
    assert.ok(!isInCountries('+4915112345678', []))
  })

  it('end with STOP as the whole text, in any case', () => {
    assert.ok(isStop(' Stop\n'))
    assert.ok(!isStop('please stop'))
  })
})
