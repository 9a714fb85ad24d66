import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type CalcomApiStandIn, startCalcomApi } from '../../../test/outside/calcom-api.ts'
import type { SourceTable } from '../../domain/imports/source.ts'
import { Problem } from '../../domain/problem.ts'
import { createGuard } from '../network/guard.ts'
import { readCalcomApi } from './calcom-api.ts'
import type { Progress, Read } from './reading.ts'

const guard = createGuard({ allowPrivate: true })

describe('readCalcomApi', () => {
  let organization: CalcomApiStandIn
  let person: CalcomApiStandIn
  let waits: number[] = []

  before(async () => {
    ;[organization, person] = await Promise.all([
      startCalcomApi(),
      startCalcomApi({ organization: false, bookings: 3 }),
    ])
  })
  after(async () => {
    await organization?.close()
    await person?.close()
  })
  beforeEach(() => {
    waits = []
    organization.behave()
    person.behave()
  })

  const read = (api: CalcomApiStandIn, values: object = {}) =>
    Array.fromAsync(
      readCalcomApi(
        { api: api.url, token: api.token, ...values },
        { guard, wait: async (duration) => waits.push(duration), ...values },
      ),
    )
  const rowsOf = (all: readonly Read[], table: SourceTable) =>
    all.flatMap((one) => ('row' in one && one.table === table ? [one.row] : []))

  it('gives the rows of an organization', async () => {
    const seen: Progress[] = []
    const all = await read(organization, { onProgress: (progress: Progress) => seen.push(progress) })
    const counts: Partial<Record<SourceTable | 'note', number>> = {}
    for (const one of all) {
      const kind = 'note' in one ? 'note' : one.table
      counts[kind] = (counts[kind] ?? 0) + 1
    }
    assert.deepEqual(counts, {
      note: 2,
      Team: 2,
      users: 2,
      Profile: 2,
      Membership: 3,
      Schedule: 2,
      Availability: 4,
      OutOfOfficeEntry: 1,
      EventType: 4,
      HashedLink: 2,
      Webhook: 3,
      Host: 2,
      Attribute: 1,
      AttributeOption: 2,
      AttributeToUser: 1,
      App_RoutingForms_Form: 1,
      Booking: 130,
      Attendee: 132,
      BookingSeat: 2,
    })
    const last = seen.at(-1)
    assert.ok(last !== undefined && last.done === last.total)
    assert.equal(new Set(rowsOf(all, 'Booking').map(({ id }) => id)).size, 130)
  })

  it('writes event types, hours and hosts as the tables have them', async () => {
    const all = await read(organization)
    const [type] = rowsOf(all, 'EventType')
    assert.deepEqual(type, {
      id: 1001,
      title: 'Type 1001',
      slug: 'type-1001',
      description: '',
      length: 30,
      hidden: false,
      userId: 1,
      locations: [
        { type: 'integrations:daily' },
        { type: 'inPerson', address: '1 Example Street', displayLocationPublicly: true },
        { type: 'phone' },
        { type: 'conferencing' },
      ],
      bookingFields: [
        { name: 'name', type: 'name', label: 'Name', required: true, editable: 'system' },
        {
          name: 'plan',
          type: 'select',
          label: 'Plan',
          required: false,
          hidden: false,
          options: [
            { label: 'Free', value: 'Free' },
            { label: 'Team', value: 'Team' },
          ],
          editable: 'user',
        },
      ],
      disableGuests: false,
      minimumBookingNotice: 60,
      beforeEventBuffer: 5,
      afterEventBuffer: 10,
      recurringEvent: { freq: 2, interval: 1, count: 4 },
      price: 0,
      currency: 'usd',
      seatsPerTimeSlot: 3,
      seatsShowAttendees: false,
      seatsShowAvailabilityCount: true,
      scheduleId: null,
      bookingLimits: { PER_DAY: 2, PER_YEAR: 50 },
      durationLimits: { PER_WEEK: 120 },
      periodType: 'rolling',
      periodDays: 20,
      periodCountCalendarDays: false,
      requiresConfirmation: true,
      requiresConfirmationWillBlockSlot: true,
      metadata: {
        kept: 'yes',
        multipleDuration: [15, 30],
        requiresConfirmationThreshold: { time: 2, unit: 'days' },
      },
    })
    assert.deepEqual(rowsOf(all, 'Host'), [
      { eventTypeId: 3001, userId: 1, isFixed: true, priority: 2, weight: 100 },
      { eventTypeId: 3001, userId: 2, isFixed: false, priority: 3 },
    ])
    assert.deepEqual(rowsOf(all, 'Availability').slice(0, 2), [
      { id: '201-1', scheduleId: 201, days: [1, 0], date: null, startTime: '09:00', endTime: '17:00' },
      { id: '201-2', scheduleId: 201, days: [], date: '2030-02-01', startTime: '10:00', endTime: '12:00' },
    ])
    assert.deepEqual(rowsOf(all, 'AttributeToUser'), [
      { id: '1002-option-europe', memberId: 1002, attributeOptionId: 'option-europe' },
    ])
  })

  it('writes bookings with guests, co-hosts, seats and where they were moved', async () => {
    const all = await read(organization)
    const bookings = rowsOf(all, 'Booking')
    assert.deepEqual(bookings[3], {
      id: 4,
      uid: 'uid-4',
      userId: 1,
      userPrimaryEmail: 'person1@example.org',
      eventTypeId: 1001,
      title: 'Meeting 4',
      description: '',
      startTime: '2030-01-05T09:00:00.000Z',
      endTime: '2030-01-05T09:30:00.000Z',
      createdAt: '2029-12-01T00:00:00.000Z',
      updatedAt: '2029-12-01T00:00:00.000Z',
      location: 'integrations:daily',
      status: 'accepted',
      fromReschedule: 'uid-3',
      metadata: { videoCallUrl: 'https://app.cal.com/video/uid-4' },
      responses: {
        email: 'guest4@example.com',
        name: 'Guest',
        plan: 'Team',
        guests: ['other4@example.com'],
        rescheduleReason: 'A clash',
      },
      iCalUID: 'uid-4@Cal.com',
      noShowHost: false,
    })
    assert.deepEqual([bookings[2]?.rescheduled, bookings[5]?.recurringEventId], [true, 'series-6'])
    const attendees = rowsOf(all, 'Attendee')
    assert.deepEqual(
      attendees.filter(({ bookingId }) => bookingId === 2).map(({ id, email }) => [id, email]),
      [
        ['2-1', 'guest2@example.com'],
        ['2-2', 'person2@example.org'],
      ],
    )
    assert.deepEqual(rowsOf(all, 'BookingSeat')[1], {
      id: 'seat-uid-2',
      referenceUid: 'seat-uid-2',
      bookingId: 5,
      attendeeId: '5-2',
      data: { responses: { plan: 'Team' } },
    })
  })

  it('gives the rows of a person, with their team and hidden event types', async () => {
    const all = await read(person)
    assert.deepEqual(
      rowsOf(all, 'users').map(({ id, email }) => [id, email]),
      [
        [1, 'person1@example.org'],
        [2, 'person2@example.org'],
      ],
    )
    assert.deepEqual(
      rowsOf(all, 'EventType').map(({ id, hidden, teamId }) => [id, hidden, teamId]),
      [
        [1001, false, undefined],
        [1002, true, undefined],
        [3001, false, 101],
      ],
    )
    assert.equal(rowsOf(all, 'Booking').length, 3)
  })

  it('waits as long as it is told, and tries again what failed', async () => {
    const whole = await read(person)
    person.misbehave(
      /bookings/,
      { status: 429, headers: { 'retry-after': '7' } },
      { status: 429 },
      { status: 503 },
      'reset',
    )
    person.misbehave(/schedules/, { status: 429, headers: { 'retry-after': '86400' } })
    assert.deepEqual(await read(person), whole)
    assert.deepEqual(waits, [120_000, 7000, 30_000, 1000, 4000])
  })

  const refuses = async (reading: Promise<unknown>, message: RegExp) => {
    await assert.rejects(reading, (error) => {
      assert.ok(error instanceof Problem, String(error))
      assert.match(error.message, message)
      assert.doesNotMatch(`${error.stack}${error.cause}`, /cal_live|127\.0\.0\.1/)
      return true
    })
  }

  it('says what is wrong, and never the token', async () => {
    await refuses(read(person, { token: 'cal_live_wrong' }), /refused the token/)
    await refuses(read(person, { api: `${person.url}/elsewhere` }), /did not answer as expected/)
    person.misbehave(/me/, 'truncated')
    await refuses(read(person), /did not answer as expected/)
    person.misbehave(/me/, ...Array(4).fill({ status: 500 }))
    await refuses(read(person), /could not be reached/)
    person.misbehave(/me/, ...Array(11).fill({ status: 429 }))
    await refuses(read(person), /refuses more requests/)
    await refuses(read(person, { guard: createGuard({ allowPrivate: false }) }), /https|network|address/)
  })

  it('stops when told to', async () => {
    const stop = new AbortController()
    const onProgress = ({ done }: Progress) => (done === 3 ? stop.abort() : undefined)
    await assert.rejects(read(person, { signal: stop.signal, onProgress }), { name: 'AbortError' })
  })
})
