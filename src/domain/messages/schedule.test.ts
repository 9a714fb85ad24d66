import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BOOKING_STATUSES } from '../bookings/booking.ts'
import { DAY, HOUR, MINUTE } from '../interval.ts'
import { say } from '../sentence.ts'
import { MESSAGE_DEFAULTS, type Message } from './message.ts'
import { MOMENTS } from './moments.ts'
import { decideDue, occasionOf, planChange } from './schedule.ts'
import { timelineOf } from './timeline.ts'

const message = (given: Partial<Message> = {}): Message => ({
  id: `m-${given.on}-${given.minutes}-${given.to}`,
  schedulerId: 'ada',
  createdAt: 0,
  name: 'Thanks',
  on: 'booked',
  ...MESSAGE_DEFAULTS,
  texts: { en: { subject: 'Hello', body: 'Bye' } },
  ...given,
})
const NOW = Date.UTC(2027, 0, 11)
const STARTS = NOW + 3 * DAY
const times = { startsAt: STARTS, endsAt: STARTS + HOUR }
const change = {
  ...times,
  eventTypeId: 'talk',
  at: NOW,
  isToldElsewhere: false,
  status: 'Confirmed',
} as const

describe('planning', () => {
  const all = [
    message(),
    message({ on: 'before', minutes: 60 }),
    message({ on: 'before', minutes: 4 * 1440 }),
    message({ on: 'after', minutes: 30 }),
    message({ on: 'cancelled' }),
    message({ on: 'approved' }),
    message({ on: 'booked', replaces: true }),
    message({ on: 'booked', enabled: false }),
    message({ on: 'booked', eventTypeIds: ['other'] }),
  ]
  const planned = (given: Partial<Parameters<typeof planChange>[0]>) =>
    planChange({ type: 'created', ...change, ...given }, all).map(
      ({ message: { on }, dueAt }) => `${on} ${(dueAt - NOW) / MINUTE}`,
    )

  it('plans what a booking promises, except what has passed', () => {
    assert.deepEqual(planned({}), ['booked 0', 'before 4260', 'after 4410'])
    assert.deepEqual(planned({ type: 'approved' }), ['before 4260', 'after 4410', 'approved 0'])
    assert.deepEqual(planned({ type: 'rescheduled' }), ['before 4260', 'after 4410'])
    assert.deepEqual(planned({ type: 'cancelled', status: 'Cancelled' }), ['cancelled 0'])
    assert.deepEqual(planned({ status: 'PendingApproval' }), [])
    assert.deepEqual(planned({ type: 'completed', status: 'Completed' }), [])
    assert.deepEqual(planned({ type: 'reassigned' }), [])
  })

  it('lets one booking of a series speak for all, but each has its own times', () => {
    assert.deepEqual(planned({ isToldElsewhere: true }), ['before 4260', 'after 4410'])
  })

  it('decides by the booking as it is when a message is due', () => {
    const booking = { ...times, status: 'Confirmed', eventTypeId: 'talk' } as const
    const before = message({ on: 'before', minutes: 60 })
    const dueAt = STARTS - HOUR
    const decide = (given: Partial<Parameters<typeof decideDue>[0]>) => {
      const verdict = decideDue({ booking, message: before, dueAt, now: dueAt, ...given })
      return verdict.kind === 'skip' ? say(verdict.reason) : verdict.kind
    }
    assert.equal(decide({}), 'send')
    assert.equal(decide({ booking: { ...booking, status: 'Cancelled' } }), 'The booking was cancelled.')
    assert.equal(decide({ booking: { ...booking, startsAt: STARTS + HOUR } }), 'dropped')
    assert.equal(decide({ message: { ...before, enabled: false } }), 'dropped')
    assert.equal(decide({ message: { ...before, minutes: 30 } }), 'dropped')
    assert.equal(decide({ message: { ...before, eventTypeIds: ['other'] } }), 'dropped')
    assert.equal(decide({ message: undefined }), 'dropped')
    assert.equal(decide({ now: STARTS }), 'The meeting had already started.')
    const after = { message: message({ on: 'after', minutes: 60 }), dueAt: STARTS + 2 * HOUR }
    assert.equal(decide({ ...after, now: STARTS + 2 * HOUR + DAY }), 'send')
    assert.equal(decide({ ...after, now: STARTS + 2 * HOUR + DAY + 1 }), 'It was more than 24 hours late.')
    assert.equal(decide({ ...after, booking: { ...booking, status: 'Completed' } }), 'send')
    assert.equal(decide({ ...after, booking: { ...booking, status: 'NoShow' } }), 'The guest did not come.')
  })

  it('never tells a cancelled, declined or missed guest of a meeting', () => {
    for (const on of MOMENTS.filter((one) => one !== 'unbooked')) {
      const minutes = on === 'before' || on === 'after' ? 60 : null
      const dueAt = on === 'before' ? STARTS - HOUR : on === 'after' ? STARTS + 2 * HOUR : NOW
      const sent = BOOKING_STATUSES.filter((status) => {
        const booking = { ...times, status, eventTypeId: 'talk' }
        return decideDue({ booking, message: message({ on, minutes }), dueAt, now: dueAt }).kind === 'send'
      })
      const own =
        on === 'cancelled'
          ? ['Cancelled']
          : on === 'declined'
            ? ['Declined']
            : on === 'no-show'
              ? ['NoShow']
              : []
      assert.deepEqual(
        sent.filter((status) => ['Cancelled', 'Declined', 'NoShow'].includes(status)),
        own,
        on,
      )
    }
  })

  it('sends again only before a meeting that was moved, or in a mail of the service', () => {
    assert.equal(occasionOf(message(), STARTS, 'c1'), occasionOf(message(), STARTS + HOUR, 'c2'))
    const before = message({ on: 'before', minutes: 60 })
    assert.notEqual(occasionOf(before, STARTS, 'c1'), occasionOf(before, STARTS + HOUR, 'c1'))
    const replacing = message({ replaces: true })
    assert.notEqual(occasionOf(replacing, STARTS, 'c1'), occasionOf(replacing, STARTS, 'c2'))
  })
})

