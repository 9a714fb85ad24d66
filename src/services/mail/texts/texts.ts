import type { en } from './en.ts'

/** The keys of the English texts, with any words. */
export type MailTexts = Translated<typeof en>

type Translated<T> = T extends string ? string : { readonly [Key in keyof T]: Translated<T[Key]> }

type Part<Whole> = Whole extends string ? string : { readonly [Key in keyof Whole]?: Part<Whole[Key]> }

/** What differs from another language's texts. */
export type PartOfMailTexts = Part<MailTexts>

/** Texts of which some are replaced. */
export const withPart = (texts: MailTexts, part: PartOfMailTexts): MailTexts =>
  replace(texts, part) as MailTexts

function replace(whole: object, part: object): object {
  const replaced = Object.entries(part).map(([key, value]) => {
    const before = (whole as Readonly<Record<string, object>>)[key] ?? {}
    return [key, typeof value === 'string' ? value : replace(before, value)]
  })
  return { ...whole, ...Object.fromEntries(replaced) }
}

/** What a mail is about. A change has one kind for all its readers. */
export type MailKind = keyof typeof en.guest

/** Fills all placeholders at once, so that braces in a name are left alone. */
export function fill(text: string, gaps: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (gap, name: string) => {
    const filling = gaps[name]
    if (filling === undefined) throw new Error(`Nothing to fill ${gap} with.`)
    return filling
  })
}
