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
import type { Sentence } from '../../domain/sentence.ts'
import {
  type PaymentProvider,
  PaymentRefused,
  type ProviderDispute,
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
  /** Why its disputes were not compared; undefined: they were. */
  readonly withoutDisputes?: Sentence
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
      const found = await compareAccount(context, account, wanted)
      const now = context.now()
      await db.transaction().execute((trx) => replaceDifferences(trx, account.id, found.differences, now))
      compared.push({ account, ...found })
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
): Promise<Pick<ComparedAccount, 'differences' | 'withoutDisputes'>> {
  const { db, payments } = context
  const key = keyOf(context, account)
  const disputes = await readDisputes(payments, key, wanted)
  const asked = { account, key, wanted, disputes }
  const seen = new Set<string>()
  const found: Difference[] = []
  let batch: ProviderSession[] = []
  const compareBatch = async () => {
    found.push(...(await compareSessions(context, asked, batch)))
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
    if (last === undefined || page.length < BATCH) {
      const withoutDisputes = disputes instanceof PaymentRefused ? disputes.sentence : undefined
      return { differences: found, ...(withoutDisputes && { withoutDisputes }) }
    }
    after = { at: last.createdAt, id: last.id }
  }
}

interface Asked {
  readonly account: PaymentAccount
  readonly key: string
  readonly wanted: Comparison
  readonly disputes: Disputes
}

/** What is disputed, by payment; a refusal if the key may not know. */
type Disputes = ReadonlyMap<string, number> | PaymentRefused

/** Keys could be connected without that permission before disputes were compared, and do all else. */
async function readDisputes(
  payments: PaymentProvider,
  key: string,
  { since, settledBefore }: Comparison,
): Promise<Disputes> {
  try {
    return disputedIn(await payments.listDisputes(key, { since }), settledBefore)
  } catch (error) {
    if (error instanceof PaymentRefused && error.because === 'permission') return error
    throw error
  }
}

function disputedIn(
  disputes: readonly ProviderDispute[],
  settledBefore = Number.POSITIVE_INFINITY,
): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { intentId, amount, createdAt } of disputes) {
    if (createdAt < settledBefore) sums.set(intentId, (sums.get(intentId) ?? 0) + amount)
  }
  return sums
}

async function compareSessions(
  { db, payments }: Context,
  { account, key, wanted: { settledBefore = Number.POSITIVE_INFINITY }, disputes }: Asked,
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
      const theirs = moneyIn(session, { refunded: 0 })
      if (theirs.received + theirs.reserved > 0) found.push(unknownHere(theirs))
      continue
    }
    // Of another account here that has the same one at the provider: it is compared there.
    if (checkout.accountId !== account.id && (await findPaymentAccount(db, checkout.accountId))) continue
    if (checkout.status === 'open' && checkout.payBy >= settledBefore) continue
    const refunded = await refundedFor(payments, key, session)
    const theirs = moneyIn(session, { refunded, ...disputedOf(session, disputes) })
    const differences = compareCheckout(checkout, entries ?? [], theirs)
    if (differences.length === 0) continue
    // Money may have moved while the sessions were read: only what still differs is a difference.
    const session2 = await payments.readSession(key, session.id)
    const disputes2 = await disputesAgain(payments, key, session2, { disputes, settledBefore })
    const theirs2 = moneyIn(session2, {
      refunded: await refundedFor(payments, key, session2),
      ...disputedOf(session2, disputes2),
    })
    const { entries: entries2 = [] } = (await findSettled(db, [checkout.id])).get(checkout.id) ?? {}
    if (entries2.some(({ at }) => at >= settledBefore)) continue
    found.push(...compareCheckout(checkout, entries2, theirs2))
  }
  return found
}

const disputedOf = ({ intent }: ProviderSession, disputes: Disputes): Pick<Theirs, 'disputed'> =>
  disputes instanceof PaymentRefused ? {} : { disputed: disputes.get(intent?.id ?? '') ?? 0 }

async function disputesAgain(
  payments: PaymentProvider,
  key: string,
  { intent }: ProviderSession,
  { disputes, settledBefore }: { readonly disputes: Disputes; readonly settledBefore: number },
): Promise<Disputes> {
  if (disputes instanceof PaymentRefused || intent === undefined) return disputes
  return disputedIn(await payments.listDisputes(key, { intentId: intent.id }), settledBefore)
}

function moneyIn(
  { paymentStatus, amount, currency, intent }: ProviderSession,
  given: Pick<Theirs, 'refunded' | 'disputed'>,
): Theirs {
  const paid = paymentStatus === 'paid' ? amount : 0
  const received =
    intent === undefined ? paid : intent.status === 'succeeded' ? (intent.received ?? intent.amount) : 0
  const reserved = intent?.status === 'requires_capture' ? intent.amount : 0
  return { currency, received, reserved, ...given }
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
