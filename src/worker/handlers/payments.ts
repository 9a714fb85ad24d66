import { paymentGoneMail, refundFailedMail } from '../../services/bookings/payments/mails.ts'
import {
  captureCheckout,
  expireCheckout,
  makeRefund,
  releaseCheckout,
  settleNotice,
} from '../../services/bookings/payments/work.ts'
import type { Context } from '../../services/context.ts'
import type { JobOf } from '../handler.ts'

/** Ends a checkout that was not paid. */
export const expirePayment = (context: Context, { data }: JobOf<'payment-expire'>) =>
  expireCheckout(context, data.checkoutId)

/** Takes the money that was reserved for a request which its host has approved. */
export const capturePayment = (context: Context, { data }: JobOf<'payment-capture'>) =>
  captureCheckout(context, data.checkoutId)

/** Gives back what was reserved. */
export const releasePayment = (context: Context, { data }: JobOf<'payment-release'>) =>
  releaseCheckout(context, data.checkoutId)

/** Gives back what was paid. */
export const refundPayment = (context: Context, { data }: JobOf<'payment-refund'>) =>
  makeRefund(context, data.refundId)

/** Acts on what the provider has told. */
export const hearOfPayment = (context: Context, { data }: JobOf<'payment-notice'>) =>
  settleNotice(context, data)

/** Emails a guest that the time they paid for is gone, and that the money comes back. */
export async function tellPaymentGone(context: Context, { data }: JobOf<'payment-gone'>): Promise<void> {
  const mail = await paymentGoneMail(context, data.checkoutId)
  if (mail !== undefined) await context.mailer(mail)
}

/** Emails a host that money could not be given back. */
export async function tellRefundFailed(context: Context, { data }: JobOf<'payment-failed'>): Promise<void> {
  const mail = await refundFailedMail(context, data.refundId)
  if (mail !== undefined) await context.mailer(mail)
}
