import type en from './en.ts'

/** A catalogue has the keys of the English one; a text that depends on something is a function of it. */
type Translated<English> = English extends string
  ? string
  : English extends (...given: infer Given) => string
    ? (...given: Given) => string
    : English extends readonly string[]
      ? readonly string[]
      : { readonly [Key in keyof English]: Translated<English[Key]> }

export type Words = Translated<typeof en>

type Part<Whole> = Whole extends string | readonly string[] | ((...given: never) => string)
  ? Whole
  : { readonly [Key in keyof Whole]?: Part<Whole[Key]> }

/** What differs from another catalogue. */
export type PartOfWords = Part<Words>

/** A catalogue with some of its words replaced. */
export const withPart = (words: Words, part: PartOfWords): Words => merge(words, part) as Words

function merge(whole: object, part: object): object {
  const replaced = Object.entries(part).map(([key, value]) => {
    const before = (whole as Readonly<Record<string, unknown>>)[key]
    const nested = typeof value === 'object' && !Array.isArray(value) && typeof before === 'object'
    return [key, nested && before !== null ? merge(before, value) : value]
  })
  return { ...whole, ...Object.fromEntries(replaced) }
}
