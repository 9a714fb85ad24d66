/** Writes texts with a number, for which `#` stands. Languages without plurals have only the first wording. */
export function countIn(language: string) {
  const plurals = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  return (count: number, one: string, other = one): string =>
    (plurals.select(count) === 'one' ? one : other).replace('#', numbers.format(count))
}
