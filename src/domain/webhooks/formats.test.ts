import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { changeOf } from '../../../test/booking-change.ts'
import { plainEventType } from '../../../test/kit.ts'
import { calendlyUris } from '../bookings/calendly-uris.ts'
import type { BookingChange } from '../bookings/change.ts'
import type { BookingPayment } from '../payments/payment.ts'
import type { Scheduler } from '../people/scheduler.ts'
import { EVENTS_OF, WEBHOOK_FORMATS, type WebhookFormat } from './formats.ts'
import { messageAbout, messageWithAnswers } from './rewrite.ts'
import { sampleTellings } from './sample.ts'
import type { News } from './telling.ts'
import { TRANSLATORS } from './translators.ts'
import { checkOwnSecret, checkWebhook, WEBHOOK_EVENTS, wants } from './webhook.ts'

const HOUR = 3_600_000
const publicUrl = 'https://book.example'
const scheduler: Scheduler = {
  id: 'owner',
  kind: 'team',
  slug: 'crew',
  name: 'Crew',
  bio: '',
  avatarUrl: '',
  timeZone: 'Europe/London',
  locale: 'en',
  germanAddress: 'sie',
  theme: 'auto',
  branding: { primaryColor: '', logoUrl: '' },
}
const topic = { key: 'topic', label: 'What about?', type: 'text', required: false, options: [] } as const
const eventType = plainEventType({ slug: 'talk', name: 'Talk', questions: [topic], seats: 1 })

const change = (given: Partial<BookingChange> = {}) => {
  const plain = changeOf(scheduler, eventType, { bookingId: 'b', ...given })
  const guests = ['friend@guests.example']
  const location = { type: 'Link', value: 'https://meet.example/room' } as const
  return { ...plain, booking: { ...plain.booking, guests, location, utm: { source: 'news' } } }
}
const numbers = { b: 11, owner: 22, [eventType.id]: 33 }
const tell = (format: WebhookFormat, news: News) =>
  // biome-ignore lint/suspicious/noExplicitAny: read as a receiver does
  TRANSLATORS[format](news, { publicUrl, numbers }).map(({ body }) => JSON.parse(JSON.stringify(body)) as any)
const events = (format: WebhookFormat, given: Partial<BookingChange>) =>
  TRANSLATORS[format]({ change: change(given) }, { publicUrl, numbers }).map(({ event }) => event)

const form = {
  id: 'r',
  scheduler,
  form: {
    id: 'f',
    slug: 'contact',
    name: 'Contact',
    fields: [
      { id: 'size', label: 'Size', type: 'select', required: true, options: [{ id: 's', label: 'Small' }] },
      { id: 'mail', label: 'Email', type: 'email', required: false, options: [] },
    ],
  },
  answers: { mail: 'a@guests.example', size: 's' },
  result: { action: 'routeToEvent', eventTypeId: 'e' },
  eventType: undefined,
  at: HOUR,
} as const

describe('what a meeting costs', () => {
  const payment = { checkoutId: 'c', status: 'paid', amount: 4900, currency: 'EUR', refunded: 900 } as const
  const paid = (given: Partial<BookingPayment>, format: WebhookFormat) => {
    const plain = change({ type: format === 'calendly' ? 'created' : 'paid' })
    const [message] = tell(format, {
      change: { ...plain, booking: { ...plain.booking, payment: { ...payment, ...given } } },
    })
    return message.payload ?? message.data
  }

  it('is told in ours without what the provider calls it', () => {
    assert.deepEqual(paid({}, 'standard').payment, {
      status: 'paid',
      amount: 4900,
      currency: 'EUR',
      refunded: 900,
    })
    const [free] = tell('standard', { change: change() })
    assert.equal(free.data.payment, null)
  })

  it('is told in the smallest unit by Cal.com, in whole units by Calendly', () => {
    const { price, currency, paymentId, metadata } = paid({}, 'calcom')
    assert.deepEqual({ price, currency }, { price: 4900, currency: 'eur' })
    assert.equal(metadata.externalId, 'c')
    assert.equal(metadata.bookingId, paymentId)
    assert.deepEqual(paid({}, 'calendly').payment.amount, 49)
    assert.deepEqual(paid({ currency: 'JPY' }, 'calendly').payment.amount, 4900)
  })
})

