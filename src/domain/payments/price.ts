/** What guests get back when they cancel. Hosts and the service give everything back. */
export interface RefundRule {
  /** Everything until this many minutes before the start. */
  readonly fullUntilMinutes: number
  /** This share from then on. */
  readonly laterPercent: number
}

/** What a meeting costs, for each seat. */
export interface Price {
  /** In the smallest unit of its currency. */
  readonly amount: number
  /** As ISO 4217 writes it: `EUR`. */
  readonly currency: string
  readonly refund: RefundRule
  /** By the length in minutes, where lengths differ; `amount` for all others. */
  readonly byDuration?: Readonly<Record<string, number>>
}

/** What one seat of a meeting of this length costs. */
export const priceOf = ({ amount, byDuration = {} }: Price, durationMinutes: number): number =>
  byDuration[durationMinutes] ?? amount

/** How many digits of an amount stand behind the point. */
export const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
