import { isErased } from '../../../domain/bookings/erased.ts'
import { chooseLocale } from '../../../domain/languages.ts'
import { formatPrice } from '../../../domain/payments/price.ts'
import { NOTHING, say } from '../../../domain/sentence.ts'
import { translationTo } from '../../../format/refusals/translations.ts'
import type { Mail } from '../../../outside/mail/mail.ts'
import { findMeeting } from '../../../store/bookings/meetings.ts'
import { findCheckout } from '../../../store/payments/checkouts.ts'
import { findRefund } from '../../../store/payments/refunds.ts'
import type { Context } from '../../context.ts'
import { writeNotice } from '../../mail-notice.ts'

/** The email to a guest whose payment came for a time that is gone; undefined if they are. */
export async function paymentGoneMail(context: Context, checkoutId: string): Promise<Mail | undefined> {
  const checkout = await findCheckout(context.db, checkoutId)
  const [bookingId = ''] = checkout?.bookingIds ?? []
  const found = bookingId === '' ? undefined : await findMeeting(context.db, bookingId)
  if (checkout === undefined || found === undefined || isErased(found.listed.booking)) return undefined
  const { scheduler, eventType, listed } = found
  const { email, locale } = listed.booking.invitee
  return writeNotice({
    to: email,
    locale,
    kind: 'paymentGone',
    href: `${context.publicUrl}/${scheduler.slug}/${eventType.slug}`,
    gaps: { name: eventType.name, price: formatPrice(checkout, chooseLocale(locale, undefined, 'en').tag) },
  })
}

/** The email to a host about a refund that failed; undefined if it has not, or nobody is left to hear of it. */
export async function refundFailedMail(context: Context, refundId: string): Promise<Mail | undefined> {
  const refund = await findRefund(context.db, refundId)
  if (refund?.status !== 'failed') return undefined
  const found = await findMeeting(context.db, refund.bookingId)
  const [host] = found?.hosts ?? []
  if (found === undefined || host === undefined || host.disabledAt !== null) return undefined
  const { booking } = found.listed
  const { language, tag } = chooseLocale(host.locale, undefined, 'en')
  const currency = booking.payment?.currency ?? 'EUR'
  return writeNotice({
    to: host.email,
    locale: host.locale,
    kind: 'refundFailed',
    href: `${context.publicUrl}/app/bookings/${booking.id}`,
    gaps: {
      name: booking.invitee.name,
      price: formatPrice({ amount: refund.amount, currency }, tag),
      reason: say(refund.lastError ?? NOTHING, translationTo(language)),
    },
  })
}
