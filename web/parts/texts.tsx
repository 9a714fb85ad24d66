import { createContext, use } from 'react'
import type { Language, Locale } from '../../src/domain/languages.ts'
import type { TextKey, Texts } from '../texts/texts.ts'

/** One file per language; a guest loads only one. */
const CATALOGUES: Readonly<Record<Language, () => Promise<{ readonly default: Texts }>>> = {
  en: () => import('../texts/en.ts'),
  de: () => import('../texts/de.ts'),
  es: () => import('../texts/es.ts'),
  fr: () => import('../texts/fr.ts'),
  pt: () => import('../texts/pt.ts'),
  ja: () => import('../texts/ja.ts'),
}

export async function loadTexts(language: Language): Promise<Texts> {
  return (await CATALOGUES[language]()).default
}

export type Values = Readonly<Record<string, string | number>>

export type Tell = (key: TextKey, values?: Values) => string

export interface Speech {
  readonly locale: Locale
  /** The text of this key, with its placeholders filled in. */
  readonly tell: Tell
}

export function speechOf(locale: Locale, texts: Texts): Speech {
  const numbers = new Intl.NumberFormat(locale.tag)
  const plurals = new Intl.PluralRules(locale.tag)
  return {
    locale,
    tell: (key, values = {}) => {
      const entry = texts[key]
      const text =
        typeof entry === 'string' ? entry : (entry[plurals.select(Number(values.count))] ?? entry.other)
      return text.replace(/\{(\w+)\}/g, (_, name: string) => {
        const value = values[name] ?? ''
        return typeof value === 'number' ? numbers.format(value) : value
      })
    },
  }
}

export const SpeechContext = createContext<Speech | undefined>(undefined)

export function useSpeech(): Speech {
  const speech = use(SpeechContext)
  if (speech === undefined) throw new Error('This is outside of a page.')
  return speech
}
