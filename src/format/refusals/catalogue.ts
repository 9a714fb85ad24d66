import type { Language } from '../../domain/languages.ts'
import type { Translation } from '../../domain/sentence.ts'

/** Our sentences in one language, by their English patterns, and the names of fields by their English ones. */
export type Catalogue = Readonly<Record<string, string>>

/** How sentences are said with this catalogue. */
export const translationWith = (catalogue: Catalogue, tag: Language): Translation => ({
  tag,
  comma: tag === 'ja' ? '、' : ', ',
  find: (pattern) => catalogue[pattern],
})
