import { calendlyUris } from '../../src/domain/bookings/calendly-uris.ts'

interface Said {
  readonly eventTypeId?: string | number
  readonly formId?: string | number
  readonly bookingId?: string | number
  readonly startTime?: string
  readonly height?: string | number
}

/**
 * Sends what Calendly's page would, if it has a word for it.
 *
 * To any site: nothing is in it that opens or names anything, and the browser shows this page only to sites that may frame it.
 */
export function tell(publicUrl: string, event: string, said: Said): void {
  const message = messageFor(publicUrl, event, said)
  if (message !== undefined) window.parent.postMessage(message, '*')
}

function messageFor(publicUrl: string, event: string, said: Said) {
  const { eventTypeId, formId, bookingId, startTime } = said
  if (event === 'ready' && eventTypeId !== undefined) return named('event_type_viewed')
  if (event === 'ready' && formId === undefined && bookingId === undefined)
    return named('profile_page_viewed')
  if (event === 'slotSelected') return named('date_and_time_selected')
  if (event === 'height') return named('page_height', { height: `${said.height}px` })
  // There, a moved meeting is a new one.
  if ((event === 'booked' || event === 'rescheduled') && startTime !== undefined) {
    const uris = calendlyUris(publicUrl, { id: String(bookingId), startsAt: Date.parse(startTime) })
    return named('event_scheduled', { event: { uri: uris.event }, invitee: { uri: uris.invitee } })
  }
  return undefined
}

const named = (event: string, payload: object = {}) => ({ event: `calendly.${event}`, payload })
