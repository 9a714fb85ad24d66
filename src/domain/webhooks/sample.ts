import type { BookingChangeType } from '../bookings/change.ts'
import { EVENT_TYPE_DEFAULTS } from '../event-types/event-type.ts'
import type { BookingPayment } from '../payments/payment.ts'
import type { Scheduler } from '../people/scheduler.ts'
import type { WebhookFormat } from './formats.ts'
import type { News, Telling } from './telling.ts'
import { eventOf, TRANSLATORS } from './translators.ts'
import {
  type FailedMessage,
  type SubmittedForm,
  type SubscribedEvent,
  type ToldChange,
  WEBHOOK_EVENTS,
  type WebhookEvent,
} from './webhook.ts'

const HOUR = 3_600_000

/** An id that nothing real has. */
const NIL_ID = '00000000-0000-0000-0000-000000000000'

/** Those who own what a sample is about. */
type Owner = Pick<Scheduler, 'id' | 'kind' | 'slug' | 'name' | 'timeZone' | 'locale'>

interface Sampled {
  readonly format: WebhookFormat
  readonly scheduler: Owner
  readonly publicUrl: string
  readonly now: number
}

/**
 * Samples of an event, by our name or that of the format, about made-up data: `data.test` or `payload.test` is true.
 *
 * Empty if the format has no such event.
 */
export function sampleTellings(
  event: SubscribedEvent,
  { format, scheduler, publicUrl, now }: Sampled,
): readonly Telling[] {
  const numbers = { [NIL_ID]: 1, [scheduler.id]: 1 }
  for (const news of samplesFor(scheduler, now)) {
    const told = TRANSLATORS[format](news, { publicUrl, numbers })
    const meant = eventOf(news) === event ? told : told.filter((one) => one.event === event)
    if (meant.length > 0) return meant.map(asTest)
  }
  return []
}

function asTest({ event, body }: Telling): Telling {
  const part = 'data' in body ? 'data' : 'payload'
  const content = (body as Readonly<Record<string, object>>)[part]
  return { event, body: { ...body, [part]: { test: true, ...content } } }
}

function samplesFor(scheduler: Owner, now: number): News[] {
  const samples = WEBHOOK_EVENTS.map((event) => sampleOf(event, scheduler, now))
  const request = { status: 'PendingApproval', type: 'created' } as const
  return [...samples, { change: { ...sampleChange('created', scheduler, now), ...request } }]
}

function sampleOf(event: WebhookEvent, scheduler: Owner, now: number): News {
  if (event === 'form.submitted') return { form: sampleForm(scheduler, now) }
  if (event === 'message.failed') return { failed: sampleFailure(now) }
  return { change: sampleChange(event.slice('booking.'.length) as BookingChangeType, scheduler, now) }
}

const sampleFailure = (at: number): FailedMessage => ({
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
  paid: 'Confirmed',
  refunded: 'Cancelled',
} as const

function sampleChange(type: BookingChangeType, scheduler: Owner, now: number): ToldChange {
  const isOver = type === 'no_show' || type === 'completed'
  const startsAt = Math.ceil(now / HOUR) * HOUR + (isOver ? -24 : 24) * HOUR
  return {
    id: NIL_ID,
    type,
    bookingId: NIL_ID,
    by: authorOf(type),
    reason: type === 'declined' || type === 'cancelled' ? 'This is a test.' : '',
    status: STATUS_AFTER[type],
    startsAt,
    endsAt: startsAt + HOUR / 2,
    previousStartsAt: type === 'rescheduled' ? startsAt - HOUR : null,
    ...(type === 'reassigned' && { newHostIds: [NIL_ID], formerHostIds: [scheduler.id] }),
    ...(type === 'updated' && { previousLocation: 'https://meet.example.com/earlier' }),
    sequence: type === 'created' ? 0 : 1,
    at: now,
    eventType: { ...EVENT_TYPE_DEFAULTS, id: NIL_ID, slug: 'sample', name: 'Sample' },
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
      ...((type === 'paid' || type === 'refunded') && { payment: samplePayment(type) }),
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
  }
}

const samplePayment = (status: 'paid' | 'refunded'): BookingPayment => ({
  checkoutId: NIL_ID,
  status,
  amount: 4900,
  currency: 'EUR',
  refunded: status === 'refunded' ? 4900 : 0,
})

function authorOf(type: BookingChangeType): 'guest' | 'host' | 'service' {
  if (['completed', 'paid', 'refunded'].includes(type)) return 'service'
  const byHost = ['approved', 'declined', 'no_show', 'reassigned']
  return byHost.includes(type) ? 'host' : 'guest'
}

function sampleForm(scheduler: Owner, now: number): SubmittedForm {
  const topics = [{ id: 'sales', label: 'Sales' }]
  return {
    id: NIL_ID,
    scheduler,
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
  }
}
