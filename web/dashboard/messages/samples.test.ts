import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LANGUAGES } from '../../../src/domain/languages.ts'
import { checkMessage, findHoles, MESSAGE_DEFAULTS } from '../../../src/domain/messages/message.ts'
import { readMessageWords } from '../words.ts'
import { SAMPLES, type Sample, sampleText } from './samples.ts'

describe('the ready-made texts', () => {
  for (const wording of [...LANGUAGES, 'de-du'] as const) {
    it(`can be sent as they are in ${wording}, without holes`, async () => {
      const words = await readMessageWords(wording)
      for (const sample of Object.keys(words.samples) as Sample[]) {
        const moments = { ...SAMPLES, blank: { on: 'booked', minutes: null } } as const
        const text = sampleText(words, sample)
        const { name } = words.samples[sample]
        checkMessage({ ...MESSAGE_DEFAULTS, ...moments[sample], name, texts: { en: text } }, 'en')
        assert.deepEqual(findHoles(text.body), [], name)
        assert.doesNotMatch(`${text.subject} ${text.body}`, /(?<!\{)\{(?!\{)/, name)
      }
    })
  }
})
