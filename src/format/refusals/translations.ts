import { createRequire } from 'node:module'
import type { Language } from '../../domain/languages.ts'
import { type Sentence, say, type Translation } from '../../domain/sentence.ts'
import { type Catalogue, translationWith } from './catalogue.ts'

const require = createRequire(import.meta.url)

type Translated = Exclude<Language, 'en'>

const CATALOGUES: Readonly<Record<Translated, () => Catalogue>> = {
  de: () => (require('./de.ts') as typeof import('./de.ts')).DE,
  es: () => (require('./es.ts') as typeof import('./es.ts')).ES,
  fr: () => (require('./fr.ts') as typeof import('./fr.ts')).FR,
  pt: () => (require('./pt.ts') as typeof import('./pt.ts')).PT,
  ja: () => (require('./ja.ts') as typeof import('./ja.ts')).JA,
}

/** Loaded when a language is first asked for. English needs none: the patterns are English. */
export const catalogueOf = (language: Translated): Catalogue => CATALOGUES[language]()

/** How sentences are said in this language; undefined for English. */
export function translationTo(language: Language): Translation | undefined {
  return language === 'en' ? undefined : translationWith(catalogueOf(language), language)
}

/** A text that was stored in English, said in this language; as it is if it is none of our sentences. */
export function translateText(text: string, language: Language): string {
  const translation = translationTo(language)
  if (language === 'en' || translation === undefined) return text
  const [found] = Object.keys(catalogueOf(language))
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
