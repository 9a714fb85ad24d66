import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LANGUAGES } from '../domain/languages.ts'
import type { Plural } from '../domain/tell.ts'

type Catalogue = Readonly<Record<string, string | Plural>>

const read = async (language: string): Promise<Catalogue> =>
  (await import(`./${language}/guest-pages.ts`)).default
const wordings = (entry: string | Plural) => (typeof entry === 'string' ? [entry] : Object.values(entry))
const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort()

const english = await read('en')

describe('the texts of the pages', () => {
  const needed = (key: string) => placeholders(wordings(english[key] as string | Plural).join(' '))

  for (const language of LANGUAGES) {
    it(`say everything in ${language}`, async () => {
      const texts = await read(language)
      assert.deepEqual(Object.keys(texts).sort(), Object.keys(english).sort())
      for (const [key, entry] of Object.entries(texts)) {
        for (const text of wordings(entry)) assert.notEqual(text.trim(), '', `${language}.${key}`)
      }
    })

    it(`name the same things in ${language} as in English`, async () => {
      for (const [key, entry] of Object.entries(await read(language))) {
        for (const text of wordings(entry)) {
          assert.deepEqual(placeholders(text), needed(key), `${language}.${key}: ${text}`)
        }
      }
    })

    it(`have a wording for every number in ${language}`, async () => {
      const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
      for (const [key, entry] of Object.entries(await read(language))) {
        if (typeof entry === 'string') continue
        // "Many" in Romance languages is for millions, which no page counts.
        const wanted = pluralCategories.filter((category) => category !== 'many')
        assert.deepEqual(Object.keys(entry).sort(), wanted.sort(), `${language}.${key}`)
      }
    })
  }

  it('have du for everything that says Sie, and for nothing else', async () => {
    const [de, du] = [await read('de'), await read('de-du')]
    for (const [key, entry] of Object.entries({ ...de, ...du })) {
      for (const text of wordings(entry)) {
        assert.doesNotMatch(text, /\b(?:Sie|Ihnen|Ihr(?:e[mnrs]?)?)\b/, key)
        assert.deepEqual(placeholders(text), needed(key), key)
      }
    }
    for (const [key, entry] of Object.entries(du)) assert.notDeepEqual(entry, de[key], key)
  })

  it('are all English nowhere but in English', async () => {
    for (const language of LANGUAGES.slice(1)) {
      const texts = await read(language)
      const same = Object.keys(english).filter((key) => texts[key] === english[key])
      assert.ok(same.length < 12, `${language} has not been translated: ${same.join(', ')}`)
    }
  })
})
