import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deDu } from './de-du.ts'
import { en } from './en.ts'
import { LANGUAGES, languageOf } from './languages.ts'
import { fill } from './texts.ts'

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

  for (const [language, texts] of Object.entries(LANGUAGES)) {
    it(`are complete: ${language} has every text, with the gaps of the English one`, () => {
      const own = textsByPath(texts)
      assert.deepEqual([...own.keys()].sort(), [...english.keys()].sort())
      for (const [path, text] of own) {
        assert.ok(text.trim() !== '' && text === text.trim(), path)
        assert.deepEqual(gapsIn(text), gapsIn(english.get(path) ?? ''), `${language} ${path}`)
        assert.doesNotMatch(text.replaceAll(/\{\w+\}/g, ''), /[{}]/, `${language} ${path}`)
      }
    })
  }

  it('have du for everything that says Sie, and for nothing else', () => {
    const formal = textsByPath(LANGUAGES.de)
    for (const [path, text] of textsByPath(languageOf('de-AT', 'du').texts)) {
      assert.doesNotMatch(text, /\b(?:Sie|Ihnen|Ihr(?:e[mnrs]?)?)\b/, path)
      assert.deepEqual(gapsIn(text), gapsIn(english.get(path) ?? ''), path)
    }
    for (const [path, text] of textsByPath(deDu)) assert.notEqual(text, formal.get(path), path)
    assert.equal(languageOf('de', 'sie').texts, LANGUAGES.de)
    assert.equal(languageOf('fr', 'du').texts, LANGUAGES.fr)
  })

  it('are translated: no sentence is left in English', () => {
    for (const [language, texts] of Object.entries(LANGUAGES)) {
      if (language === 'en') continue
      const same = [...textsByPath(texts)].filter(([path, text]) => english.get(path) === text)
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
      return [Object.keys(LANGUAGES).find((key) => LANGUAGES[key as 'en'] === texts), tag]
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

describe('fill', () => {
  it('fills each gap once: braces in a name stay what they are', () => {
    assert.equal(fill('{a} and {b}', { a: '{b}', b: '$& {a}' }), '{b} and $& {a}')
  })

  it('refuses to leave a gap unfilled', () => {
    assert.throws(() => fill('{a} and {b}', { a: 'x' }), /\{b\}/)
  })
})
