import type { BookingChangeType } from '../bookings/change.ts'
import type { Scheduler } from '../people/scheduler.ts'
import {
  bookingPayload,
  formPayload,
  messagePayload,
  type WebhookEvent,
  type WebhookPayload,
} from './webhook.ts'

const HOUR = 3_600_000

/** An id that nothing real has. */
const NIL_ID = '00000000-0000-0000-0000-000000000000'

/** A sample payload for this event, about made-up data; `data.test` is true. */
export function samplePayload(
  event: WebhookEvent,
  scheduler: Pick<Scheduler, 'id' | 'slug' | 'name' | 'timeZone' | 'locale'>,
  now: number,
): WebhookPayload {
  const payload = payloadFor(event, scheduler, now)
  return { ...payload, data: { test: true, ...payload.data } }
}

function payloadFor(
  event: WebhookEvent,
  scheduler: Parameters<typeof samplePayload>[1],
  now: number,
): WebhookPayload {
  if (event === 'form.submitted') return sampleForm(scheduler.slug, now)
  return event === 'message.failed' ? sampleFailure(now) : sampleBooking(event, scheduler, now)
}

const sampleFailure = (at: number): WebhookPayload =>
  messagePayload({
    message: { id: NIL_ID, name: 'Sample', on: 'after', by: 'email' },
    bookingId: NIL_ID,
    responseId: null,
    to: 'guest',
    reason: 'This is a test.',
    at,
  })

const STATUS_AFTER = {
  created: 'Confirmed',
  approved: 'Confirmed',
  declined: 'Declined',
  cancelled: 'Cancelled',
  rescheduled: 'Confirmed',
  reassigned: 'Confirmed',
  updated: 'Confirmed',
  no_show: 'NoShow',
  completed: 'Completed',
} as const

function sampleBooking(
  event: Exclude<WebhookEvent, 'form.submitted' | 'message.failed'>,
  scheduler: Parameters<typeof samplePayload>[1],
  now: number,
): WebhookPayload {
  const type = event.slice('booking.'.length) as BookingChangeType
  const isOver = type === 'no_show' || type === 'completed'
  const startsAt = Math.ceil(now / HOUR) * HOUR + (isOver ? -24 : 24) * HOUR
  return bookingPayload({
    id: NIL_ID,
    type,
    bookingId: NIL_ID,
    by: authorOf(type),
    reason: type === 'declined' || type === 'cancelled' ? 'This is a test.' : '',
    status: STATUS_AFTER[type],
    startsAt,
    endsAt: startsAt + HOUR / 2,
    previousStartsAt: type === 'rescheduled' ? startsAt - HOUR : null,
    sequence: type === 'created' ? 0 : 1,
    at: now,
    eventType: { id: NIL_ID, slug: 'sample', name: 'Sample' },
    scheduler,
    booking: {
      invitee: {
        name: 'Sample Guest',
        email: 'guest@example.com',
        phone: '',
        timeZone: 'UTC',
        locale: 'en',
      },
      guests: [],
      location: { type: 'Video', value: 'https://meet.example.com/sample' },
      customFields: {},
      notes: 'This is a test.',
      source: 'API',
      utm: {},
      createdAt: now,
    },
    hosts: [
      {
        id: NIL_ID,
        slug: scheduler.slug,
        name: scheduler.name,
        email: 'host@example.com',
        timeZone: scheduler.timeZone,
        locale: scheduler.locale,
      },
    ],
  })
}

function authorOf(type: BookingChangeType): 'guest' | 'host' | 'service' {
  if (type === 'completed') return 'service'
  const byHost = ['approved', 'declined', 'no_show', 'reassigned']
  return byHost.includes(type) ? 'host' : 'guest'
}

function sampleForm(userSlug: string, now: number): WebhookPayload {
  const topics = [{ id: 'sales', label: 'Sales' }]
  return formPayload({
    id: NIL_ID,
    userSlug,
    form: {
      id: NIL_ID,
      slug: 'sample',
      name: 'Sample',
      fields: [
        { id: 'topic', label: 'What is it about?', type: 'select', required: true, options: topics },
        { id: 'email', label: 'Your email address', type: 'email', required: false, options: [] },
      ],
    },
    answers: { topic: 'sales', email: 'guest@example.com' },
    result: { action: 'message', message: 'Thank you.' },
    eventType: undefined,
    at: now,
  })
}
