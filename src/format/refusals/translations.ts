import type { Language } from '../../domain/languages.ts'
import type { Translation } from '../../domain/sentence.ts'
import { readTexts } from '../../texts/read.ts'
import { translationWith } from './catalogue.ts'

/** How sentences are said in this language; undefined for English. */
export function translationTo(language: Language): Translation | undefined {
  if (language === 'en') return undefined
  const cities = readTexts(language, 'cities')
  return { ...translationWith(readTexts(language, 'refusals'), language), cities }
}
