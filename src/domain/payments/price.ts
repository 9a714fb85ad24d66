/** What guests get back when they cancel. Hosts and the service give everything back. */
export interface RefundRule {
  /** Everything until this many minutes before the start. */
  readonly fullUntilMinutes: number
  /** This share from then on. */
  readonly laterPercent: number
}

/** What guests see of a price before they book. */
export interface PublicPrice {
  /** In the smallest unit of its currency, for each seat. */
  readonly amount: number
  /** As ISO 4217 writes it: `EUR`. */
  readonly currency: string
  /** By the length in minutes, where lengths differ; `amount` for all others. */
  readonly byDuration?: Readonly<Record<string, number>>
}

/** What a meeting costs, for each seat. */
export interface Price extends PublicPrice {
  readonly refund: RefundRule
}

/** What one seat of a meeting of this length costs. */
export const priceOf = ({ amount, byDuration = {} }: PublicPrice, durationMinutes: number): number =>
  byDuration[durationMinutes] ?? amount

export const publicPrice = ({ amount, currency, byDuration }: Price): PublicPrice => ({
  amount,
  currency,
  ...(byDuration && { byDuration }),
})

/** Without a smaller unit, as the provider counts. Intl rounds others, too, such as RSD. */
export const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
)

/** How many digits of an amount stand behind the point. */
export const decimalsOf = (currency: string): number => (WITHOUT_DECIMALS.has(currency) ? 0 : 2)

const writer = (tag: string, currency: string) => {
  const digits = decimalsOf(currency)
  return new Intl.NumberFormat(tag, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

export const inWholeUnits = (amount: number, currency: string) => amount / 10 ** decimalsOf(currency)

/** An amount as people write it: "€49.00". */
export function formatPrice(
  { amount, currency }: Pick<PublicPrice, 'amount' | 'currency'>,
  tag: string,
): string {
  return writer(tag, currency).format(inWholeUnits(amount, currency))
}

/** What meetings of these lengths cost: "€49.00", or "€49.00 – €89.00". */
export function formatPrices(price: PublicPrice, durations: readonly number[], tag: string): string {
  const { currency } = price
  const amounts = durations.map((minutes) => priceOf(price, minutes))
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)]
  if (least === most) return formatPrice({ amount: least, currency }, tag)
  return writer(tag, currency).formatRange(inWholeUnits(least, currency), inWholeUnits(most, currency))
}
