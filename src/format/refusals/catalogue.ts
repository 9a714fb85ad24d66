import type { Language } from '../../domain/languages.ts'
import type { Translation } from '../../domain/sentence.ts'
import type { EventTypeFieldName } from '../event-type-schema.ts'

/** Our sentences in one language, by their English patterns, and the names of fields by their English ones. */
export type Translations = Readonly<Record<string, string>>

/** The translations of a language. One that lacks a field of event types is a type error. */
export type Catalogue = Translations & Readonly<Record<EventTypeFieldName, string>>

/** How sentences are said with this catalogue. */
export const translationWith = (catalogue: Translations, tag: Language): Translation => ({
  tag,
  comma: tag === 'ja' ? '、' : ', ',
  find: (pattern) => catalogue[pattern],
})
