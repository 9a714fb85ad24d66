import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Plural, type Text, tellIn } from './tell.ts'

const tell = tellIn('en')
const days: Plural<'count'> = { one: '{count} day', other: '{count} days' }
const pair: Text<'a' | 'b'> = '{a} and {b}'

describe('tellIn', () => {
  it('says a text without gaps as it is', () => assert.equal(tell('100 %'), '100 %'))

  it('fills each gap once: braces in a value stay what they are', () => {
    assert.equal(tell(pair, { a: '{b}', b: '$& {a}' }), '{b} and $& {a}')
  })

  it('refuses to leave a gap unfilled', () => {
    // @ts-expect-error: the compiler asks for b.
    assert.throws(() => tell(pair, { a: 'x' }), /\{b\}/)
    // @ts-expect-error: and for any values at all.
    assert.throws(() => tell(pair), /\{a\}/)
  })

  it('counts as the language does', () => {
    const tage: Plural<'count'> = { one: '{count} Tag', other: '{count} Tage' }
    const jours: Plural<'count'> = { one: '{count} jour', other: '{count} jours' }
    const nichi: Plural<'count'> = { other: '{count}日' }
    assert.equal(tell(days, { count: 1 }), '1 day')
    assert.equal(tellIn('de')(tage, { count: 1200 }), '1.200 Tage')
    assert.equal(tellIn('fr')(jours, { count: 0 }), '0 jour')
    assert.equal(tellIn('ja')(nichi, { count: 3 }), '3日')
  })
})
