import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NOTICES } from './notices.ts'

const gapsIn = (text: object) => [...new Set(JSON.stringify(text).match(/\{\w+\}/g))].sort()

describe('the mails from the service itself', () => {
  for (const [language, texts] of Object.entries(NOTICES)) {
    it(`leave the same gaps in ${language} as in English`, () => {
      for (const [kind, text] of Object.entries(texts)) {
        const english = NOTICES.en[kind as keyof typeof texts]
        for (const part of ['subject', 'lead'] as const) {
          assert.deepEqual(gapsIn([text[part]]), gapsIn([english[part]]), `${kind}.${part}`)
        }
        assert.deepEqual(gapsIn(text), gapsIn(english), kind)
      }
    })
  }

  it('address nobody in German', () => {
    assert.doesNotMatch(
      JSON.stringify(NOTICES.de),
      /\b(?:du|dich|dir|dein\w*|Ihnen|Ihre?\w?)\b|(?<!\. )\bSie\b/,
    )
  })
})