describe('what other formats call a change', () => {
  it('is as Cal.com has it', () => {
    assert.deepEqual(events('calcom', {}), ['BOOKING_CREATED'])
    assert.deepEqual(events('calcom', { status: 'PendingApproval' }), ['BOOKING_REQUESTED'])
    assert.deepEqual(events('calcom', { type: 'approved' }), ['BOOKING_CREATED'])
    assert.deepEqual(events('calcom', { type: 'declined', status: 'Declined' }), ['BOOKING_REJECTED'])
    assert.deepEqual(events('calcom', { type: 'cancelled', status: 'Cancelled' }), ['BOOKING_CANCELLED'])
    const moved = { type: 'rescheduled', previousStartsAt: HOUR } as const
    assert.deepEqual(events('calcom', moved), ['BOOKING_RESCHEDULED'])
    assert.deepEqual(events('calcom', { ...moved, status: 'PendingApproval' }), ['BOOKING_REQUESTED'])
    assert.deepEqual(events('calcom', { type: 'no_show', status: 'NoShow' }), ['BOOKING_NO_SHOW_UPDATED'])
    assert.deepEqual(events('calcom', { type: 'completed', status: 'Completed' }), ['MEETING_ENDED'])
    assert.deepEqual(events('calcom', { type: 'reassigned' }), ['BOOKING_REASSIGNED'])
    assert.deepEqual(events('calcom', { type: 'updated' }), ['BOOKING_LOCATION_UPDATED'])
    assert.deepEqual(events('calcom', { type: 'paid' }), ['BOOKING_PAID'])
    assert.deepEqual(events('calcom', { type: 'refunded' }), [])
  })

  it('is as Calendly has it, where requests are silent until they are approved', () => {
    const wasRequest = { previousStatus: 'PendingApproval' } as const
    assert.deepEqual(events('calendly', {}), ['invitee.created'])
    assert.deepEqual(events('calendly', { status: 'PendingApproval' }), [])
    assert.deepEqual(events('calendly', { type: 'approved', ...wasRequest }), ['invitee.created'])
    assert.deepEqual(events('calendly', { type: 'declined', status: 'Declined', ...wasRequest }), [])
    assert.deepEqual(events('calendly', { type: 'cancelled', status: 'Cancelled', ...wasRequest }), [])
    assert.deepEqual(events('calendly', { type: 'cancelled', status: 'Cancelled' }), ['invitee.canceled'])
    const moved = { type: 'rescheduled', previousStartsAt: HOUR } as const
    assert.deepEqual(events('calendly', moved), ['invitee.canceled', 'invitee.created'])
    assert.deepEqual(events('calendly', { ...moved, status: 'PendingApproval' }), ['invitee.canceled'])
    assert.deepEqual(events('calendly', { ...moved, ...wasRequest }), ['invitee.created'])
    assert.deepEqual(events('calendly', { type: 'no_show', status: 'NoShow' }), ['invitee_no_show.created'])
    assert.deepEqual(events('calendly', { type: 'completed', status: 'Completed' }), [])
    for (const type of ['reassigned', 'updated'] as const) assert.deepEqual(events('calendly', { type }), [])
    assert.deepEqual(events('calendly', { type: 'paid' }), [])
  })
})

