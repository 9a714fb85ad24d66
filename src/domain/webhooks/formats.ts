/** In whose words a webhook is told: ours, or those of a service that its receiver was written for. */
export const WEBHOOK_FORMATS = ['standard', 'calcom', 'calendly'] as const

export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number]

export const CALCOM_EVENTS = [
  'BOOKING_CREATED',
  'BOOKING_REQUESTED',
  'BOOKING_REJECTED',
  'BOOKING_CANCELLED',
  'BOOKING_RESCHEDULED',
  'BOOKING_REASSIGNED',
  'BOOKING_LOCATION_UPDATED',
  'BOOKING_NO_SHOW_UPDATED',
  'MEETING_ENDED',
  'BOOKING_PAID',
  'FORM_SUBMITTED',
] as const

export type CalcomEvent = (typeof CALCOM_EVENTS)[number]

export const CALENDLY_EVENTS = [
  'invitee.created',
  'invitee.canceled',
  'invitee_no_show.created',
  'routing_form_submission.created',
] as const

export type CalendlyEvent = (typeof CALENDLY_EVENTS)[number]

/** What a format calls its events, besides our own names. */
export const EVENTS_OF = {
  standard: [],
  calcom: CALCOM_EVENTS,
  calendly: CALENDLY_EVENTS,
} as const satisfies Readonly<Record<WebhookFormat, readonly string[]>>

/** The longest secret that a client may bring along, in characters. */
export const MAX_SECRET = 256

/**
 * Stands for the token of a booking's manage link where a delivery is stored. It is filled in when the delivery is sent or
 * shown, so that a copy of the database opens no booking.
 */
export const MANAGE_TOKEN = '{manage-token}'
