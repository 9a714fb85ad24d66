import type { BookingStatus } from '../../../domain/bookings/booking.ts'
import { HOUR } from '../../../domain/interval.ts'
import { GiveUp, TryAgainAt } from '../../../domain/job.ts'
import type { Checkout } from '../../../domain/payments/payment.ts'
import { english, sentence } from '../../../domain/sentence.ts'
import { type Notice, PaymentRefused, type ProviderRefund } from '../../../outside/payments/provider.ts'
import {
  findCheckout,
  findCheckoutByIntent,
  findCheckoutBySession,
} from '../../../store/payments/checkouts.ts'
import { findRefund } from '../../../store/payments/refunds.ts'
import type { Context } from '../../context.ts'
import type { NoticeJobData } from '../../payments/notice-job.ts'
import { isId } from '../../people/access.ts'
import { asking } from './provider.ts'
import { bookingsOf, settle, settleDispute, settleIntent, settleRefund, settleSession } from './settle.ts'

/** Ends a checkout whose time is over, or that nobody waits for any more: at the provider first. It may have been paid. */
export async function expireCheckout(context: Context, checkoutId: string): Promise<void> {
  const checkout = await findCheckout(context.db, checkoutId)
  if (checkout?.status !== 'open') return
  const waits = (await bookingsOf(context.db, checkout)).some(
    ({ booking }) => booking.status === 'PendingPayment',
  )
  // Others of its series wait, or the clock was set back.
  if (waits && context.now() < checkout.payBy) {
    throw new TryAgainAt(checkout.payBy, english`The guest still has time to pay.`)
  }
  const { sessionId } = checkout
  const closed =
    sessionId === undefined
      ? undefined
      : await asking(context, checkout, (key) => context.payments.closeSession(key, sessionId))
  // Without a session nobody had an address to pay at; without an account nobody can be asked any more.
  if (closed === undefined) return settle(context, checkoutId, { kind: 'closed' })
  await settleSession(context, checkoutId, closed.answer, { isEnd: true })
}

const STANDING: ReadonlySet<BookingStatus> = new Set(['PendingApproval', 'Confirmed', 'Completed', 'NoShow'])

/** Takes what was reserved, for those bookings that stand. */
export async function captureCheckout(context: Context, checkoutId: string): Promise<void> {
  const checkout = await findCheckout(context.db, checkoutId)
  if (checkout?.status !== 'authorised' || checkout.intentId === undefined) return
  const { intentId, currency } = checkout
  const standing = (await bookingsOf(context.db, checkout)).filter(({ booking }) =>
    STANDING.has(booking.status),
  )
  if (!standing.some(({ booking }) => booking.status !== 'PendingApproval')) {
    // It was approved, and is cancelled by now. An attempt before may have taken the money without living to note it.
    return settleAsRead(context, checkout)
  }
  const amount = standing.reduce((sum, { booking }) => sum + (booking.payment?.amount ?? 0), 0)
  await changingIntent(context, checkout, (key) =>
    context.payments.capture(key, intentId, {
      amount,
      currency,
      idempotencyKey: `${checkoutId}-capture-${amount}`,
    }),
  )
}

/** Gives back what was reserved, unless a booking needs it. */
export async function releaseCheckout(context: Context, checkoutId: string): Promise<void> {
  const checkout = await findCheckout(context.db, checkoutId)
  if (checkout?.status !== 'authorised' || checkout.intentId === undefined) return
  const { intentId } = checkout
  if ((await bookingsOf(context.db, checkout)).some(({ booking }) => STANDING.has(booking.status))) return
  await changingIntent(context, checkout, (key) =>
    context.payments.release(key, intentId, `${checkoutId}-release`),
  )
}

type Change = (key: string) => ReturnType<Context['payments']['capture']>

async function changingIntent(context: Context, checkout: Checkout, change: Change): Promise<void> {
  try {
    const changed = await asking(context, checkout, change)
    if (changed === undefined) throw accountGone()
    await settleIntent(context, checkout.id, changed.answer)
  } catch (error) {
    if (!(error instanceof PaymentRefused) || error.because !== 'request') throw error
    // It is not as we think: it has lapsed, or someone has changed it at the provider.
    await settleAsRead(context, checkout, error)
  }
}

