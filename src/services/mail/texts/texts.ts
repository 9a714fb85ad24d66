import type { en } from './en.ts'

/** The shape of the English texts, with other words. */
export type MailTexts = Translated<typeof en>

type Translated<T> = T extends string ? string : { readonly [Key in keyof T]: Translated<T[Key]> }

/** What a mail is about; a change has one kind, whoever is told. */
export type MailKind = keyof typeof en.guest

/** Fills the gaps in one go, so that braces within a name stay what they are. */
export function fill(text: string, gaps: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (gap, name: string) => {
    const filling = gaps[name]
    if (filling === undefined) throw new Error(`Nothing to fill ${gap} with.`)
    return filling
  })
}
