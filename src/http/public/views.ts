import type { Static } from 'typebox'
import { type Booking, shownLocation } from '../../domain/bookings/booking.ts'
import { publicEventType } from '../../domain/event-types/public-event-type.ts'
import type { FormAbusePrevention } from '../../domain/forms/routing.ts'
import { formatInstant } from '../../domain/instant.ts'
import { withShownImages } from '../../domain/people/image.ts'
import { manageUrl } from '../../services/bookings/guest/manage-link.ts'
import { findGuestPayment } from '../../services/bookings/payments/guest-payment.ts'
import type { Context } from '../../services/context.ts'
import type { Profile } from '../../services/people/get-profile.ts'
import type { AbuseConfig, BookingView, ProfileView } from './schemas.ts'

export function toProfileView(profile: Profile, publicUrl: string): Static<typeof ProfileView> {
  const { eventTypes } = profile
  const scheduler = withShownImages(publicUrl, profile.scheduler)
  return {
    slug: scheduler.slug,
    kind: scheduler.kind,
    profile: {
      name: scheduler.name,
      bio: scheduler.bio,
      avatarUrl: scheduler.avatarUrl,
      timezone: scheduler.timeZone,
    },
    branding: scheduler.branding,
    eventTypes: eventTypes.map(publicEventType),
  }
}

/** The protection of an event type or a form. */
export function toAbuseConfig(
  context: Context,
  kind: 'scheduling' | 'routing',
  owner: { readonly slug: string },
  {
    slug,
    abuse,
    confirmEmail = false,
  }: { readonly slug: string; readonly abuse: FormAbusePrevention; readonly confirmEmail?: boolean },
): Static<typeof AbuseConfig> {
  const { honeypot, captcha } = abuse
  return {
    enableHoneypot: honeypot,
    enableCaptcha: captcha !== '',
    captchaProvider: captcha,
    captchaSiteKey: captcha === '' ? '' : (context.captcha.services[captcha]?.siteKey ?? ''),
    ...(confirmEmail && { confirmEmail }),
    ...(captcha === 'altcha' && {
      captchaChallengeUrl: `${context.publicUrl}/api/public/${kind}/${owner.slug}/${slug}/challenge`,
    }),
  }
}

/** The series of a booking, for its guest. */
export function toSeries(context: Context, [first, ...others]: readonly Booking[]) {
  if (first?.series === undefined) return {}
  return {
    seriesId: first.series.id,
    series: [first, ...others].map(({ id, startsAt, endsAt }) => ({
      id,
      startTime: formatInstant(startsAt),
      endTime: formatInstant(endsAt),
      manageUrl: manageUrl(context, id),
    })),
  }
}

/** The payment of a booking, for its guest. */
export async function toPayment(context: Context, booking: Booking) {
  const { payment, due, refundIfCancelled } = await findGuestPayment(context, booking)
  return {
    payment,
    ...(due && { payBy: formatInstant(due.payBy), amountDue: due.amount }),
    ...(due?.url !== undefined && { paymentUrl: due.url }),
    ...(refundIfCancelled !== undefined && { refundIfCancelled }),
  }
}

export function toBookingView(booking: Booking): Static<typeof BookingView> {
  const { name, email, phone, timeZone } = booking.invitee
  return {
    id: booking.id,
    eventTypeId: booking.eventTypeId,
    status: booking.status,
    startTime: formatInstant(booking.startsAt),
    endTime: formatInstant(booking.endsAt),
    invitee: { name, email, phone, timezone: timeZone },
    location: shownLocation(booking),
    createdAt: formatInstant(booking.createdAt),
  }
}