describe('a timeline', () => {
  const eventType = { id: 'talk', requiresApproval: false, reminderMinutes: [1440, 60] }
  const messages = [
    message({ on: 'booked', replaces: true }),
    message({ on: 'before', minutes: 2880 }),
    message({ on: 'before', minutes: 60, replaces: true }),
    message({ on: 'after', minutes: 60 }),
    message({ on: 'no-show' }),
    message({ on: 'cancelled', to: 'hosts' }),
    message({ on: 'after', minutes: 30, enabled: false }),
  ]
  const lines = (given: Partial<Parameters<typeof timelineOf>[0]> = {}, of = messages) =>
    timelineOf({ eventType, ...times, now: NOW, branch: undefined, ...given }, of).map(
      ({ at, when, to, message, standard }) =>
        `${(at - NOW) / HOUR} ${say(when)}: ${to} ${message === undefined ? `standard ${standard}` : 'own'}`,
    )

  it('has all that guest and hosts get, in order', () => {
    assert.deepEqual(lines(), [
      '0 When it is booked: hosts standard booked',
      '0 When it is booked: guest own',
      '24 2 days before the start: guest own',
      '48 A day before the start: guest standard reminder',
      '48 A day before the start: hosts standard reminder',
      '71 An hour before the start: hosts standard reminder',
      '71 An hour before the start: guest own',
      '74 An hour after the end: guest own',
    ])
  })

  it('shows what changes if it is cancelled, moved or missed', () => {
    assert.deepEqual(lines({ branch: 'cancelled' }).slice(2), [
      '0 When it is cancelled: guest standard cancelled',
      '0 When it is cancelled: hosts standard cancelled',
      '0 When it is cancelled: hosts own',
    ])
    const approving = { ...eventType, requiresApproval: true }
    assert.deepEqual(lines({ branch: 'declined', eventType: approving }), [
      '0 When it is requested: guest standard requested',
      '0 When it is requested: hosts standard requested',
      '0 When it is declined: guest standard declined',
      '0 When it is declined: hosts standard declined',
    ])
    assert.deepEqual(lines({ branch: 'declined' }), lines({}))
    assert.ok(lines({ branch: 'rescheduled' }).includes('0 When it is moved: guest standard rescheduled'))
    assert.equal(lines({ branch: 'no-show' }).at(-1), '73 When the guest did not come: guest own')
  })

  it('asks for approval first where that is needed', () => {
    assert.deepEqual(
      lines({ eventType: { ...eventType, requiresApproval: true, reminderMinutes: [] } }, []),
      [
        '0 When it is requested: guest standard requested',
        '0 When it is requested: hosts standard requested',
        '0 When it is approved: guest standard approved',
        '0 When it is approved: hosts standard approved',
      ],
    )
  })

  it('leaves out what would come too late', () => {
    assert.deepEqual(lines({ now: STARTS - HOUR / 2, branch: undefined }, []).length, 2)
  })
})