describe('a message in the words of Cal.com', () => {
  it('has the booking in its fields, with numbers for ids', () => {
    const told = change({ type: 'rescheduled', by: 'guest', previousStartsAt: HOUR, reason: 'A delay' })
    const [{ triggerEvent, createdAt, payload, ...others }] = tell('calcom', { change: told })
    assert.deepEqual([triggerEvent, others], ['BOOKING_RESCHEDULED', {}])
    assert.equal(Date.parse(createdAt), told.at)
    assert.equal(Date.parse(payload.startTime), told.startsAt)
    assert.equal(Date.parse(payload.endTime), told.endsAt)
    assert.equal(Date.parse(payload.rescheduleStartTime), HOUR)
    assert.equal(Date.parse(payload.rescheduleEndTime), HOUR + told.endsAt - told.startsAt)
    assert.deepEqual(
      [payload.bookingId, payload.eventTypeId, payload.organizer.id, payload.team.id],
      [11, 33, 22, 22],
    )
    assert.equal(payload.uid, payload.rescheduleUid)
    assert.deepEqual([payload.type, payload.length, payload.status], ['talk', 30, 'ACCEPTED'])
    assert.equal(payload.rescheduledBy, 'grace@guests.example')
    assert.equal(payload.metadata.videoCallUrl, 'https://meet.example/room')
    const [guest, friend] = payload.attendees
    assert.deepEqual(
      [guest.name, guest.firstName, guest.lastName, guest.email, guest.timeZone, guest.language.locale],
      ['Grace Guest', 'Grace', 'Guest', 'grace@guests.example', 'Europe/Berlin', 'de'],
    )
    assert.equal(guest.utcOffset, 60)
    assert.equal(friend.email, 'friend@guests.example')
    assert.equal(payload.responses.email.value, 'grace@guests.example')
    assert.deepEqual(payload.responses.guests.value, ['friend@guests.example'])
    assert.equal(payload.responses.rescheduleReason.value, 'A delay')
    assert.deepEqual(payload.userFieldsResponses.topic, {
      label: 'What about?',
      value: 'Plans',
      isHidden: false,
    })
  })

  it('says who did not come, and has the fields of an ended meeting beside its payload', () => {
    const [missed] = tell('calcom', { change: change({ type: 'no_show', status: 'NoShow' }) })
    assert.deepEqual(missed.payload.attendees, [{ email: 'grace@guests.example', noShow: true }])
    assert.equal(missed.payload.bookingId, 11)
    const [ended] = tell('calcom', { change: change({ type: 'completed', status: 'Completed' }) })
    assert.deepEqual([ended.id, ended.payload.id, ended.eventType.title], [11, 11, 'Talk'])
  })

  it('has the answers to a form by their names, with the options that were chosen', () => {
    const [{ payload, ...root }] = tell('calcom', { form })
    assert.deepEqual([root.triggerEvent, root.mail, root.size], ['FORM_SUBMITTED', form.answers.mail, 's'])
    assert.deepEqual(payload, {
      formId: 'f',
      formName: 'Contact',
      teamId: 22,
      responses: {
        size: { value: 's', response: { id: 's', label: 'Small' } },
        mail: { value: form.answers.mail, response: form.answers.mail },
      },
    })
  })
})

describe('a message in the words of Calendly', () => {
  it('has the guest and their meeting', () => {
    const told = change()
    const [{ event, created_by, payload }] = tell('calendly', { change: told })
    assert.deepEqual([event, created_by], ['invitee.created', `${publicUrl}/v2/calendly/users/owner`])
    const uris = calendlyUris(publicUrl, { id: 'b', startsAt: told.startsAt })
    assert.deepEqual(
      [payload.uri, payload.event, payload.scheduled_event.uri],
      [uris.invitee, uris.event, uris.event],
    )
    assert.deepEqual(
      [payload.name, payload.email, payload.timezone, payload.status, payload.rescheduled],
      ['Grace Guest', 'grace@guests.example', 'Europe/Berlin', 'active', false],
    )
    assert.deepEqual(payload.questions_and_answers, [
      { question: 'What about?', answer: 'Plans', position: 0 },
    ])
    assert.deepEqual([payload.tracking.utm_source, payload.tracking.utm_medium], ['news', null])
    const { scheduled_event: meeting } = payload
    assert.equal(Date.parse(meeting.start_time), told.startsAt)
    assert.match(meeting.start_time, /\.\d{6}Z$/)
    assert.equal(meeting.location.join_url, 'https://meet.example/room')
    assert.equal(meeting.event_guests[0].email, 'friend@guests.example')
    assert.equal(meeting.event_memberships[0].user_email, 'crew@hosts.example')
  })

  it('cancels and books again what is moved, each naming the other', () => {
    const told = change({ type: 'rescheduled', by: 'host', previousStartsAt: HOUR, reason: 'Ill' })
    const [canceled, created] = tell('calendly', { change: told }).map(({ payload }) => payload)
    assert.deepEqual([canceled.rescheduled, canceled.status], [true, 'canceled'])
    assert.equal(Date.parse(canceled.scheduled_event.start_time), HOUR)
    assert.deepEqual([canceled.cancellation.reason, canceled.cancellation.canceler_type], ['Ill', 'host'])
    assert.deepEqual([canceled.new_invitee, created.old_invitee], [created.uri, canceled.uri])
    assert.notEqual(canceled.uri, created.uri)
    assert.deepEqual([canceled.old_invitee, created.new_invitee, created.status], [null, null, 'active'])
    assert.equal(created.cancellation, undefined)
  })

  it('has the answers to a form in words', () => {
    const [{ event, payload }] = tell('calendly', { form })
    assert.equal(event, 'routing_form_submission.created')
    assert.deepEqual(
      payload.questions_and_answers.map(({ question, answer }: Record<string, string>) => [question, answer]),
      [
        ['Size', 'Small'],
        ['Email', 'a@guests.example'],
      ],
    )
    assert.deepEqual(payload.result, { type: 'event_type', value: `${publicUrl}/v2/calendly/event_types/e` })
  })
})

