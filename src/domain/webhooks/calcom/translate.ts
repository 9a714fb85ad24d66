import { formatInstant } from '../../instant.ts'
import type { CalcomEvent } from '../formats.ts'
import type { News, Surroundings, Telling } from '../telling.ts'
import type { ToldChange } from '../webhook.ts'
import { bookingOf, endedMeetingOf, secretUid } from './booking.ts'
import { formOf } from './form.ts'

/** News as Cal.com tells them, in the version of its webhooks that every receiver knows. */
export function calcomTellings(news: News, surroundings: Surroundings): readonly Telling[] {
  if ('form' in news) {
    const { payload, flat } = formOf(news.form, surroundings)
    return [telling('FORM_SUBMITTED', news.form.at, payload, flat)]
  }
  return 'change' in news ? ofChange(news.change, surroundings) : []
}

/** There, some events have their fields beside the payload, too. */
const telling = (
  event: CalcomEvent,
  at: number,
  payload: object,
  flat: Readonly<Record<string, unknown>> = {},
): Telling => ({ event, body: { ...flat, triggerEvent: event, createdAt: formatInstant(at), payload } })

function ofChange(change: ToldChange, surroundings: Surroundings): readonly Telling[] {
  const booking = (event: CalcomEvent, more: object = {}) => [
    telling(event, change.at, { ...bookingOf(change, surroundings), ...more }),
  ]
  switch (change.type) {
    case 'created':
      return booking(change.status === 'PendingApproval' ? 'BOOKING_REQUESTED' : 'BOOKING_CREATED')
    case 'approved':
      return booking('BOOKING_CREATED')
    case 'declined':
      return booking('BOOKING_REJECTED', { rejectionReason: change.reason })
    case 'cancelled':
      return booking('BOOKING_CANCELLED', {
        cancelledBy: authorOf(change),
        cancellationReason: change.reason,
        requestReschedule: false,
      })
    case 'rescheduled':
      // What has to be approved again is a request there.
      return booking(
        change.status === 'PendingApproval' ? 'BOOKING_REQUESTED' : 'BOOKING_RESCHEDULED',
        movedFrom(change, surroundings),
      )
    case 'reassigned':
      return booking('BOOKING_REASSIGNED', handOverOf(change, surroundings))
    case 'updated':
      return booking('BOOKING_LOCATION_UPDATED', { previousLocation: change.previousLocation ?? '' })
    case 'no_show':
      return [telling('BOOKING_NO_SHOW_UPDATED', change.at, absenceOf(change, surroundings))]
    case 'completed': {
      const meeting = endedMeetingOf(change, surroundings)
      return [telling('MEETING_ENDED', change.at, meeting, meeting)]
    }
    case 'paid':
      return booking('BOOKING_PAID', paidOf(change, surroundings))
    default:
      return []
  }
}

/** There, a moved meeting is a new booking; here it keeps its id, so both are the same. */
function movedFrom(change: ToldChange, { numbers }: Surroundings) {
  const { bookingId, startsAt, endsAt, previousStartsAt } = change
  if (previousStartsAt === null) return {}
  return {
    rescheduleId: numbers[bookingId],
    rescheduleUid: secretUid(bookingId),
    rescheduleStartTime: formatInstant(previousStartsAt),
    rescheduleEndTime: formatInstant(previousStartsAt + endsAt - startsAt),
    rescheduledBy: authorOf(change),
  }
}

/** Who came and who went, by number alone. */
function handOverOf({ hosts, newHostIds, formerHostIds = [] }: ToldChange, { numbers }: Surroundings) {
  // Older versions did not record who is new: the main host it was, as a rule.
  const added = newHostIds ?? hosts.slice(0, 1).map(({ id }) => id)
  const numbersOf = (ids: readonly string[]) => ids.flatMap((id) => numbers[id] ?? [])
  return { addedHostUserIds: numbersOf(added), removedHostUserIds: numbersOf(formerHostIds) }
}

/** There, a payment is a row of its own; here, it is its booking's. */
function paidOf({ bookingId, booking, eventType }: ToldChange, { numbers }: Surroundings) {
  return {
    paymentId: numbers[bookingId],
    metadata: {
      ...booking.metadata,
      identifier: 'cal.com',
      bookingId: numbers[bookingId],
      eventTypeId: numbers[eventType.id],
      bookerEmail: booking.invitee.email,
      eventTitle: eventType.name,
      externalId: booking.payment?.checkoutId,
    },
  }
}

function absenceOf({ bookingId, booking }: ToldChange, { numbers }: Surroundings) {
  const { email } = booking.invitee
  return {
    message: `${email} marked as no-show`,
    attendees: [{ email, noShow: true }],
    bookingUid: secretUid(bookingId),
    bookingId: numbers[bookingId],
  }
}

/** The address of whoever made the change. */
const authorOf = ({ by, booking, hosts }: ToldChange) =>
  by === 'guest' ? booking.invitee.email : (hosts[0]?.email ?? '')
