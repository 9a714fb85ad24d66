import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NOTHING, type Sentence, say, sentence, verbatim } from '../domain/sentence.ts'
import { translationTo } from '../format/refusals/translations.ts'
import { pairOf, sentenceFrom } from './sentences.ts'

const stored = (given: Sentence): Sentence => {
  const { text, parts } = pairOf(given)
  return sentenceFrom(text, parts)
}

describe('a stored sentence', () => {
  it('is said in any language', () => {
    const german = (given: Sentence) => say(stored(given), translationTo('de'))
    assert.equal(german(sentence`The server could not be reached.`), 'Der Server war nicht erreichbar.')
    assert.equal(german(sentence`The server answered ${500}.`), 'Der Server hat mit 500 geantwortet.')
    assert.equal(
      german(sentence`${'Google'} refused this: ${'no (5)\nmore.'}`),
      'Google hat dies abgelehnt: no (5)\nmore.',
    )
    assert.equal(say(stored(sentence`The server answered ${500}.`)), 'The server answered 500.')
    for (const foreign of ['oops', 'Ungültige Anfrage: a or b', '{0}'])
      assert.equal(german(verbatim(foreign)), foreign)
    assert.equal(german(NOTHING), '')
  })

  it('keeps dates, times, sizes, lists and sentences in it', () => {
    const given = sentence`${{ date: '2030-01-31' }}, ${{ instant: 0, timeZone: 'UTC' }}, ${{ bytes: 9 }}, ${['a', sentence`b`]}`
    assert.deepEqual(stored(given), given)
  })

  it('is the English text where another version has written that', () => {
    const { parts } = pairOf(sentence`The server answered ${500}.`)
    assert.deepEqual(sentenceFrom('The server answered 404.', parts), verbatim('The server answered 404.'))
    assert.deepEqual(sentenceFrom('', parts), NOTHING)
    assert.deepEqual(sentenceFrom('The server answered 500.', null), verbatim('The server answered 500.'))
  })
})
