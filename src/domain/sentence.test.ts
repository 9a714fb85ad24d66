import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { anyOf, inTurn, say, sentence, sentenceOf, type Translation, verbatim } from './sentence.ts'

const german = (texts: Record<string, string>): Translation => ({
  tag: 'de',
  find: (pattern) => texts[pattern],
})

describe('say', () => {
  it('reads in English as it was written', () => {
    assert.equal(say(sentence`No host.`), 'No host.')
    assert.equal(say(sentence`${1} of ${['a', 2]}, ${'{0}'}`), '1 of a, 2, {0}')
    assert.equal(say(sentence`On ${{ date: '2030-01-31' }}.`), 'On 2030-01-31.')
    const time = { instant: Date.UTC(2030, 0, 31, 9, 30), timeZone: 'Europe/Berlin' }
    assert.match(say(sentence`At ${time}.`), /^At Jan 31, 2030, 10:30\sAM\.$/)
    assert.equal(say({ ...sentence`{field} is gone.`, field: 'a.b' }), 'a.b is gone.')
    assert.equal(say({ ...sentence`{field} is gone.`, field: sentence`The ${'body'}` }), 'The body is gone.')
    assert.equal(say(sentence`Take ${anyOf([15, 30, 60])}.`), 'Take 15 or 30 or 60.')
    assert.equal(say(inTurn([sentence`One.`, sentence`Two.`, sentence`Three.`])), 'One. Two. Three.')
  })

  it('takes the pattern, the lists, the dates and the fields of another language', () => {
    const texts = german({
      '{0} of {1}, {field}': '{field}: {1} von {0}',
      'the {0}': 'das {0}',
      '{0}, {1}': '{0} / {1}',
    })
    const said = { ...sentence`${[1, 2]} of ${sentence`the ${'whole'}`}, {field}`, field: 'seats' }
    assert.equal(
      say(said, texts, (path) => path.toUpperCase()),
      'SEATS: das whole von 1 / 2',
    )
    const dated = sentence`On ${{ date: '2030-01-31' }}.`
    assert.equal(say(dated, german({ 'On {0}.': 'Am {0}.' })), 'Am 31.01.2030.')
    const priced = sentence`It costs ${{ money: 49.5, currency: 'EUR', digits: 2 }}.`
    assert.equal(say(priced), 'It costs €49.50.')
    assert.equal(say(priced, german({ 'It costs {0}.': 'Es kostet {0}.' })), 'Es kostet 49,50\u00a0€.')
  })

  it('stays English where there is no translation', () => {
    assert.equal(say(sentence`No ${'host'}.`, german({})), 'No host.')
  })

  it('never takes a value for a placeholder', () => {
    assert.equal(say(sentence`${'{1}'} and ${'{field}'}`), '{1} and {field}')
    assert.equal(say(verbatim('{0} {field}')), '{0} {field}')
  })
})

describe('sentenceOf', () => {
  it('is the message of an error that has no sentence', () => {
    assert.equal(say(sentenceOf(new Error('broken'))), 'broken')
    assert.equal(say(sentenceOf(Object.assign(new Error('x'), { sentence: sentence`ours` }))), 'ours')
  })
})
