import type { Scheduler } from '../src/domain/people/scheduler.ts'
import { NOTHING } from '../src/domain/sentence.ts'
import { stripeProvider } from '../src/outside/payments/stripe/stripe.ts'
import type { Context } from '../src/services/context.ts'
import { hookSecretOf, sealSecrets } from '../src/services/payments/accounts.ts'
import type { Db } from '../src/store/engine/database.ts'
import { newId } from '../src/store/new-id.ts'
import { insertJobs } from '../src/store/outbox.ts'
import { findPaymentAccount, insertPaymentAccount } from '../src/store/payments/accounts.ts'
import { type StripeStandIn, startStripe } from './outside/stripe.ts'
import type { Deliver } from './outside/stripe-notices.ts'

/** What a test's event types cost: 49 euros, half of which come back within a day of the start. */
export const PRICE = {
  amount: 4900,
  currency: 'EUR',
  refund: { fullUntilMinutes: 1440, laterPercent: 50 },
}

/**
 * Stripe's stand-in. Its notices become jobs of the context that `hear` is given, as the route makes them, unless they
 * are delivered otherwise.
 */
export async function startPayments(now: () => number, deliver?: Deliver) {
  let context: Context | undefined
  const stripe = await startStripe({
    now,
    deliver:
      deliver ??
      (async (url, body, headers) => {
        if (context === undefined) return { status: 503 }
        const accountId = url.split('/').at(-1) ?? ''
        const account = await findPaymentAccount(context.db, accountId)
        const secret = account === undefined ? '' : hookSecretOf(context, account)
        const signature = headers['stripe-signature'] ?? ''
        const notice = context.payments.readNotice(Buffer.from(body), signature, { secret, now: now() })
        if (notice === undefined) return { status: 400 }
        const job = { kind: 'payment-notice', lane: null, data: { accountId, notice }, dueAt: now() } as const
        await context.db.transaction().execute((trx) => insertJobs(trx, [job], now()))
        return { status: 200 }
      }),
  })
  return {
    stripe,
    payments: stripeProvider({ apiUrl: stripe.url }),
    hear: (by: Context) => {
      context = by
    },
  }
}

/** An account of this user or team at the stand-in, with an address for notices. */
export async function addPaymentAccount(
  context: Context,
  { id: schedulerId }: Pick<Scheduler, 'id'>,
  { key, account }: Pick<StripeStandIn, 'key' | 'account'>,
  hookAt = 'https://book.example.com/api/hooks/stripe/',
): Promise<string> {
  const id = newId()
  const hook = await context.payments.makeHook(key, `${hookAt}${id}`)
  await insertPaymentAccount(context.db as never, {
    id,
    schedulerId,
    provider: 'stripe',
    account: account.id,
    name: account.name,
    ...sealSecrets(context, id, { key, hookSecret: hook.secret }),
    hookId: hook.id,
    status: 'ok',
    lastError: NOTHING,
    createdAt: context.now(),
  })
  return id
}

/** The ledger of payments of a booking, oldest first: `paid 4900`. */
export async function ledgerLines(db: Db, bookingId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('payments')
    .select(['kind', 'amount'])
    .where('booking_id', '=', bookingId)
    .orderBy('id')
    .execute()
  return rows.map(({ kind, amount }) => `${kind} ${amount}`)
}
