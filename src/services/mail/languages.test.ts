import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LANGUAGES } from '../../domain/languages.ts'
import deDu from '../../texts/de-du/mail.ts'
import en from '../../texts/en/mail.ts'
import { readTexts } from '../../texts/read.ts'
import { languageOf } from './languages.ts'

/** Every text of a language by its path, such as `guest.confirmed.subject`. */
function textsByPath(texts: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, value]) =>
      typeof value === 'string' ? [[path + key, value] as const] : [...textsByPath(value, `${path}${key}.`)],
    ),
  )
}

const gapsIn = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort()

describe('the languages of mail', () => {
  const english = textsByPath(en)

  for (const language of LANGUAGES) {
    it(`are complete: ${language} has every text, with the gaps of the English one`, () => {
      const own = textsByPath(readTexts(language, 'mail'))
      assert.deepEqual([...own.keys()].sort(), [...english.keys()].sort())
      for (const [path, text] of own) {
        assert.ok(text.trim() !== '' && text === text.trim(), path)
        assert.deepEqual(gapsIn(text), gapsIn(english.get(path) ?? ''), `${language} ${path}`)
        assert.doesNotMatch(text.replaceAll(/\{\w+\}/g, ''), /[{}]/, `${language} ${path}`)
      }
    })
  }

  it('have du for everything that says Sie, and for nothing else', () => {
    const formal = textsByPath(readTexts('de', 'mail'))
    for (const [path, text] of textsByPath(languageOf('de-AT', 'du').texts)) {
      assert.doesNotMatch(text, /\b(?:Sie|Ihnen|Ihr(?:e[mnrs]?)?)\b/, path)
      assert.deepEqual(gapsIn(text), gapsIn(english.get(path) ?? ''), path)
    }
    for (const [path, text] of textsByPath(deDu)) assert.notEqual(text, formal.get(path), path)
    assert.equal(languageOf('de', 'sie').texts, readTexts('de', 'mail'))
    assert.equal(languageOf('fr', 'du').texts, readTexts('fr', 'mail'))
  })

  it('are translated: no sentence is left in English', () => {
    for (const language of LANGUAGES.slice(1)) {
      const same = [...textsByPath(readTexts(language, 'mail'))].filter(
        ([path, text]) => english.get(path) === text,
      )
      assert.deepEqual(
        same.filter(([, text]) => text.includes(' ')),
        [],
        language,
      )
    }
  })

  it('are found by any locale of theirs, and English speaks for the rest', () => {
    const found = (locale: string) => {
      const { texts, tag } = languageOf(locale)
      return [LANGUAGES.find((language) => readTexts(language, 'mail') === texts), tag]
    }
    assert.deepEqual(found('de'), ['de', 'de'])
    assert.deepEqual(found('pt_BR'), ['pt', 'pt-BR'])
    assert.deepEqual(found('EN-gb'), ['en', 'en-GB'])
    assert.deepEqual(found('ja-JP'), ['ja', 'ja-JP'])
    for (const other of ['', 'it', 'xx', 'zh-Hant', 'constructor', 'not a locale', '-', '__proto__']) {
      assert.deepEqual(found(other), ['en', 'en'], other)
    }
  })
})
