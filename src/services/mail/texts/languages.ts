import { type Language, type Wording, wordingOf } from '../../../domain/languages.ts'
import type { GermanAddress } from '../../../domain/people/scheduler.ts'
import { de } from './de.ts'
import { deDu } from './de-du.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { pt } from './pt.ts'
import { type MailTexts, withPart } from './texts.ts'

export const LANGUAGES = { en, de, es, fr, pt, ja } as const satisfies Record<Language, MailTexts>

const WORDINGS: Readonly<Record<Wording, MailTexts>> = { ...LANGUAGES, 'de-du': withPart(de, deDu) }

export interface MailLanguage {
  readonly texts: MailTexts
  /** For dates and lists; keeps the region, which decides between 12 and 24 hours. */
  readonly tag: string
}

/** The language of a locale such as `pt-BR`; English if there are no texts for it. */
export function languageOf(locale: string, germanAddress?: GermanAddress): MailLanguage {
  const { language, baseName } = readLocale(locale)
  if (!Object.hasOwn(LANGUAGES, language)) return { texts: en, tag: 'en' }
  return { texts: WORDINGS[wordingOf(language as Language, germanAddress)], tag: baseName }
}

type Locale = Pick<Intl.Locale, 'language' | 'baseName'>

const MAX_LOCALES = 500
const locales = new Map<string, Locale>()

/** Every mail asks three times, so the answers are kept. Guests may send any locale: not all of them. */
function readLocale(locale: string): Locale {
  let read = locales.get(locale)
  if (read === undefined) {
    read = parseLocale(locale)
    if (locales.size >= MAX_LOCALES) locales.clear()
    locales.set(locale, read)
  }
  return read
}

function parseLocale(locale: string): Locale {
  try {
    const { language, baseName } = new Intl.Locale(locale.replaceAll('_', '-'))
    return { language, baseName }
  } catch {
    return { language: 'en', baseName: 'en' }
  }
}
