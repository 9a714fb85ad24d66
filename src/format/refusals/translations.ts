import type { Language } from '../../domain/languages.ts'
import type { Translation } from '../../domain/sentence.ts'
import type { Catalogue } from './catalogue.ts'
import { DE } from './de.ts'
import { ES } from './es.ts'
import { FR } from './fr.ts'
import { JA } from './ja.ts'
import { PT } from './pt.ts'

/** English needs none: the patterns are English. */
export const CATALOGUES: Readonly<Record<Exclude<Language, 'en'>, Catalogue>> = {
  de: DE,
  es: ES,
  fr: FR,
  pt: PT,
  ja: JA,
}

/** How sentences are said in this language; undefined for English. */
export function translationTo(language: Language): Translation | undefined {
  if (language === 'en') return undefined
  const catalogue = CATALOGUES[language]
  return { tag: language, comma: language === 'ja' ? '、' : ', ', find: (pattern) => catalogue[pattern] }
}
