import { calendlyUris } from '../../bookings/calendly-uris.ts'
import { isCalledAt } from '../../event-types/location.ts'
import { answersTo, otherAnswers } from '../../event-types/questions.ts'
import { decimalsOf } from '../../payments/price.ts'
import { MANAGE_TOKEN } from '../formats.ts'
import type { Surroundings } from '../telling.ts'
import { type ToldChange, toldLocation } from '../webhook.ts'
import { instantOf, resourceOf, trackingOf } from './resource.ts'

/** A guest and their meeting in the words of Calendly's webhooks. */
export function inviteeOf(change: ToldChange, surroundings: Surroundings) {
  const { bookingId: id, booking, eventType, type, status, at, startsAt } = change
  const { invitee } = booking
  const { event, invitee: uri } = calendlyUris(surroundings.publicUrl, { id, startsAt })
  const manage = `${surroundings.publicUrl}/booking/${id}?token=${MANAGE_TOKEN}`
  const answers = [
    ...answersTo(eventType.questions, booking.customFields),
    ...otherAnswers(eventType.questions, booking.customFields),
  ]
  return {
    uri,
    email: invitee.email,
    first_name: null,
    last_name: null,
    name: invitee.name,
    status: status === 'Cancelled' ? 'canceled' : 'active',
    questions_and_answers: answers.map(({ label, value }, position) => ({
      question: label,
      answer: value,
      position,
    })),
    timezone: invitee.timeZone,
    event,
    created_at: instantOf(booking.createdAt),
    updated_at: instantOf(at),
    tracking: trackingOf(booking.utm),
    text_reminder_number: invitee.smsNumber ?? null,
    rescheduled: false,
    old_invitee: null,
    new_invitee: null,
    cancel_url: manage,
    reschedule_url: manage,
    routing_form_submission: booking.routing
      ? resourceOf(surroundings, 'routing_form_submissions', booking.routing.responseId)
      : null,
    ...(status === 'Cancelled' && { cancellation: cancellationOf(change) }),
    payment: paymentOf(change),
    no_show:
      type === 'no_show'
        ? { uri: resourceOf(surroundings, 'invitee_no_shows', id), created_at: instantOf(at) }
        : null,
    reconfirmation: null,
    scheduling_method: null,
    invitee_scheduled_by: null,
    scheduled_event: eventOf(change, event, surroundings),
  }
}

/** There, amounts are in whole units. */
function paymentOf({ booking: { payment } }: ToldChange) {
  if (payment === undefined) return null
  const { checkoutId, amount, currency, status } = payment
  return {
    external_id: checkoutId,
    provider: 'stripe',
    amount: amount / 10 ** decimalsOf(currency),
    currency,
    terms: null,
    successful: status === 'paid' || status === 'refunded',
  }
}

function cancellationOf({ by, reason, booking, hosts, at }: ToldChange) {
  return {
    canceled_by: by === 'guest' ? booking.invitee.name : (hosts[0]?.name ?? ''),
    reason: reason || null,
    canceler_type: by === 'guest' ? 'invitee' : 'host',
    created_at: instantOf(at),
  }
}

function eventOf(change: ToldChange, uri: string, surroundings: Surroundings) {
  const { booking, eventType, hosts, status, startsAt, endsAt, at } = change
  const isOff = status === 'Cancelled'
  const times = { created_at: instantOf(booking.createdAt), updated_at: instantOf(at) }
  return {
    uri,
    name: eventType.name,
    meeting_notes_plain: booking.notes || null,
    meeting_notes_html: null,
    status: isOff ? 'canceled' : 'active',
    start_time: instantOf(startsAt),
    end_time: instantOf(endsAt),
    event_type: resourceOf(surroundings, 'event_types', eventType.id),
    location: locationOf(change),
    invitees_counter: { total: 1, active: isOff ? 0 : 1, limit: eventType.seats },
    ...times,
    event_memberships: hosts.map(({ id, email, name }) => ({
      user: resourceOf(surroundings, 'users', id),
      user_email: email,
      user_name: name,
    })),
    event_guests: booking.guests.map((email) => ({ email, ...times })),
    ...(isOff && { cancellation: cancellationOf(change) }),
  }
}

/** Online meetings have a link to join, wherever it leads: their kinds are those of providers. */
function locationOf(change: ToldChange) {
  const { type, value } = toldLocation(change)
  if (type === 'InPerson') return { type: 'physical', location: value, additional_info: null }
  if (type === 'Phone') {
    const isOurs = value === '' || isCalledAt({ type, value }, change.booking.invitee.phone)
    return { type: isOurs ? 'outbound_call' : 'inbound_call', location: value, additional_info: null }
  }
  return { type: 'custom', location: value, status: 'pushed', join_url: value }
}
