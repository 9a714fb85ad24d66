import type { CalcomEvent, CalendlyEvent } from '../../../src/domain/webhooks/formats.ts'
import type { DeliveryStatus, WebhookEvent } from '../../../src/domain/webhooks/webhook.ts'
import { words } from '../words.ts'

/** The colours of a booking's status mean the same here. */
const COLOURS: Readonly<Record<DeliveryStatus, string>> = {
  pending: '',
  succeeded: 'Confirmed',
  failed: 'Declined',
}

export function DeliveryState({ status }: { readonly status: DeliveryStatus }) {
  return (
    <span className="status" data-status={COLOURS[status]}>
      {words.webhooks.statuses[status]}
    </span>
  )
}

type Theirs = CalcomEvent | CalendlyEvent

/** What we call the events of other formats; the first names them. */
const OURS: Readonly<Record<Theirs, readonly [WebhookEvent | 'requested', ...WebhookEvent[]]>> = {
  BOOKING_CREATED: ['booking.created', 'booking.approved'],
  BOOKING_REQUESTED: ['requested', 'booking.created', 'booking.rescheduled'],
  BOOKING_REJECTED: ['booking.declined'],
  BOOKING_CANCELLED: ['booking.cancelled'],
  BOOKING_RESCHEDULED: ['booking.rescheduled'],
  BOOKING_REASSIGNED: ['booking.reassigned'],
  BOOKING_LOCATION_UPDATED: ['booking.updated'],
  BOOKING_NO_SHOW_UPDATED: ['booking.no_show'],
  MEETING_ENDED: ['booking.completed'],
  BOOKING_PAID: ['booking.paid'],
  FORM_SUBMITTED: ['form.submitted'],
  'invitee.created': ['booking.created', 'booking.approved', 'booking.rescheduled'],
  'invitee.canceled': ['booking.cancelled', 'booking.rescheduled'],
  'invitee_no_show.created': ['booking.no_show'],
  'routing_form_submission.created': ['form.submitted'],
}

/** What an event is called; its own name if a newer server knows more of them. */
export function eventName(event: string): string {
  const names: Readonly<Record<string, string>> = words.webhooks.eventNames
  return names[OURS[event as Theirs]?.[0] ?? event] ?? event
}

/** Whether one of these, which may be our names, stands for an event of a format. */
export const isAmong = (event: string, events: readonly string[]): boolean =>
  events.includes(event) || (OURS[event as Theirs]?.some((ours) => events.includes(ours)) ?? false)
