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
