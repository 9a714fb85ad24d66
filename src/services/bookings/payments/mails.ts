import { isErased } from '../../../domain/bookings/erased.ts'
import { chooseLocale } from '../../../domain/languages.ts'
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
  const [bookingId = ''] = (await findCheckout(context.db, checkoutId))?.bookingIds ?? []
  const found = bookingId === '' ? undefined : await findMeeting(context.db, bookingId)
  if (found === undefined || isErased(found.listed.booking)) return undefined
  const { scheduler, eventType, listed } = found
  return writeNotice({
    to: listed.booking.invitee.email,
    locale: listed.booking.invitee.locale,
    kind: 'paymentGone',
    href: `${context.publicUrl}/${scheduler.slug}/${eventType.slug}`,
    gaps: { name: eventType.name },
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
  const { language } = chooseLocale(host.locale, undefined, 'en')
  return writeNotice({
    to: host.email,
    locale: host.locale,
    kind: 'refundFailed',
    href: `${context.publicUrl}/app/bookings/${booking.id}`,
    gaps: { name: booking.invitee.name, reason: say(refund.lastError ?? NOTHING, translationTo(language)) },
  })
}
