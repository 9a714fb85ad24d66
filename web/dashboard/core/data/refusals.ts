import type { Language } from '../../../../src/domain/languages.ts'
import { type Sentence, say, type Translation } from '../../../../src/domain/sentence.ts'
import { type Translations, translationWith } from '../../../../src/format/refusals/catalogue.ts'
import { language } from '../language.ts'

/** What the server refuses with. Pages that run the same rules themselves load it; the others get it from the API. */
const CATALOGUES: Readonly<Record<Language, () => Promise<Translations>>> = {
  en: async () => ({}),
  de: async () => (await import('../../../../src/format/refusals/de.ts')).DE,
  es: async () => (await import('../../../../src/format/refusals/es.ts')).ES,
  fr: async () => (await import('../../../../src/format/refusals/fr.ts')).FR,
  pt: async () => (await import('../../../../src/format/refusals/pt.ts')).PT,
  ja: async () => (await import('../../../../src/format/refusals/ja.ts')).JA,
}

let translation: Translation | undefined

/** Loads what `sayRefusal` needs. */
export async function loadRefusals(): Promise<void> {
  const tag = language()
  translation = translationWith(await CATALOGUES[tag](), tag)
}

/** A sentence of the domain in the host's language. */
export const sayRefusal = (sentence: Sentence): string => say(sentence, translation)
