import { DAY } from '../../../domain/interval.ts'
import { decimalsOf, inWholeUnits } from '../../../domain/payments/price.ts'
import { sentence } from '../../../domain/sentence.ts'
import {
  findDifferencesOf,
  findDisputes,
  findFailedRefunds,
  type MoneyTrouble,
} from '../../../store/payments/differences.ts'
import type { Context } from '../../context.ts'
import { type AttentionItem, type Audience, scopeOf, withReason } from './audience.ts'

/** By then, the bank has decided. */
const DISPUTES_LAST = 60 * DAY

/** Money that is not where it should be. A person has to look at the provider's own pages. */
export async function findMoneyTrouble(context: Context, audience: Audience): Promise<AttentionItem[]> {
  const { db } = context
  const { owners } = audience
  const about = (kind: AttentionItem['kind'], { schedulerId, bookingId, at }: MoneyTrouble) => ({
    kind,
    scope: scopeOf(audience, schedulerId),
    url: bookingId === null ? '/app/insights' : `/app/bookings/${bookingId}`,
    since: at,
  })
  const differences = await findDifferencesOf(db, owners)
  const refunds = await findFailedRefunds(db, owners)
  const disputes = await findDisputes(db, owners, context.now() - DISPUTES_LAST)
  return [
    ...differences.map((one) => ({ ...about('payment-differs', one), sentence: one.reason })),
    ...refunds.map((one) => ({
      ...about('refund-failed', one),
      sentence: withReason(sentence`A refund of ${moneyOf(one)} has failed.`, one.reason),
    })),
    ...disputes.map((one) => ({
      ...about('payment-disputed', one),
      sentence: sentence`A guest’s bank asks for ${moneyOf(one)} back. Answer at the payment provider.`,
    })),
  ]
}

const moneyOf = ({ amount = 0, currency = 'EUR' }: MoneyTrouble) => ({
  money: inWholeUnits(amount, currency),
  currency,
  digits: decimalsOf(currency),
})
