import { formatPrices, type PublicPrice } from '../domain/payments/price.ts'
import { writeDuration } from './duration.ts'

/** A length to choose, with its price where lengths have their own. */
export function writeLength(
  { price }: { readonly price: PublicPrice | null },
  minutes: number,
  tag: string,
): string {
  const length = writeDuration(tag, minutes)
  if (price?.byDuration === undefined) return length
  return `${length} · ${formatPrices(price, [minutes], tag)}`
}
