import { createContext, use } from 'react'
import type { Locale, Wording } from '../../src/domain/languages.ts'
import type { TextKey, Texts } from '../texts/texts.ts'

/** One file per language; a guest loads only one. */
const CATALOGUES: Readonly<Record<Wording, () => Promise<Texts>>> = {
  en: async () => (await import('../texts/en.ts')).default,
  de: async () => (await import('../texts/de.ts')).default,
  'de-du': async () => {
    const [de, du] = await Promise.all([import('../texts/de.ts'), import('../texts/de-du.ts')])
    return { ...de.default, ...du.default }
  },
  es: async () => (await import('../texts/es.ts')).default,
  fr: async () => (await import('../texts/fr.ts')).default,
  pt: async () => (await import('../texts/pt.ts')).default,
  ja: async () => (await import('../texts/ja.ts')).default,
}

export const loadTexts = (wording: Wording): Promise<Texts> => CATALOGUES[wording]()

type Values = Readonly<Record<string, string | number>>

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
