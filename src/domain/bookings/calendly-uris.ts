import type { Booking } from './booking.ts'

/** How a booking is named in Calendly's words. */
interface CalendlyUris {
  /** The scheduled event. */
  readonly event: string
  /** The guest in it. */
  readonly invitee: string
}

/**
 * The URIs that Calendly's widget and webhooks tell of a booking.
 *
 * There, a moved meeting is a new event with a new invitee. Here it stays the same booking, so its start is part of both.
 */
export function calendlyUris(
  publicUrl: string,
  { id, startsAt }: Pick<Booking, 'id' | 'startsAt'>,
): CalendlyUris {
  const place = `${id}-${Math.floor(startsAt / 1000).toString(36)}`
  const event = `${publicUrl}/v2/calendly/scheduled_events/${place}`
  return { event, invitee: `${event}/invitees/${place}` }
}