/** Acts on what the provider says now. Throws `unlessChanged`, if given, where the money is still reserved. */
async function settleAsRead(context: Context, checkout: Checkout, unlessChanged?: Error): Promise<void> {
  const { id, sessionId } = checkout
  const read =
    sessionId === undefined
      ? undefined
      : await asking(context, checkout, (key) => context.payments.readSession(key, sessionId))
  const isSame = sessionId === undefined || read?.answer.intent?.status === 'requires_capture'
  if (isSame && unlessChanged !== undefined) throw unlessChanged
  if (read !== undefined) await settleSession(context, id, read.answer)
}

const accountGone = () => new GiveUp(english`The account that was paid is no longer connected.`)

/** Gives money back, and looks until the provider says that this is done. */
export async function makeRefund(context: Context, refundId: string): Promise<void> {
  const refund = await findRefund(context.db, refundId)
  if (refund?.status !== 'asked') return
  const checkout = await findCheckout(context.db, refund.checkoutId)
  if (checkout?.intentId === undefined) return
  const { intentId, currency } = checkout
  const { amount, reference } = refund
  const failed = (sentenceOf: PaymentRefused['sentence']) =>
    settleRefund(context, { id: reference ?? '', status: 'failed', amount, refundId, intentId }, sentenceOf)
  let told: ProviderRefund | undefined
  try {
    const answered = await asking(context, checkout, async (key) => {
      if (reference === undefined)
        return context.payments.refund(key, { id: refundId, intentId, amount, currency })
      const all = await context.payments.listRefunds(key, intentId)
      return all.find(({ id }) => id === reference)
    })
    if (answered === undefined) {
      return failed(sentence`The account that was paid is no longer connected.`)
    }
    told = answered.answer
  } catch (error) {
    if (!(error instanceof PaymentRefused) || error.because !== 'request') throw error
    return failed(error.sentence)
  }
  if (told !== undefined) await settleRefund(context, { ...told, refundId }, '')
  const isOpen = told === undefined || told.status === 'pending' || told.status === 'requires_action'
  // A notice tells sooner, unless it is lost.
  if (isOpen)
    throw new TryAgainAt(context.now() + HOUR, english`The provider is still giving the money back.`)
}

/** Acts on a notice. It says nothing about purchases of other accounts. */
export async function settleNotice(context: Context, { accountId, notice }: NoticeJobData): Promise<void> {
  const checkout = await checkoutOf(context, notice)
  if (checkout?.accountId !== accountId) return
  switch (notice.about) {
    case 'session': {
      // Whether it is reserved, only the payment knows, which is not in the notice.
      const { session } = notice
      const isKnown =
        !checkout.isManual || session.status !== 'complete' || session.paymentStatus !== 'unpaid'
      if (isKnown) return settleSession(context, checkout.id, session)
      const read = await asking(context, checkout, (key) => context.payments.readSession(key, session.id))
      return read && settleSession(context, checkout.id, read.answer)
    }
    case 'intent':
      return settleIntent(context, checkout.id, notice.intent)
    case 'refund':
      return settleRefund(context, notice.refund, notice.failure)
    case 'dispute':
      return settleDispute(context, notice)
  }
}

async function checkoutOf({ db }: Context, notice: Notice): Promise<Checkout | undefined> {
  switch (notice.about) {
    case 'session':
      return (await findCheckoutBySession(db, notice.session.id)) ?? byId(db, notice.session.checkoutId)
    case 'intent':
      return (await findCheckoutByIntent(db, notice.intent.id)) ?? byId(db, notice.checkoutId)
    case 'refund': {
      const ours = isId(notice.refund.refundId) ? await findRefund(db, notice.refund.refundId) : undefined
      return ours ? findCheckout(db, ours.checkoutId) : findCheckoutByIntent(db, notice.refund.intentId)
    }
    case 'dispute':
      return findCheckoutByIntent(db, notice.intentId)
    case 'nothing':
      return undefined
  }
}

/** Hosts sell other things at the provider, too, with any names they like. */
const byId = (db: Context['db'], id: string) => (isId(id) ? findCheckout(db, id) : undefined)
