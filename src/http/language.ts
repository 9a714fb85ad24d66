import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { chooseLocale, type Language } from '../domain/languages.ts'
import { type Sentence, say } from '../domain/sentence.ts'
import { translationTo } from '../format/refusals/translations.ts'
import { fieldName } from './field-names.ts'

/** What a language is chosen by. */
export interface Asking {
  readonly headers: IncomingHttpHeaders
}

/** A sentence in the language of a request, which is English unless it asks for another. */
interface Said {
  readonly text: string
  readonly language: Language
}

/** The language that a request accepts best, of those that we speak. */
export const languageOf = ({ headers }: Asking): Language =>
  chooseLocale(undefined, headers['accept-language'], 'en').language

/** Says a sentence in the language that a request accepts best; with `inWords`, fields have the names that hosts know. */
export function answerIn(request: Asking, sentence: Sentence, inWords = false): Said {
  return sayIn(languageOf(request), sentence, inWords)
}

/** Says a sentence in a language. What has no translation, such as a sentence for operators, stays English. */
export function sayIn(language: Language, sentence: Sentence, inWords = false): Said {
  const translation = translationTo(language)
  const nameField = inWords ? (path: string) => fieldName(path, translation?.find) : undefined
  const isKnown = translation?.find(sentence.pattern) !== undefined
  return { text: say(sentence, translation, nameField), language: isKnown ? language : 'en' }
}

/** Adds to what the answer depends on. */
export function varyBy(reply: FastifyReply, header: string): void {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? header : `${vary}, ${header}`)
}
