import type { Wording } from '../../src/domain/languages.ts'
import { type Words, withPart } from './words/catalogue.ts'

export type { Wording }

/** One file per language; a host loads only theirs. */
const CATALOGUES: Readonly<Record<Wording, () => Promise<Words>>> = {
  en: async () => (await import('./words/en.ts')).default,
  de: async () => (await import('./words/de.ts')).default,
  'de-du': async () => {
    const [de, du] = await Promise.all([import('./words/de.ts'), import('./words/de-du.ts')])
    return withPart(de.default, du.default)
  },
  es: async () => (await import('./words/es.ts')).default,
  fr: async () => (await import('./words/fr.ts')).default,
  pt: async () => (await import('./words/pt.ts')).default,
  ja: async () => (await import('./words/ja.ts')).default,
}

/**
 * Everything the dashboard says. It is loaded before the first page is shown and never changes until the page is
 * loaded again, so code that runs while the first modules load must not read it.
 */
export let words: Words

/** Loads the words; called once. */
export async function loadWords(wording: Wording): Promise<void> {
  words = await CATALOGUES[wording]()
}
