import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LANGUAGES } from '../domain/languages.ts'
import { readTexts } from './read.ts'

const gapsIn = (text: object) => [...new Set(JSON.stringify(text).match(/\{\w+\}/g))].sort()

describe('the mails from the service itself', () => {
  for (const language of LANGUAGES) {
    const texts = readTexts(language, 'notices')
    it(`leave the same gaps in ${language} as in English`, () => {
      for (const [kind, text] of Object.entries(texts)) {
        const english = readTexts('en', 'notices')[kind as keyof typeof texts]
        for (const part of ['subject', 'lead'] as const) {
          assert.deepEqual(gapsIn([text[part]]), gapsIn([english[part]]), `${kind}.${part}`)
        }
        assert.deepEqual(gapsIn(text), gapsIn(english), kind)
      }
    })
  }

  it('address nobody in German', () => {
    assert.doesNotMatch(
      JSON.stringify(readTexts('de', 'notices')),
      /\b(?:du|dich|dir|dein\w*|Ihnen|Ihre?\w?)\b|(?<!\. )\bSie\b/,
    )
  })
})
