import type { Language } from '../../domain/languages.ts'
import { type Sentence, say, type Translation } from '../../domain/sentence.ts'
import { readTexts } from '../../texts/read.ts'
import { translationWith } from './catalogue.ts'

/** How sentences are said in this language; undefined for English. */
export function translationTo(language: Language): Translation | undefined {
  return language === 'en' ? undefined : translationWith(readTexts(language, 'refusals'), language)
}

/** A text that was stored in English, said in this language; as it is if it is none of our sentences. */
export function translateText(text: string, language: Language): string {
  const translation = translationTo(language)
  if (language === 'en' || translation === undefined) return text
  const [found] = Object.keys(readTexts(language, 'refusals'))
    .flatMap((pattern) => recognise(pattern, text) ?? [])
    .sort((one, other) => lettersIn(other.pattern) - lettersIn(one.pattern))
  return found === undefined ? text : say(found, translation)
}

const PLACEHOLDER = /\{\d+\}/

/** The sentence of this pattern that reads so in English, if there is one. */
function recognise(pattern: string, text: string): Sentence | undefined {
  const parts = pattern.split(PLACEHOLDER)
  if (!parts.every((part) => text.includes(part)) || lettersIn(pattern) < LEAST_LETTERS) return undefined
  const values = new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('(.*)')}$`, 'su').exec(text)
  // No pattern has its values in another order than they are numbered.
  return values === null ? undefined : { pattern, values: values.slice(1) }
}

/** A pattern of fewer letters would fit almost any text. */
const LEAST_LETTERS = 8

const lettersIn = (pattern: string) => pattern.replaceAll(/\{\d+\}|\W/g, '').length
