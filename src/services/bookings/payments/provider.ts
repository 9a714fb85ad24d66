import type { Checkout } from '../../../domain/payments/payment.ts'
import { PaymentRefused } from '../../../outside/payments/provider.ts'
import type { Context } from '../../context.ts'
import { accountOf, keyOf, noteRefused } from '../../payments/accounts.ts'

/**
 * Asks the provider about a checkout with the key of its account; undefined if that account is gone.
 *
 * An account that refuses its key is noted: its owner has to connect it again.
 */
export async function asking<T>(
  context: Context,
  { schedulerId, accountId }: Pick<Checkout, 'schedulerId' | 'accountId'>,
  ask: (key: string) => Promise<T>,
): Promise<{ readonly answer: T } | undefined> {
  const account = await accountOf(context.db, schedulerId)
  if (account?.id !== accountId) return undefined
  try {
    return { answer: await ask(keyOf(context, account)) }
  } catch (error) {
    if (error instanceof PaymentRefused && error.because !== 'request')
      await noteRefused(context, account, error)
    throw error
  }
}
