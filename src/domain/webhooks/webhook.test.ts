import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { changeOf } from '../../../test/booking-change.ts'
import { plainEventType } from '../../../test/kit.ts'
import { anyText } from '../../../test/nasty-text.ts'
import { BOOKING_CHANGES } from '../bookings/change.ts'
import { formatInstant } from '../instant.ts'
import type { Scheduler } from '../people/scheduler.ts'
import { Problem } from '../problem.ts'
import { NOTHING } from '../sentence.ts'
import { sampleTellings } from './sample.ts'
import {
  bookingPayload,
  checkWebhook,
  formPayload,
  readRetryAfter,
  shouldDisable,
  signingSecrets,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookPayload,
  wants,
} from './webhook.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.UTC(2027, 0, 11, 12)

const webhook = (given: Partial<Webhook> = {}): Webhook => ({
  id: 'w',
  schedulerId: 's',
  url: 'https://example.com/',
  format: 'standard',
  events: [],
  eventTypeIds: [],
  active: true,
  secret: 'new',
  previousSecret: null,
  previousSecretUntil: null,
  createdAt: 0,
  failingSince: null,
  disabledAt: null,
  disabledReason: NOTHING,
  ...given,
})

const scheduler: Scheduler = {
  id: 'owner',
  kind: 'user',
  slug: 'ada',
  name: 'Ada',
  bio: '',
  avatarUrl: '',
  timeZone: 'Europe/London',
  locale: 'en',
  germanAddress: 'sie',
  theme: 'auto',
  branding: { primaryColor: '', logoUrl: '' },
}

describe('a webhook', () => {
  it('gets every event unless it has filters', () => {
    for (const event of WEBHOOK_EVENTS) {
      assert.ok(wants(webhook(), event, 'e1'))
      assert.ok(!wants(webhook({ active: false }), event, 'e1'))
    }
  })

  it('filters by event and by event type; forms have no event type', () => {
    const choosy = webhook({ events: ['booking.cancelled', 'form.submitted'], eventTypeIds: ['e1'] })
    assert.ok(wants(choosy, 'booking.cancelled', 'e1'))
    assert.ok(!wants(choosy, 'booking.cancelled', 'e2'))
    assert.ok(!wants(choosy, 'booking.created', 'e1'))
    assert.ok(wants(choosy, 'form.submitted', null))
    assert.ok(!wants(webhook({ events: ['booking.created'] }), 'form.submitted', null))
  })

  it('has an event for every change to a booking', () => {
    for (const change of BOOKING_CHANGES) assert.ok(WEBHOOK_EVENTS.includes(`booking.${change}`))
  })

  it('also signs with the old secret until it expires', () => {
    const rotating = webhook({ previousSecret: 'old', previousSecretUntil: NOW })
    assert.deepEqual(signingSecrets(rotating, NOW - 1), ['new', 'old'])
    assert.deepEqual(signingSecrets(rotating, NOW), ['new'])
    assert.deepEqual(signingSecrets(webhook(), NOW), ['new'])
  })

  it('refuses events that are unknown or named twice, and event types named twice', () => {
    checkWebhook(webhook({ events: WEBHOOK_EVENTS, eventTypeIds: ['a', 'b'] }))
    for (const wrong of [
      { events: ['booking.exploded' as 'booking.created'] },
      { events: ['booking.created', 'booking.created'] as const },
      { eventTypeIds: ['a', 'a'] },
      { url: `https://example.com/${'a'.repeat(2000)}` },
    ]) {
      assert.throws(() => checkWebhook(webhook(wrong)), Problem)
    }
  })

  it('is disabled after five days of failures, if the current failures span a day', () => {
    const failing = webhook({ failingSince: NOW - 5 * DAY })
    assert.ok(shouldDisable(failing, NOW - DAY, NOW))
    assert.ok(!shouldDisable(failing, NOW - DAY + 1, NOW))
    assert.ok(!shouldDisable(webhook({ failingSince: NOW - 5 * DAY + 1 }), NOW - DAY, NOW))
    assert.ok(!shouldDisable(webhook(), 0, NOW))
  })
})

describe('Retry-After', () => {
  it('is seconds, or a date', () => {
    assert.equal(readRetryAfter('120', NOW), NOW + 120_000)
    assert.equal(readRetryAfter(' 0 ', NOW), NOW)
    assert.equal(readRetryAfter(new Date(NOW + HOUR).toUTCString(), NOW), NOW + HOUR)
  })

  it('is never in the past, and never more than a day away', () => {
    assert.equal(readRetryAfter(new Date(NOW - HOUR).toUTCString(), NOW), NOW)
    assert.equal(readRetryAfter('999999999', NOW), NOW + DAY)
    assert.equal(readRetryAfter(new Date(NOW + 9 * DAY).toUTCString(), NOW), NOW + DAY)
  })

  it('is undefined if it cannot be read', () => {
    for (const text of [undefined, '', 'soon', '-5', '1.5', '12 minutes', 'Mon, nonsense', '9'.repeat(40)]) {
      assert.equal(readRetryAfter(text, NOW), undefined, String(text))
    }
  })
})

