import type { Language } from '../../../../src/domain/languages.ts'
import { type Sentence, say, type Translation } from '../../../../src/domain/sentence.ts'
import { translationWith } from '../../../../src/format/refusals/catalogue.ts'
import { language } from '../language.ts'

/** What the server refuses with. Pages that run the same rules themselves load it; the others get it from the API. */
async function readRefusals(language: Language): Promise<Readonly<Record<string, string>>> {
  // The patterns are English.
  return language === 'en' ? {} : (await import(`../../../../src/texts/${language}/refusals.ts`)).default
}

let translation: Translation | undefined

/** Loads what `sayRefusal` needs. */
export async function loadRefusals(): Promise<void> {
  const tag = language()
  translation = translationWith(await readRefusals(tag), tag)
}

/** A sentence of the domain in the host's language. */
export const sayRefusal = (sentence: Sentence): string => say(sentence, translation)
