/** A text for people, with a gap such as `{host}` for each value. Only the compiler knows the names of the gaps. */
export type Text<Gap extends string = string> = string & { readonly gaps?: Gap }

/** One wording for each plural that a language has; `{count}` decides between them. */
export type Plural<Gap extends string = string> = Readonly<
  Partial<Record<Intl.LDMLPluralRule, Text<Gap>>>
> & { readonly other: Text<Gap> }

/** The names in braces in a text. */
export type GapsIn<Pattern extends string> = Pattern extends `${string}{${infer Gap}}${infer Rest}`
  ? Gap | GapsIn<Rest>
  : never

type GapsOf<Said> = Said extends string
  ? Said extends { readonly gaps?: infer Gap extends string }
    ? Gap
    : never
  : Said extends { readonly other: infer Other }
    ? GapsOf<Other> | 'count'
    : never

export type Values<Gap extends string = string> = {
  readonly [Name in Gap]: Name extends 'count' ? number : string | number
}

/** What has to be given with a text: a value for each gap. */
export type Given<Said> = [GapsOf<Said>] extends [never]
  ? readonly []
  : readonly [values: Values<GapsOf<Said>>]

/** Says a text with its values. */
export type Tell = <Said extends Text | Plural>(text: Said, ...given: Given<Said>) => string

/** Fills all gaps at once, so that braces in a value are left alone. */
export const fillGaps = (pattern: string, write: (gap: string) => string): string =>
  pattern.replace(/\{(\w+)\}/g, (_, gap: string) => write(gap))

/** How texts are said in a language: by its plurals, and with numbers as it writes them. */
export function tellIn(tag: string): Tell {
  // Most texts count nothing, and these take a while to make.
  let plurals: Intl.PluralRules | undefined
  let numbers: Intl.NumberFormat | undefined

  function wordingFor(plural: Plural, count: unknown): string {
    plurals ??= new Intl.PluralRules(tag)
    return plural[plurals.select(Number(count))] ?? plural.other
  }

  function tell<Said extends Text | Plural>(text: Said, ...given: Given<Said>): string
  function tell(text: Text | Plural, values: Readonly<Record<string, string | number>> = {}): string {
    const pattern = typeof text === 'string' ? text : wordingFor(text, values.count)
    return fillGaps(pattern, (gap) => {
      const value = values[gap]
      if (value === undefined) throw new Error(`Nothing to fill {${gap}} with.`)
      if (typeof value === 'string') return value
      numbers ??= new Intl.NumberFormat(tag)
      return numbers.format(value)
    })
  }
  return tell
}
