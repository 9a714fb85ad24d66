import type { Booked } from '../../../domain/bookings/decisions/decide-booking.ts'
import type { Checkout } from '../../../domain/payments/payment.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { findCheckout, saveSession } from '../../../store/payments/checkouts.ts'
import type { Context } from '../../context.ts'
import { accountOf } from '../../payments/accounts.ts'
import { manageUrl } from '../guest/manage-link.ts'
import { asking } from './provider.ts'
import { bookingsOf, settle } from './settle.ts'

/** A new booking, and where its guest pays until when, if it costs something. */
export type BookedToPay = Omit<Booked, 'checkout'> & {
  readonly paymentUrl?: string
  readonly payBy?: number
}

/** The account that is paid for an event type's meetings; throws `unavailable` if there is none any more. */
export async function payeeOf(
  { db }: Context,
  { price, schedulerId }: { readonly price: object | null; readonly schedulerId: string },
): Promise<string | undefined> {
  if (price === null) return undefined
  const account = await accountOf(db, schedulerId)
  if (account === undefined) throw cannotPay()
  return account.id
}

/**
 * Opens the page on which a new booking is paid; the same one if it is open already.
 *
 * Throws `unavailable` if that can't be: then the time is free again, and nothing was booked.
 */
export async function openPayment(
  context: Context,
  { checkout: made, ...booked }: Booked,
): Promise<BookedToPay> {
  if (booked.payment === undefined) return booked
  const checkout = made ?? (await findCheckout(context.db, booked.payment.checkoutId))
  if (checkout === undefined) return booked
  const { payBy } = checkout
  if (checkout.status !== 'open') return asItIs(context, booked, checkout)
  if (checkout.url !== undefined) return { ...booked, paymentUrl: checkout.url, payBy }
  try {
    return { ...booked, paymentUrl: await openSession(context, checkout), payBy }
  } catch (error) {
    // Only by whoever has made it: a repeat may just have come too soon.
    if (made !== undefined) await giveUp(context, checkout.id)
    throw cannotPay({ cause: error })
  }
}

/** A repeated request is about a booking that has gone on meanwhile. */
async function asItIs(context: Context, booked: Booked, checkout: Checkout): Promise<BookedToPay> {
  const bookings = (await bookingsOf(context.db, checkout)).map(({ booking }) => booking)
  const [first, ...following] = bookings
  if (first === undefined) return booked
  return booked.following === undefined ? first : { ...first, following }
}

async function openSession(context: Context, checkout: Checkout): Promise<string> {
  const { id, wanted, bookingIds } = checkout
  const returnUrl = manageUrl(context, bookingIds[0] as string)
  const opened = await asking(context, checkout, (key) =>
    context.payments.openSession(key, id, { ...wanted, returnUrl }),
  )
  if (opened === undefined) throw new Error('The account is gone.')
  const { id: sessionId, url } = opened.answer
  await saveSession(context.db, id, { sessionId, url })
  return url
}

/** Nobody has got an address to pay at, so nobody can have paid. */
async function giveUp(context: Context, checkoutId: string): Promise<void> {
  const checkout = await findCheckout(context.db, checkoutId)
  if (checkout?.status === 'open' && checkout.sessionId === undefined) {
    await settle(context, checkoutId, { kind: 'closed' })
  }
}

/** Seconds after which a provider that was away may be back. */
const TRY_AGAIN_IN = 60

const cannotPay = (options: ErrorOptions = {}) =>
  new Problem(
    'unavailable',
    sentence`Payments can’t be taken at the moment, so nothing was booked. Please try again in a minute.`,
    { ...options, retryAfter: TRY_AGAIN_IN },
  )
