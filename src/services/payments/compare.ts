import type { Cursor } from '../../domain/cursor.ts'
import { DAY, HOUR, MINUTE } from '../../domain/interval.ts'
import type { PaymentAccount } from '../../domain/payments/account.ts'
import {
  compareCheckout,
  type Difference,
  type Theirs,
  unknownHere,
  unknownThere,
} from '../../domain/payments/compare.ts'
import {
  type PaymentProvider,
  PaymentRefused,
  type ProviderSession,
} from '../../outside/payments/provider.ts'
import { abandonLease, finishLease, renewLease, takeLease } from '../../store/leases.ts'
import { findPaymentAccount, findSomePaymentAccounts } from '../../store/payments/accounts.ts'
import { findPaidCheckouts, findSettled, replaceDifferences } from '../../store/payments/differences.ts'
import type { Context } from '../context.ts'
import { keyOf, noteRefused } from './accounts.ts'

/** How far back a comparison looks, in days, unless told otherwise. */
export const COMPARED_DAYS = 30

/** Sessions that are compared with one statement. */
const BATCH = 100

interface Comparison {
  /** Sessions and checkouts that were made since then. */
  readonly since: number
  /** Leaves out what may still be on its way: notices come late, and jobs are tried again. */
  readonly settledBefore?: number
}

/** What the ledger and the provider of one account say differently. */
export interface ComparedAccount {
  readonly account: PaymentAccount
  readonly differences: readonly Difference[]
  /** Why it could not be compared; undefined: it was. */
  readonly error?: Error
}

/** Compares the ledger with all accounts, and keeps what was found for those who can look into it. */
export async function comparePayments(
  context: Context,
  wanted: Comparison,
): Promise<readonly ComparedAccount[]> {
  const { db } = context
  const compared: ComparedAccount[] = []
  for await (const account of allAccounts(context)) {
    try {
      const differences = await compareAccount(context, account, wanted)
      const now = context.now()
      await db.transaction().execute((trx) => replaceDifferences(trx, account.id, differences, now))
      compared.push({ account, differences })
    } catch (error) {
      if (error instanceof PaymentRefused) await noteRefused(context, account, error)
      compared.push({ account, differences: [], error: error as Error })
    }
  }
  return compared
}

async function* allAccounts({ db }: Context): AsyncGenerator<PaymentAccount> {
  for (let after: string | undefined; ; ) {
    const page = await findSomePaymentAccounts(db, { after, limit: BATCH })
    yield* page
    if (page.length < BATCH) return
    after = page.at(-1)?.id
  }
}

async function compareAccount(
  context: Context,
  account: PaymentAccount,
  wanted: Comparison,
): Promise<Difference[]> {
  const { db, payments } = context
  const key = keyOf(context, account)
  const seen = new Set<string>()
  const found: Difference[] = []
  let batch: ProviderSession[] = []
  const compareBatch = async () => {
    found.push(...(await compareSessions(context, { account, key, wanted }, batch)))
    batch = []
  }
  for await (const session of payments.listSessions(key, wanted.since)) {
    // Others use the same account for other things.
    if (session.checkoutId === '') continue
    seen.add(session.checkoutId)
    batch.push(session)
    if (batch.length === BATCH) await compareBatch()
  }
  await compareBatch()
  for (let after: Cursor | undefined; ; ) {
    const page = await findPaidCheckouts(db, account.id, { since: wanted.since, limit: BATCH, after })
    found.push(...page.filter(({ id }) => !seen.has(id)).map(unknownThere))
    const last = page.at(-1)
    if (last === undefined || page.length < BATCH) return found
    after = { at: last.createdAt, id: last.id }
  }
}

interface Asked {
  readonly account: PaymentAccount
  readonly key: string
  readonly wanted: Comparison
}

async function compareSessions(
  { db, payments }: Context,
  { account, key, wanted: { settledBefore = Number.POSITIVE_INFINITY } }: Asked,
  sessions: readonly ProviderSession[],
): Promise<Difference[]> {
  const found: Difference[] = []
  const settled = await findSettled(
    db,
    sessions.map(({ checkoutId }) => checkoutId),
  )
  for (const session of sessions) {
    const { checkout, entries } = settled.get(session.checkoutId) ?? {}
    if (checkout === undefined) {
      const theirs = moneyIn(session, 0)
      if (theirs.received + theirs.reserved > 0) found.push(unknownHere(theirs))
      continue
    }
    // Of another account here that has the same one at the provider: it is compared there.
    if (checkout.accountId !== account.id && (await findPaymentAccount(db, checkout.accountId))) continue
    if (checkout.status === 'open' && checkout.payBy >= settledBefore) continue
    const theirs = moneyIn(session, await refundedFor(payments, key, session))
    const differences = compareCheckout(checkout, entries ?? [], theirs)
    if (differences.length === 0) continue
    // Money may have moved while the sessions were read: only what still differs is a difference.
    const session2 = await payments.readSession(key, session.id)
    const theirs2 = moneyIn(session2, await refundedFor(payments, key, session2))
    const { entries: entries2 = [] } = (await findSettled(db, [checkout.id])).get(checkout.id) ?? {}
    if (entries2.some(({ at }) => at >= settledBefore)) continue
    found.push(...compareCheckout(checkout, entries2, theirs2))
  }
  return found
}

function moneyIn({ paymentStatus, amount, currency, intent }: ProviderSession, refunded: number): Theirs {
  const paid = paymentStatus === 'paid' ? amount : 0
  const received =
    intent === undefined ? paid : intent.status === 'succeeded' ? (intent.received ?? intent.amount) : 0
  const reserved = intent?.status === 'requires_capture' ? intent.amount : 0
  return { currency, received, reserved, refunded }
}

/** What has gone back of it. What is still on its way has not. */
async function refundedFor(
  payments: PaymentProvider,
  key: string,
  { intent }: ProviderSession,
): Promise<number> {
  if (intent?.status !== 'succeeded') return 0
  const refunds = await payments.listRefunds(key, intent.id)
  return refunds
    .filter(({ status }) => status === 'succeeded')
    .reduce((total, { amount }) => total + amount, 0)
}

const LEASE = 10 * MINUTE

/** Compares once a day, on one instance. */
export async function comparePaymentsDaily(context: Context): Promise<void> {
  const { db } = context
  // Most instances have none: they need no lease for that.
  if ((await findSomePaymentAccounts(db, { limit: 1 })).length === 0) return
  if (!(await takeLease(db, 'payments', DAY, LEASE))) return
  const renewal = setInterval(() => renewLease(db, 'payments', LEASE).catch(() => {}), LEASE / 4)
  try {
    const now = context.now()
    const compared = await comparePayments(context, {
      since: now - COMPARED_DAYS * DAY,
      settledBefore: now - HOUR,
    })
    const failed = compared.find(({ error }) => error !== undefined && !(error instanceof PaymentRefused))
    if (failed?.error !== undefined) throw failed.error
    await finishLease(db, 'payments')
  } catch (error) {
    await abandonLease(db, 'payments', HOUR)
    throw error
  } finally {
    clearInterval(renewal)
  }
}
