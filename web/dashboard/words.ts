import type { Wording } from '../../src/domain/languages.ts'
import { type Tell, type Text, tellIn } from '../../src/domain/tell.ts'
import {
  type MessageWords,
  type MoveInWords,
  type Part,
  type Words,
  withPart,
} from '../../src/texts/catalogue.ts'

export type { Wording }

/**
 * Everything the dashboard says. It is loaded before the first page is shown and never changes until the page is
 * loaded again, so code that runs while the first modules load must not read it.
 */
export let words: Words

/** Says one of the words with its values. */
export let tell: Tell

let choices: Intl.ListFormat

let spoken: Wording = 'en'

/** Loads the words; called once. One file per language; a host loads only theirs. */
export async function loadWords(wording: Wording): Promise<void> {
  spoken = wording
  words = await read(DASHBOARD, wording)
  const tag = wording === 'de-du' ? 'de' : wording
  tell = tellIn(tag)
  choices = new Intl.ListFormat(tag, { type: 'disjunction' })
}

/** What the editors of messages say. They load it themselves: most pages don't need it. */
export let messageWords: MessageWords

export async function loadMessageWords(): Promise<void> {
  messageWords = await readMessageWords(spoken)
}

/** The same in any language: guests read others than their host does. */
export const readMessageWords = (wording: Wording): Promise<MessageWords> => read(MESSAGES, wording)

/** What the pages for moving in say. They load it themselves, too. */
export let moveInWords: MoveInWords

export async function loadMoveInWords(): Promise<void> {
  moveInWords = await read(MOVE_IN, spoken)
}

/** Imports a file of texts; the address must be known when the pages are built. */
type Import = (wording: Wording) => Promise<{ readonly default: object }>

const DASHBOARD: Import = (wording) => import(`../../src/texts/${wording}/dashboard.ts`)
const MESSAGES: Import = (wording) => import(`../../src/texts/${wording}/messages.ts`)
const MOVE_IN: Import = (wording) => import(`../../src/texts/${wording}/move-in.ts`)

async function read<Read extends object>(file: Import, wording: Wording): Promise<Read> {
  if (wording !== 'de-du') return (await file(wording)).default as Read
  const [de, du] = await Promise.all([file('de'), file('de-du')])
  return withPart<Read>(de.default as Read, du.default as Part<Read>)
}

/** All items, one joined to the other by a text; empty if there are none. */
export const joined = (text: Text<'before' | 'after'>, items: readonly string[]): string =>
  items.length === 0 ? '' : items.reduce((before, after) => tell(text, { before, after }))

/** A plain list, without a word before the last item. */
export const list = (items: readonly string[]): string => joined(words.list, items)

/** Any one of these: "1, 2 or 3". */
export const anyOf = (items: readonly string[]): string => choices.format(items)
