import type { Language } from '../../domain/languages.ts'
import type { Translation } from '../../domain/sentence.ts'

/** How sentences are said with these translations, by their English patterns. */
export const translationWith = (
  translations: Readonly<Record<string, string>>,
  tag: Language,
): Translation => ({
  tag,
  find: (pattern) => translations[pattern],
})
