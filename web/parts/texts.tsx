import { createContext, use } from 'react'
import type { Language, Locale, Wording } from '../../src/domain/languages.ts'
import { type Given, tellIn } from '../../src/domain/tell.ts'
import { type Cities, type GuestPages, type Part, withPart } from '../../src/texts/catalogue.ts'

type TextKey = keyof GuestPages

/** One file per language; a guest loads only one. */
export async function loadTexts(wording: Wording): Promise<GuestPages> {
  if (wording !== 'de-du') return read(wording)
  const [de, du] = await Promise.all([read('de'), read<Part<GuestPages>>('de-du')])
  return withPart<GuestPages>(de, du)
}

export async function loadCities(language: Language): Promise<Cities> {
  return (await import(`../../src/texts/${language}/cities.ts`)).default
}

async function read<Read = GuestPages>(wording: Wording): Promise<Read> {
  return (await import(`../../src/texts/${wording}/guest-pages.ts`)).default
}

export type Tell = <Key extends TextKey>(key: Key, ...given: Given<GuestPages[Key]>) => string

export interface Speech {
  readonly locale: Locale
  /** The text of this key, with its values. */
  readonly tell: Tell
  /** The cities of time zones, as the reader calls them. */
  readonly cities: Cities
}

export function speechOf(locale: Locale, texts: GuestPages, cities: Cities): Speech {
  const tell = tellIn(locale.tag)
  return { locale, cities, tell: (key, ...given) => tell(texts[key], ...given) }
}

export const SpeechContext = createContext<Speech | undefined>(undefined)

export function useSpeech(): Speech {
  const speech = use(SpeechContext)
  if (speech === undefined) throw new Error('This is outside of a page.')
  return speech
}
