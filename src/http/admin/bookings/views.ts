import type { Assignment } from '../../../domain/bookings/assignment.ts'
import { awaitsLink, hostLocation } from '../../../domain/bookings/booking.ts'
import type { SeenDifference } from '../../../domain/calendars/difference.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { paymentView } from '../../../domain/payments/payment.ts'
import type { HostedBooking, NamedBooking } from '../../../services/bookings/reports/list.ts'
import type { BookingView, CalendarDifferenceView, ListedBookingView } from './schemas.ts'

export function toListedView({
  booking,
  schedulerId,
  hostId,
  host,
  seat,
  seats,
  assignment,
  hostNotes = '',
  calendarDifference,
}: NamedBooking): ListedBookingView {
  const { timeZone, ...invitee } = booking.invitee
  return {
    id: booking.id,
    eventTypeId: booking.eventTypeId,
    ownerId: schedulerId,
    hostId,
    host: { id: hostId, name: host.name },
    hostAvatarUrl: host.avatarUrl,
    meetingId: booking.meetingId,
    status: booking.status,
    startTime: formatInstant(booking.startsAt),
    endTime: formatInstant(booking.endsAt),
    invitee: { ...invitee, timezone: timeZone },
    guests: [...booking.guests],
    location: hostLocation(booking),
    awaitsLink: awaitsLink(booking),
    seat,
    seats,
    sequence: booking.sequence,
    reason: booking.reason,
    source: booking.source,
    hostNotes,
    assignment: assignment ? toAssignmentView(assignment) : null,
    routing: booking.routing ?? null,
    seriesId: booking.series?.id ?? null,
    seriesPlace: booking.series ? { number: booking.series.index + 1, count: booking.series.count } : null,
    payment: paymentView(booking.payment),
    createdAt: formatInstant(booking.createdAt),
    calendarDifference: calendarDifference && toDifferenceView(calendarDifference),
  }
}

const toAssignmentView = ({ hostId, reason, detail }: Assignment) => ({ hostId, reason, detail })

function toDifferenceView(difference: SeenDifference): CalendarDifferenceView {
  const seenAt = formatInstant(difference.seenAt)
  if (difference.kind === 'deleted') return { kind: 'deleted', seenAt }
  const { kind, startsAt, endsAt } = difference
  return { kind, startTime: formatInstant(startsAt), endTime: formatInstant(endsAt), seenAt }
}

/** A booking as the host API shows it. */
export function toView(hosted: HostedBooking): BookingView {
  const { notes, customFields, utm } = hosted.booking
  return {
    ...toListedView(hosted),
    hostIds: [...hosted.hostIds],
    series: hosted.series.map(({ id, status, startsAt, endsAt }) => ({
      id,
      status,
      startTime: formatInstant(startsAt),
      endTime: formatInstant(endsAt),
    })),
    notes,
    customFields: { ...customFields },
    utm: { ...utm },
    refundRule: hosted.refundRule,
  }
}
