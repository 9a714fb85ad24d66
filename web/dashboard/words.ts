import type { Wording } from '../../src/domain/languages.ts'
import { type Tell, type Text, tellIn } from '../../src/domain/tell.ts'
import { type Part, type Words, withPart } from '../../src/texts/catalogue.ts'

export type { Wording }

/**
 * Everything the dashboard says. It is loaded before the first page is shown and never changes until the page is
 * loaded again, so code that runs while the first modules load must not read it.
 */
export let words: Words

/** Says one of the words with its values. */
export let tell: Tell

let choices: Intl.ListFormat

/** Loads the words; called once. One file per language; a host loads only theirs. */
export async function loadWords(wording: Wording): Promise<void> {
  if (wording === 'de-du') {
    const [de, du] = await Promise.all([read('de'), read<Part<Words>>('de-du')])
    words = withPart<Words>(de, du)
  } else {
    words = await read(wording)
  }
  const tag = wording === 'de-du' ? 'de' : wording
  tell = tellIn(tag)
  choices = new Intl.ListFormat(tag, { type: 'disjunction' })
}

async function read<Read = Words>(wording: Wording): Promise<Read> {
  return (await import(`../../src/texts/${wording}/dashboard.ts`)).default
}

/** All items, one joined to the other by a text; empty if there are none. */
export const joined = (text: Text<'before' | 'after'>, items: readonly string[]): string =>
  items.length === 0 ? '' : items.reduce((before, after) => tell(text, { before, after }))

/** A plain list, without a word before the last item. */
export const list = (items: readonly string[]): string => joined(words.list, items)

/** Any one of these: "1, 2 or 3". */
export const anyOf = (items: readonly string[]): string => choices.format(items)
