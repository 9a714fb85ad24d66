import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BookingChange } from '../../src/domain/bookings/change.ts'
import type { Scheduler } from '../../src/domain/people/scheduler.ts'
import { CALCOM_EVENTS, CALENDLY_EVENTS } from '../../src/domain/webhooks/formats.ts'
import { sampleTellings } from '../../src/domain/webhooks/sample.ts'
import type { Telling } from '../../src/domain/webhooks/telling.ts'
import { TRANSLATORS } from '../../src/domain/webhooks/translators.ts'
import { changeOf } from '../booking-change.ts'
import { plainEventType } from '../kit.ts'
import { CALCOM_PARTS, CALCOM_PAYLOADS, CALENDLY_PARTS, faultsOf } from './webhook-fields.ts'

const HOUR = 3_600_000
const publicUrl = 'https://book.example'
const scheduler: Scheduler = {
  id: 'owner',
  kind: 'team',
  slug: 'crew',
  name: 'Crew',
  bio: '',
  avatarUrl: '',
  timeZone: 'Asia/Kolkata',
  locale: 'en',
  germanAddress: 'sie',
  theme: 'auto',
  branding: { primaryColor: '', logoUrl: '' },
}
const topic = { key: 'topic', label: 'What about?', type: 'text', required: false, options: [] } as const
const eventType = plainEventType({ questions: [topic], assignment: 'round-robin' })
const numbers = { owner: 1, former: 2, b: 3, [eventType.id]: 4 }

/** One of each kind, with all that a booking can have. */
const CHANGES: readonly Partial<BookingChange>[] = [
  {},
  { status: 'PendingApproval' },
  { type: 'declined', status: 'Declined', reason: 'Full' },
  { type: 'cancelled', status: 'Cancelled', reason: 'Ill' },
  { type: 'rescheduled', previousStartsAt: HOUR },
  { type: 'reassigned', newHostIds: ['owner'], formerHostIds: ['former'] },
  { type: 'updated', previousLocation: 'https://meet.example/before' },
  { type: 'paid' },
  { type: 'no_show', status: 'NoShow' },
  { type: 'completed', status: 'Completed' },
]

function told(format: 'calcom' | 'calendly') {
  return CHANGES.flatMap((given) => {
    const plain = changeOf(scheduler, eventType, { bookingId: 'b', ...given })
    const location = { type: 'Link', value: 'https://meet.example/room' } as const
    const booking = { ...plain.booking, guests: ['friend@guests.example'], location, utm: { source: 'x' } }
    return TRANSLATORS[format]({ change: { ...plain, booking } }, { publicUrl, numbers })
    // biome-ignore lint/suspicious/noExplicitAny: read as a receiver does
  }).map(({ body }) => JSON.parse(JSON.stringify(body)) as any)
}

const payloadOf = (telling: Telling | undefined) =>
  (telling as { readonly body: { readonly payload: Record<string, unknown> } }).body.payload

const assertNoFaults = (faults: readonly string[]) => assert.deepEqual(faults, [])

describe('messages have the fields that receivers were promised, of the types that they have there', () => {
  it('by Cal.com', () => {
    const seen = new Set<string>()
    for (const { triggerEvent, createdAt, payload } of told('calcom')) {
      seen.add(triggerEvent)
      assert.ok(!Number.isNaN(Date.parse(createdAt)))
      assertNoFaults(
        faultsOf(triggerEvent, payload, CALCOM_PAYLOADS[triggerEvent] ?? assert.fail(triggerEvent)),
      )
      if (triggerEvent === 'BOOKING_NO_SHOW_UPDATED') continue
      const isOver = triggerEvent === 'MEETING_ENDED'
      const part = isOver ? CALCOM_PARTS.endedAttendee : CALCOM_PARTS.attendee
      for (const attendee of payload.attendees) assertNoFaults(faultsOf('attendee', attendee, part))
      for (const answer of Object.values(payload.responses)) {
        assertNoFaults(faultsOf('response', answer, CALCOM_PARTS.answer))
      }
      if (isOver) continue
      assertNoFaults(faultsOf('organizer', payload.organizer, CALCOM_PARTS.organizer))
      assertNoFaults(faultsOf('videoCallData', payload.videoCallData, CALCOM_PARTS.videoCallData))
    }
    assert.deepEqual([...seen, 'FORM_SUBMITTED'].sort(), [...CALCOM_EVENTS].sort())
    assert.deepEqual(Object.keys(CALCOM_PAYLOADS).sort(), [...CALCOM_EVENTS].sort())
  })

  it('by Calendly', () => {
    const seen = new Set<string>()
    for (const message of told('calendly')) {
      seen.add(message.event)
      const { payload } = message
      assertNoFaults([
        ...faultsOf('message', message, CALENDLY_PARTS.message),
        ...faultsOf(message.event, payload, CALENDLY_PARTS.invitee),
        ...faultsOf('scheduled_event', payload.scheduled_event, CALENDLY_PARTS.scheduledEvent),
        ...faultsOf('tracking', payload.tracking, CALENDLY_PARTS.tracking),
        ...payload.scheduled_event.event_memberships.flatMap((one: unknown) =>
          faultsOf('membership', one, CALENDLY_PARTS.membership),
        ),
        ...(message.event === 'invitee.canceled'
          ? faultsOf('cancellation', payload.cancellation, CALENDLY_PARTS.cancellation)
          : []),
      ])
    }
    assert.deepEqual([...seen, 'routing_form_submission.created'].sort(), [...CALENDLY_EVENTS].sort())
  })

  it('also those that tell of forms, and samples, which only add that they are tests', () => {
    const sampled = { scheduler, publicUrl, now: HOUR }
    for (const event of CALCOM_EVENTS) {
      const [sample] = sampleTellings(event, { ...sampled, format: 'calcom' })
      const { test, ...payload } = payloadOf(sample)
      assert.equal(test, true)
      assertNoFaults(faultsOf(event, payload, CALCOM_PAYLOADS[event] ?? assert.fail(event)))
    }
    const [sample] = sampleTellings('routing_form_submission.created', { ...sampled, format: 'calendly' })
    const { test, ...payload } = payloadOf(sample)
    assert.equal(test, true)
    assertNoFaults(faultsOf('submission', payload, CALENDLY_PARTS.submission))
  })
})
