import { type BookableEventType, ofLengthOf, withHostsOf } from '../../../domain/bookings/bookable.ts'
import { seriesZone } from '../../../domain/bookings/decisions/hosts/choose-hosts.ts'
import { planDispute, planRefund } from '../../../domain/bookings/decisions/payments/refunds.ts'
import { isNews, type Money, planSettlement } from '../../../domain/bookings/decisions/payments/settlement.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import type { Checkout } from '../../../domain/payments/payment.ts'
import { Problem, type ProblemCode } from '../../../domain/problem.ts'
import { type Sentence, sentence, verbatim } from '../../../domain/sentence.ts'
import type { ProviderIntent, ProviderRefund, ProviderSession } from '../../../outside/payments/provider.ts'
import { findBooking } from '../../../store/bookings/list.ts'
import type { Db } from '../../../store/engine/database.ts'
import { findCheckout, findCheckoutByIntent } from '../../../store/payments/checkouts.ts'
import { findRefund } from '../../../store/payments/refunds.ts'
import type { Context } from '../../context.ts'
import { isId } from '../../people/access.ts'
import { findAccessOf } from '../access-of-booking.ts'
import { attempt } from '../attempt.ts'
import { noteChange } from '../change-state.ts'

/** Acts on what the provider says of a session. `isEnd`: nobody can pay in it any more, whatever it says. */
export async function settleSession(
  context: Context,
  checkoutId: string,
  session: ProviderSession,
  { isEnd = false }: { readonly isEnd?: boolean } = {},
): Promise<void> {
  const money = moneyIn(session)
  if (money !== undefined) return settle(context, checkoutId, money)
  if (isEnd || session.status === 'expired') return settle(context, checkoutId, { kind: 'closed' })
}

/** Acts on what the provider says of a payment. */
export async function settleIntent(
  context: Context,
  checkoutId: string,
  intent: ProviderIntent,
): Promise<void> {
  const money = moneyOf(intent)
  if (money !== undefined) await settle(context, checkoutId, money)
}

function moneyIn({ id, status, paymentStatus, amount, intent }: ProviderSession): Money | undefined {
  const money = intent && moneyOf(intent)
  if (money !== undefined) return money
  if (status !== 'complete' || paymentStatus === 'unpaid') return undefined
  // With a coupon for all of it there is no payment.
  const due = paymentStatus === 'paid' ? amount : 0
  return { kind: 'paid', reference: intent?.id ?? id, intentId: intent?.id, amount: due }
}

function moneyOf({ id, status, amount, received = amount }: ProviderIntent): Money | undefined {
  // Of what was reserved, a part may have been taken.
  if (status === 'succeeded') return { kind: 'paid', reference: id, intentId: id, amount: received }
  if (status === 'requires_capture') return { kind: 'authorised', intentId: id, amount }
  if (status === 'canceled') return { kind: 'released', intentId: id }
  return undefined
}

/** Refusals that say that a time is not to be had again. */
const GONE: ReadonlySet<ProblemCode> = new Set(['slot_unavailable', 'duplicate_booking', 'not_found'])

/** Brings the bookings of a checkout in line with its money. Safe to repeat, in any order. */
export async function settle(context: Context, checkoutId: string, money: Money): Promise<void> {
  const checkout = await findCheckout(context.db, checkoutId)
  // Most notices say what another has said before.
  if (checkout === undefined || !isNews(checkout, money)) return
  const prepare = async (isOutdated: boolean) => {
    const all = await bookingsOf(context.db, checkout)
    const [expired] = all.filter(({ booking }) => booking.status === 'Expired')
    const again = expired && hasCome(money) && (await bookableAgain(context, expired, isOutdated))
    return planSettlement({ checkoutId, all, money, ...(again && { again }) })
  }
  const settled = attempt(context, prepare).catch(async (error: unknown) => {
    if (!(error instanceof Problem && hasCome(money) && GONE.has(error.code))) throw error
    const all = await bookingsOf(context.db, checkout)
    return attempt(context, () => planSettlement({ checkoutId, all, money, isGone: true }))
  })
  noteChange(context, (await settled).hostIds)
}

const hasCome = ({ kind }: Money) => kind === 'paid' || kind === 'authorised'

/** Where a booking that has expired could be again. */
async function bookableAgain(context: Context, expired: ListedBooking, isOutdated: boolean) {
  const { slots, db } = context
  let known: BookableEventType = await slots.getBookableOf(expired.schedulerId, expired.booking.eventTypeId)
  if (isOutdated || known.revisions.size === 0) known = await slots.reloadBookable(known)
  const bookable = withHostsOf(ofLengthOf(known, expired.booking), await findAccessOf(db, expired))
  return { bookable, zone: seriesZone(bookable, slots.zones) }
}

/** The bookings of a checkout that are still there. */
export async function bookingsOf(
  db: Db,
  checkout: Pick<Checkout, 'bookingIds'> | undefined,
): Promise<ListedBooking[]> {
  const found = await Promise.all((checkout?.bookingIds ?? []).map((id) => findBooking(db, id)))
  return found.filter((one) => one !== undefined)
}

/** Acts on what the provider says of a refund, ours or one that was made there by hand. */
export async function settleRefund(
  context: Context,
  refund: ProviderRefund,
  failure: string | Sentence,
): Promise<void> {
  const { db } = context
  const ours = isId(refund.refundId) ? await findRefund(db, refund.refundId) : undefined
  const checkout =
    ours === undefined
      ? await findCheckoutByIntent(db, refund.intentId)
      : await findCheckout(db, ours.checkoutId)
  if (checkout === undefined) return
  const all = await bookingsOf(db, checkout)
  const status =
    refund.status === 'succeeded'
      ? 'done'
      : refund.status === 'failed' || refund.status === 'canceled'
        ? 'failed'
        : 'asked'
  const news = {
    // What another installation wrote there is not ours to know.
    refundId: ours === undefined ? '' : refund.refundId,
    reference: refund.id,
    amount: refund.amount,
    status,
    failure: typeof failure === 'string' ? saidBy(failure) : failure,
  } as const
  await attempt(context, () => planRefund({ checkoutId: checkout.id, all, news }))
  context.outbox.wake()
}

const saidBy = (reason: string): Sentence =>
  reason === '' ? sentence`The provider could not give the money back.` : verbatim(reason)

/** Enters a dispute about a payment. */
export async function settleDispute(
  context: Context,
  {
    disputeId,
    intentId,
    amount,
  }: { readonly disputeId: string; readonly intentId: string; readonly amount: number },
): Promise<void> {
  const checkout = await findCheckoutByIntent(context.db, intentId)
  if (checkout === undefined) return
  const all = await bookingsOf(context.db, checkout)
  await attempt(context, () => planDispute({ checkoutId: checkout.id, all, disputeId, amount }))
}
