import { LANGUAGES, type Wording, wordingOf } from '../../domain/languages.ts'
import type { GermanAddress } from '../../domain/people/scheduler.ts'
import type { MailTexts } from '../../texts/catalogue.ts'
import { readTexts, readWording } from '../../texts/read.ts'

/** What a mail is about. A change has one kind for all its readers. */
export type MailKind = keyof MailTexts['guest']

export interface MailLanguage {
  readonly texts: MailTexts
  /** For dates and lists; keeps the region, which decides between 12 and 24 hours. */
  readonly tag: string
}

/** The language of a locale such as `pt-BR`; English if there are no texts for it. */
export function languageOf(locale: string, germanAddress?: GermanAddress): MailLanguage {
  const { language, baseName } = readLocale(locale)
  const spoken = LANGUAGES.find((one) => one === language)
  if (spoken === undefined) return { texts: readTexts('en', 'mail'), tag: 'en' }
  return { texts: textsIn(wordingOf(spoken, germanAddress)), tag: baseName }
}

let du: MailTexts | undefined

/** German that says du is put together of two files, once. */
function textsIn(wording: Wording): MailTexts {
  if (wording !== 'de-du') return readTexts(wording, 'mail')
  du ??= readWording(wording, 'mail')
  return du
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
