import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chooseLocale, firstWeekday } from './languages.ts'

describe('the locale of a guest', () => {
  it('is the one asked for, before what the browser prefers', () => {
    assert.deepEqual(chooseLocale('fr', 'de-AT,de;q=0.9', 'en'), { language: 'fr', tag: 'fr' })
  })

  it('keeps the region for dates and weeks', () => {
    assert.deepEqual(chooseLocale(undefined, 'en-GB,en;q=0.9', 'de'), { language: 'en', tag: 'en-GB' })
    assert.deepEqual(chooseLocale(undefined, 'PT-br', 'en'), { language: 'pt', tag: 'pt-BR' })
  })

  it('takes the region from the browser when a language is asked for without one', () => {
    assert.deepEqual(chooseLocale('en', 'de, en-GB;q=0.5', 'de'), { language: 'en', tag: 'en-GB' })
    assert.deepEqual(chooseLocale('en-US', 'en-GB', 'de'), { language: 'en', tag: 'en-US' })
  })

  it('follows the header’s weights, and skips unsupported languages', () => {
    assert.equal(chooseLocale(undefined, 'ru, es;q=0.3, ja;q=0.7, de;q=0', 'en').language, 'ja')
  })

  it('falls back to the host’s language, then to English', () => {
    assert.equal(chooseLocale(undefined, undefined, 'es').language, 'es')
    assert.equal(chooseLocale('xx', '*', 'tlh').language, 'en')
  })

  it('ignores invalid tags', () => {
    for (const broken of ['de-', '--', 'de-a', ';;;q=', 'de-x'.repeat(500)]) {
      assert.equal(typeof chooseLocale(broken, broken, 'en').tag, 'string')
    }
  })

  it('has the first weekday of its region', () => {
    assert.equal(firstWeekday('en-US'), 7)
    assert.equal(firstWeekday('de'), 1)
  })
})