describe('a payload', () => {
  it('describes a booking in its public names', () => {
    const eventType = plainEventType({ slug: 'intro', name: 'Intro', schedulerId: scheduler.id })
    const change = changeOf(scheduler, eventType, {
      type: 'rescheduled',
      by: 'host',
      reason: 'Something came up',
      previousStartsAt: NOW,
      sequence: 3,
    })
    const { booking } = change
    assert.deepEqual(bookingPayload(change), {
      type: 'booking.rescheduled',
      timestamp: formatInstant(change.at),
      data: {
        id: booking.id,
        eventTypeId: eventType.id,
        eventTypeSlug: 'intro',
        eventTypeName: 'Intro',
        userSlug: 'ada',
        status: 'Confirmed',
        startTime: formatInstant(change.startsAt),
        endTime: formatInstant(change.endsAt),
        previousStartTime: formatInstant(NOW),
        invitee: {
          name: booking.invitee.name,
          email: booking.invitee.email,
          phone: booking.invitee.phone,
          timezone: booking.invitee.timeZone,
          locale: booking.invitee.locale,
        },
        guests: booking.guests,
        location: booking.location,
        customFields: booking.customFields,
        notes: booking.notes,
        source: 'API',
        utm: {},
        reason: 'Something came up',
        changedBy: 'host',
        sequence: 3,
        hosts: [
          { id: 'owner', slug: 'ada', name: 'Ada', email: 'ada@hosts.example', timezone: 'Europe/London' },
        ],
        payment: null,
        createdAt: formatInstant(booking.createdAt),
      },
    })
  })

  it('lists answers with their labels in the form’s order, unknown ones last', () => {
    const payload = formPayload({
      id: 'r',
      scheduler,
      form: {
        id: 'f',
        slug: 'contact',
        name: 'Contact',
        fields: [
          {
            id: 'topic',
            label: 'Topic',
            type: 'select',
            required: true,
            options: [{ id: 's', label: 'Sales' }],
          },
          { id: 'mail', label: 'Email', type: 'email', required: false, options: [] },
        ],
      },
      answers: { extra: [1], mail: 'a@b.example', topic: 's' },
      result: { action: 'routeToEvent', eventTypeId: 'e' },
      eventType: { slug: 'intro', name: 'Intro' },
      at: NOW,
    })
    assert.equal(payload.type, 'form.submitted')
    assert.deepEqual(payload.data.answers, [
      { fieldId: 'topic', label: 'Topic', value: 's', optionLabel: 'Sales' },
      { fieldId: 'mail', label: 'Email', value: 'a@b.example', optionLabel: null },
      { fieldId: 'extra', label: null, value: [1], optionLabel: null },
    ])
    assert.deepEqual(payload.data.result, {
      action: 'routeToEvent',
      eventTypeId: 'e',
      eventTypeSlug: 'intro',
      eventTypeName: 'Intro',
      redirectUrl: null,
      message: null,
    })
  })

  it('survives JSON with any answers', () => {
    const anything = anyText({ maxLength: 40 })
    const fields = fc.dictionary(anything, fc.jsonValue(), { noNullPrototype: true })
    fc.assert(
      fc.property(anything, anything, fields, (name, notes, customFields) => {
        const change = changeOf(scheduler, plainEventType(), {})
        const { booking } = change
        const told = bookingPayload({
          ...change,
          reason: notes,
          booking: { ...booking, notes, customFields, invitee: { ...booking.invitee, name } },
        })
        const { data } = JSON.parse(JSON.stringify(told))
        assert.deepEqual(
          [data.invitee.name, data.notes, data.reason, data.customFields, Object.keys(data)],
          [name, notes, notes, JSON.parse(JSON.stringify(customFields)), Object.keys(told.data)],
        )
      }),
    )
  })

  it('has a sample of every event with the same shape, marked as a test', () => {
    const real = Object.keys(bookingPayload(changeOf(scheduler, plainEventType())).data)
    for (const event of WEBHOOK_EVENTS) {
      const sampled = { format: 'standard', scheduler, publicUrl: 'https://book.example', now: NOW } as const
      const [sample] = sampleTellings(event, sampled)
      assert.ok(sample)
      const { type, data } = sample.body as WebhookPayload
      assert.equal(type, event)
      assert.equal(data.test, true)
      if (event.startsWith('booking.')) assert.deepEqual(Object.keys(data), ['test', ...real])
    }
  })
})