describe('a webhook of another format', () => {
  const webhook = (format: WebhookFormat, chosen: readonly string[]) => ({
    url: 'https://example.com/',
    format,
    events: chosen as [],
    eventTypeIds: [],
    active: true,
  })

  it('can choose events by our names or by those of its format, and by no others', () => {
    for (const format of WEBHOOK_FORMATS)
      checkWebhook(webhook(format, [...WEBHOOK_EVENTS, ...EVENTS_OF[format]]))
    assert.throws(() => checkWebhook(webhook('standard', ['BOOKING_CREATED'])), /must be one of/)
    assert.throws(() => checkWebhook(webhook('calendly', ['BOOKING_CREATED'])), /must be one of/)
    const moved = webhook('calendly', ['invitee.created'])
    assert.ok(wants(moved, 'booking.rescheduled', null, 'invitee.created'))
    assert.ok(!wants(moved, 'booking.rescheduled', null, 'invitee.canceled'))
    assert.ok(
      wants(webhook('calendly', ['booking.rescheduled']), 'booking.rescheduled', null, 'invitee.canceled'),
    )
  })

  it('takes a secret of any text, and ours takes none', () => {
    checkOwnSecret('s', 'calcom')
    checkOwnSecret('x'.repeat(256), 'calendly')
    for (const [secret, format] of [
      ['s', 'standard'],
      ['', 'calcom'],
      ['x'.repeat(257), 'calendly'],
    ] as const)
      assert.throws(() => checkOwnSecret(secret, format), { code: 'invalid' })
  })

  it('has a sample of each of its events, marked as a test', () => {
    for (const format of ['calcom', 'calendly'] as const) {
      const sampled = { format, scheduler, publicUrl, now: HOUR }
      for (const event of EVENTS_OF[format]) {
        const [sample, ...others] = sampleTellings(event, sampled)
        assert.ok(sample)
        assert.deepEqual([sample.event, others], [event, []])
        assert.equal((sample.body as { payload: { test: boolean } }).payload.test, true)
      }
      assert.deepEqual(sampleTellings('message.failed', sampled), [])
    }
  })
})

describe('a stored message', () => {
  const gone = {
    invitee: { name: 'Erased guest', email: '', phone: '', timeZone: 'UTC', locale: 'en' },
    guests: [],
    location: { type: 'Link', value: '' } as const,
    customFields: {},
    notes: '',
    utm: {},
  }

  it('keeps nothing of a guest who is erased, nor of one whom they brought', () => {
    const told: Partial<BookingChange>[] = [
      { by: 'guest', reason: 'Grace is ill', type: 'cancelled', status: 'Cancelled' },
      { by: 'guest', reason: 'Grace is late', type: 'rescheduled', previousStartsAt: HOUR },
      { reason: 'Not you, Grace', type: 'declined', status: 'Declined' },
      { type: 'no_show', status: 'NoShow' },
      { type: 'completed', status: 'Completed' },
      { type: 'updated', previousLocation: 'https://meet.example/grace' },
      { type: 'reassigned', reason: 'Grace knows her' },
      { type: 'paid' },
    ]
    for (const format of WEBHOOK_FORMATS) {
      for (const given of told) {
        for (const message of tell(format, { change: change(given) })) {
          const erased = JSON.stringify(messageAbout(message, gone))
          assert.doesNotMatch(erased, /grace|1234567|plans|friend|"news"|meet\.example/i, erased)
          assert.match(erased, /Talk|"b_|noShow|attendees/)
          const kept = JSON.stringify(messageAbout(message, { ...change().booking, guests: [] }))
          assert.doesNotMatch(kept, /friend/)
          assert.match(kept, /grace@/)
        }
      }
    }
  })

  it('keeps only those answers to a form that are left', () => {
    for (const format of WEBHOOK_FORMATS) {
      const [message] = tell(format, { form })
      const left = JSON.stringify(messageWithAnswers(message, { size: 's' }))
      assert.doesNotMatch(left, /a@guests/)
      assert.match(left, /"size"/)
    }
  })
})
