import { invalidField, Problem } from '../problem.ts'
import { sentence } from '../sentence.ts'
import { decimalsOf, inWholeUnits, type Price, WITHOUT_DECIMALS } from './price.ts'

/**
 * What can be asked for. Left out are currencies of which the provider wants amounts in another unit than they have
 * (ISK, UGX), or only some amounts (those with three decimals): there, an amount would be ambiguous.
 */
export const CURRENCIES: readonly string[] = [
  ...'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CNY COP'.split(
    ' ',
  ),
  ...'CRC CVE CZK DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD KES'.split(
    ' ',
  ),
  ...'KGS KHR KYD KZT LAK LBP LKR LRD LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR'.split(
    ' ',
  ),
  ...'NZD PAB PEN PGK PHP PKR PLN QAR RON RSD SAR SBD SCR SEK SGD SHP SLE SOS SRD SZL THB TJS TOP TRY TTD TWD'.split(
    ' ',
  ),
  ...'TZS UAH USD UYU UZS WST XCD YER ZAR ZMW'.split(' '),
  ...WITHOUT_DECIMALS,
].toSorted()

/**
 * Reads an amount as a person types it, in the smallest unit: "49", "49,50", "1,234.50". Undefined if it isn't one.
 *
 * The last point or comma begins the decimals, unless it separates thousands.
 */
export function readAmount(text: string, currency: string): number | undefined {
  const digits = decimalsOf(currency)
  const found = /^(\d[\d.,'’]*?)(?:[.,](\d{1,2}))?$/.exec(text.replaceAll(/[\s\p{Sc}]/gu, ''))
  if (found === null) return undefined
  const [, whole = '', part = ''] = found
  if (part.length > digits) return undefined
  const amount = Number(whole.replaceAll(/\D/g, '')) * 10 ** digits + Number(part.padEnd(digits, '0'))
  return amount >= 1 && amount <= MOST ? amount : undefined
}

/** The same amount for a person to change: "49.00", "49,00". */
export function writeAmount(amount: number, currency: string, tag: string): string {
  const digits = decimalsOf(currency)
  return new Intl.NumberFormat(tag, {
    useGrouping: false,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(inWholeUnits(amount, currency))
}

/** Twelve digits: the most that the provider takes in any currency. */
const MOST = 999_999_999_999

const MOST_MINUTES = 525_600

const isWhole = (value: number, least: number, most: number) =>
  Number.isInteger(value) && value >= least && value <= most

/** Throws `invalid` with the reason if an event type of these lengths can't cost this. */
export function checkPrice(price: Price | null, durations: readonly number[]): void {
  if (price === null) return
  const { amount, currency, refund, byDuration = {} } = price
  if (!CURRENCIES.includes(currency)) {
    const complaint = sentence`{field} must be a currency that guests can pay in, such as EUR, in capital letters.`
    throw invalidField('price.currency', complaint)
  }
  checkAmount(amount, 'price.amount')
  for (const [minutes, each] of Object.entries(byDuration)) {
    const field = `price.byDuration.${minutes}`
    if (!durations.some((offered) => String(offered) === minutes)) {
      const reason = sentence`There is a price for a duration that guests can’t choose: ${minutes} minutes.`
      throw new Problem('invalid', reason, { field })
    }
    checkAmount(each, field)
  }
  if (!isWhole(refund.fullUntilMinutes, 0, MOST_MINUTES)) {
    throw invalidField(
      'price.refund.fullUntilMinutes',
      sentence`{field} must be a whole number of minutes from ${0} to ${MOST_MINUTES}.`,
    )
  }
  if (!isWhole(refund.laterPercent, 0, 100)) {
    throw invalidField(
      'price.refund.laterPercent',
      sentence`{field} must be a whole number from ${0} to ${100}.`,
    )
  }
}

function checkAmount(amount: number, field: string): void {
  if (isWhole(amount, 1, MOST)) return
  throw invalidField(field, sentence`{field} must be a whole number from ${1} to ${MOST}.`)
}
