import type en from './en.ts'

/** A text with a count in it: one wording for each plural that the language has. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

export type TextKey = keyof typeof en

/** A catalogue: everything that the pages say, in one language. */
export type Texts = Readonly<{ [Key in TextKey]: (typeof en)[Key] extends string ? string : Plural }>
