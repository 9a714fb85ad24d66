import { english } from '../../domain/sentence.ts'
import { PaymentRefused } from '../../outside/payments/provider.ts'
import type { Db } from '../../store/engine/database.ts'
import { findPaymentAccountOf, type PaymentAccount } from '../../store/payments/accounts.ts'
import type { Context } from '../context.ts'
import { unseal } from '../seal.ts'

/** The account of a user or team; undefined if they have none. */
export const accountOf = (db: Db, schedulerId: string): Promise<PaymentAccount | undefined> =>
  findPaymentAccountOf(db, schedulerId)

/** The key with which the provider is asked. */
export function keyOf(context: Context, { id, sealed_key }: PaymentAccount): string {
  const key = unseal(context, `payment-account:${id}`, sealed_key)
  if (key === undefined) throw new PaymentRefused('key', english`The key of this account can’t be read.`)
  return key
}

/** Notes that the provider no longer takes the key of an account. */
export async function noteRefused(
  { db }: Context,
  { id }: PaymentAccount,
  { message }: PaymentRefused,
): Promise<void> {
  await db
    .updateTable('payment_accounts')
    .set({ status: 'reconnect', last_error: message, last_error_parts: null })
    .where('id', '=', id)
    .execute()
}
