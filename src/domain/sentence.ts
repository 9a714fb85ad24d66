import { writeSize } from './size.ts'
import { fillGaps } from './tell.ts'
import { cityOf } from './zone-names.ts'

/** A value in a sentence. A list is written with commas, and a sentence in a sentence is translated like any other. */
export type Value = string | number | Sentence | Day | Time | Size | Zone | Money | readonly Value[]

/** A date such as 2030-01-31, which English refusals write as it is. */
interface Day {
  readonly date: string
}

/** An instant on the clocks of a zone. */
interface Time {
  readonly instant: number
  readonly timeZone: string
}

/** An amount of data. */
interface Size {
  readonly bytes: number
}

/** A time zone, which is named by its city. */
interface Zone {
  readonly zone: string
}

/** An amount of money in a currency, with so many digits behind the point. */
interface Money {
  readonly money: number
  readonly currency: string
  readonly digits: number
}

/** A sentence that can be said in any of our languages. */
export interface Sentence {
  /** The English text, with `{0}`, `{1}` … for the values and `{field}` for the field; catalogues are keyed by it. */
  readonly pattern: string
  readonly values: readonly Value[]
  /** What `{field}` stands for: a path on the wire, or words. */
  readonly field?: string | Sentence
}

/**
 * Writes a sentence for people who use the service: sentence`This schedule is used by: ${names}.`
 *
 * A test reads these templates from the source and compares them with the catalogues in `src/texts/`.
 */
export function sentence(texts: TemplateStringsArray, ...values: Value[]): Sentence {
  return { pattern: texts.reduce((before, after, index) => `${before}{${index - 1}}${after}`), values }
}

/** The same for operators, on the command line and in logs: it stays English. */
export const english = sentence

/** Text that is not ours to translate, such as what another server said. */
export const verbatim = (text: string): Sentence => ({ pattern: '{0}', values: [text] })

/** Only values, with commas. */
export const listOf = (values: readonly Value[]): Sentence => ({ pattern: '{0}', values: [values] })

/** No sentence at all, where there may be one. */
export const NOTHING: Sentence = { pattern: '', values: [] }

/** The same sentence with every text in it changed, and nothing of our own wording. */
export function changeTexts(given: Sentence, change: (text: string) => string): Sentence {
  const changed = (value: Value): Value => {
    if (typeof value === 'string') return change(value)
    if (typeof value !== 'object') return value
    if (isList(value)) return value.map(changed)
    return 'pattern' in value ? changeTexts(value, change) : value
  }
  const { field } = given
  return {
    ...given,
    values: given.values.map(changed),
    ...(typeof field === 'object' && { field: changeTexts(field, change) }),
  }
}

const isList = (value: Value): value is readonly Value[] => Array.isArray(value)

/** One sentence after the other. */
export const inTurn = (sentences: readonly Sentence[]): Sentence =>
  sentences.reduce((before, after) => sentence`${before} ${after}`)

/** Any one of these values. */
export const anyOf = (values: readonly Value[]): Value =>
  values.reduce((before, after) => sentence`${before} or ${after}`)

/** What an error says: its sentence, or else its message as it is. */
export const sentenceOf = (error: unknown): Sentence =>
  (error as { readonly sentence?: Sentence }).sentence ?? verbatim((error as Error).message)

/** How sentences are said in another language than English. */
export interface Translation {
  /** For dates. */
  readonly tag: string
  /** The pattern in this language. Without one, it stays English. */
  readonly find: (pattern: string) => string | undefined
  /** Cities of time zones that are not called as in English. */
  readonly cities?: Readonly<Record<string, string>>
}

/** How the items of a list are joined. */
const LIST = sentence`${''}, ${''}`

/** Says a sentence: in English, and naming the field as on the wire, unless told otherwise. */
export function say(
  { pattern, values, field = '' }: Sentence,
  translation?: Translation,
  nameField: (path: string) => string = (path) => path,
): string {
  const join = (before: string, after: string) => say({ ...LIST, values: [before, after] }, translation)
  const write = (value: Value | undefined): string => {
    if (typeof value !== 'object') return String(value)
    if ('pattern' in value) return say(value, translation, nameField)
    if ('date' in value) return writeDay(value, translation)
    if ('instant' in value) return writeTime(value, translation)
    if ('bytes' in value) return writeSize(translation?.tag ?? 'en', value.bytes)
    if ('money' in value) return writeMoney(value, translation)
    if ('zone' in value) return cityOf(value.zone, translation?.cities)
    return value.length === 0 ? '' : value.map(write).reduce(join)
  }
  return fillGaps(translation?.find(pattern) ?? pattern, (gap) => {
    if (gap !== 'field') return write(values[Number(gap)])
    return typeof field === 'string' ? nameField(field) : write(field)
  })
}

function writeDay({ date }: Day, translation: Translation | undefined): string {
  if (translation === undefined) return date
  const format = new Intl.DateTimeFormat(translation.tag, { dateStyle: 'medium', timeZone: 'UTC' })
  return format.format(Date.parse(date))
}

function writeTime({ instant, timeZone }: Time, translation: Translation | undefined): string {
  const tag = translation?.tag ?? 'en'
  return new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(instant)
}

function writeMoney({ money, currency, digits }: Money, translation: Translation | undefined): string {
  const tag = translation?.tag ?? 'en'
  const shown = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return new Intl.NumberFormat(tag, { style: 'currency', currency, ...shown }).format(money)
}
