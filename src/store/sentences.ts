import { NOTHING, type Sentence, say, verbatim } from '../domain/sentence.ts'

/**
 * A sentence as it is stored, in two columns: what it says in English, which is all that versions before knew, and its
 * pattern and values, to say it in any language.
 */
export const pairOf = (sentence: Sentence): { readonly text: string; readonly parts: string | null } =>
  sentence.pattern === NOTHING.pattern
    ? { text: '', parts: null }
    : { text: say(sentence), parts: JSON.stringify(sentence) }

/** The sentence of two such columns; a text without parts of its own is said as it is. */
export function sentenceFrom(text: string, parts: string | null): Sentence {
  if (text === '') return NOTHING
  const sentence: Sentence | undefined = parts === null ? undefined : JSON.parse(parts)
  // A version that knows nothing of the parts may have written another text since.
  return sentence !== undefined && say(sentence) === text ? sentence : verbatim(text)
}
