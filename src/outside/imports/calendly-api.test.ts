import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import {
  CALENDLY_NOW,
  type CalendlyApiStandIn,
  startCalendlyApi,
} from '../../../test/outside/calendly-api.ts'
import type { SourceTable } from '../../domain/imports/source.ts'
import { Problem } from '../../domain/problem.ts'
import { say } from '../../domain/sentence.ts'
import { createGuard } from '../network/guard.ts'
import { readCalendlyApi } from './calendly-api.ts'
import type { Progress, Read } from './reading.ts'

const guard = createGuard({ allowPrivate: true })

describe('readCalendlyApi', () => {
  let admin: CalendlyApiStandIn
  let person: CalendlyApiStandIn
  let waits: number[] = []
  let whole: Read[]

  before(async () => {
    ;[admin, person] = await Promise.all([startCalendlyApi(), startCalendlyApi({ admin: false, events: 3 })])
    whole = await read(admin)
  })
  after(async () => {
    await admin?.close()
    await person?.close()
  })
  beforeEach(() => {
    waits = []
    admin.behave()
    person.behave()
  })

  const read = (from: CalendlyApiStandIn, values: object = {}) =>
    Array.fromAsync(
      readCalendlyApi(
        { api: from.url, token: from.token, ...values },
        { guard, now: () => CALENDLY_NOW, wait: async (duration) => waits.push(duration), ...values },
      ),
    )
  const rowsOf = (all: readonly Read[], table: SourceTable) =>
    all.flatMap((one) => ('row' in one && one.table === table ? [one.row] : []))

  it('gives the rows of an organization, with the last parts of URIs as ids', () => {
    const counts: Partial<Record<SourceTable, number>> = {}
    for (const one of whole) if ('table' in one) counts[one.table] = (counts[one.table] ?? 0) + 1
    assert.deepEqual(counts, {
      Team: 2,
      users: 2,
      Schedule: 2,
      Availability: 14,
      Membership: 4,
      EventType: 3,
      Host: 2,
      App_RoutingForms_Form: 1,
      Webhook: 2,
      Booking: 105,
      Attendee: 108,
      BookingSeat: 2,
      Tracking: 1,
      BookingReference: 210,
    })
    assert.deepEqual(
      whole.flatMap((one) => ('note' in one ? [say(one.note)] : [])),
      ["Calendly's API does not say where routing forms lead. Please add their rules here."],
    )
    assert.deepEqual(rowsOf(whole, 'users')[0], {
      id: 'ME',
      username: 'person-me',
      name: 'Person Me',
      email: 'personme@example.org',
      timeZone: 'Europe/London',
      avatarUrl: null,
      locale: 'en',
      timeFormat: 24,
      created: '2029-09-29T09:00:00.000Z',
      organizationId: 'ORG',
      defaultScheduleId: 'HOURS-ME',
    })
    assert.deepEqual(rowsOf(whole, 'Availability').slice(4, 7), [
      {
        id: 'HOURS-ME-5',
        scheduleId: 'HOURS-ME',
        days: [5],
        date: null,
        startTime: '09:00',
        endTime: '17:00',
      },
      {
        id: 'HOURS-ME-6',
        scheduleId: 'HOURS-ME',
        days: [],
        date: '2030-02-01',
        startTime: '10:00',
        endTime: '12:00',
      },
      {
        id: 'HOURS-ME-7',
        scheduleId: 'HOURS-ME',
        days: [],
        date: '2030-02-04',
        startTime: '00:00',
        endTime: '00:00',
      },
    ])
    assert.deepEqual(
      rowsOf(whole, 'Webhook').map(({ id, userId, teamId, eventTriggers }) => [
        id,
        userId,
        teamId,
        eventTriggers,
      ]),
      [
        ['HOOK-ORG', null, 'ORG', ['BOOKING_CREATED', 'BOOKING_CANCELLED', 'contact.created']],
        ['HOOK-ME', 'ME', null, ['BOOKING_CREATED', 'BOOKING_CANCELLED', 'contact.created']],
      ],
    )
  })

  it('guesses notice, window, limits and seats from what is offered, and says which are guesses', () => {
    const [solo, group, robin] = rowsOf(whole, 'EventType')
    assert.deepEqual(solo, {
      id: 'SOLO',
      title: 'Type SOLO',
      slug: 'solo',
      description: 'About it',
      length: 30,
      hidden: false,
      userId: 'ME',
      teamId: null,
      schedulingType: null,
      locations: [
        { type: 'inPerson', address: '1 Example Street' },
        { type: 'integrations:zoom' },
        { type: 'userPhone', hostPhoneNumber: '+441632960000' },
        { type: 'phone' },
      ],
      bookingFields: [
        { name: 'a1', type: 'text', label: 'Company', required: true, hidden: false, editable: 'user' },
        {
          name: 'a2',
          type: 'checkbox',
          label: 'Topics',
          required: false,
          hidden: false,
          options: [
            { label: 'Prices', value: 'Prices' },
            { label: 'Hosting', value: 'Hosting' },
          ],
          editable: 'user',
        },
      ],
      slotInterval: 15,
      beforeEventBuffer: 5,
      afterEventBuffer: 10,
      minimumBookingNotice: 1440,
      periodType: 'rolling',
      periodDays: 60,
      periodCountCalendarDays: true,
      createdAt: '2029-10-09T09:00:00.000Z',
      updatedAt: '2029-10-09T09:00:00.000Z',
      metadata: {
        multipleDuration: [30, 60],
        guessed: ['minimumBookingNotice', 'periodType', 'periodDays', 'periodCountCalendarDays'],
      },
    })
    assert.deepEqual(
      [group?.hidden, group?.periodType, group?.seatsPerTimeSlot, group?.metadata],
      [
        true,
        'unlimited',
        8,
        { multipleDuration: [30, 60], guessed: ['minimumBookingNotice', 'periodType', 'seatsPerTimeSlot'] },
      ],
    )
    assert.deepEqual(
      [
        robin?.teamId,
        robin?.schedulingType,
        robin?.minimumBookingNotice,
        robin?.periodDays,
        robin?.bookingLimits,
      ],
      ['SALES', 'roundRobin', 60, 14, { PER_DAY: 2 }],
    )
    assert.deepEqual(rowsOf(whole, 'Team')[1], {
      id: 'SALES',
      name: 'Sales',
      slug: 'example-sales',
      parentId: 'ORG',
    })
    assert.deepEqual(rowsOf(whole, 'Host'), [
      { eventTypeId: 'ROBIN', userId: 'ME', isFixed: false },
      { eventTypeId: 'ROBIN', userId: 'OTHER', isFixed: false },
    ])
  })

  it('writes bookings with guests, co-hosts, seats and where they were moved', () => {
    const bookings = rowsOf(whole, 'Booking')
    assert.deepEqual(bookings[3], {
      id: 'EVENT-4',
      uid: 'EVENT-4',
      userId: 'ME',
      userPrimaryEmail: 'personme@example.org',
      eventTypeId: 'SOLO',
      title: 'Meeting 4',
      description: null,
      startTime: '2029-11-22T09:00:00.000Z',
      endTime: '2029-11-22T09:30:00.000Z',
      createdAt: '2029-11-12T09:00:00.000Z',
      updatedAt: '2029-11-12T09:00:00.000Z',
      location: 'https://zoom.us/j/4',
      status: 'accepted',
      fromReschedule: 'EVENT-3',
      metadata: { videoCallUrl: 'https://zoom.us/j/4' },
      responses: { name: 'Guest 4', email: 'guest4-1@example.com', a1: 'Example Ltd' },
    })
    const { status, rescheduled, cancellationReason } = bookings[2] ?? {}
    assert.deepEqual([status, rescheduled, cancellationReason], ['cancelled', true, 'A clash'])
    const guestsOf = (id: string) =>
      rowsOf(whole, 'Attendee').flatMap(({ bookingId, email }) => (bookingId === id ? [email] : []))
    assert.deepEqual(guestsOf('EVENT-2'), ['guest2-1@example.com', 'guest2-2@example.com'])
    assert.deepEqual(guestsOf('EVENT-3'), ['guest3-1@example.com'])
    assert.deepEqual(guestsOf('EVENT-5'), ['guest5-1@example.com', 'personother@example.org'])
    assert.deepEqual(guestsOf('EVENT-6'), ['guest6-1@example.com', 'colleague@example.com'])
    assert.equal(rowsOf(whole, 'Attendee').find(({ bookingId }) => bookingId === 'EVENT-7')?.noShow, true)
    assert.deepEqual(rowsOf(whole, 'Tracking'), [
      { id: 'INVITEE-1-1', bookingId: 'EVENT-1', utm_source: 'newsletter' },
    ])
    assert.deepEqual(rowsOf(whole, 'BookingReference').slice(0, 2), [
      { id: 'EVENT-1-calendar', bookingId: 'EVENT-1', type: 'google_calendar', uid: 'google-1' },
      {
        id: 'EVENT-1-video',
        bookingId: 'EVENT-1',
        type: 'zoom_video',
        uid: 'EVENT-1',
        meetingUrl: 'https://zoom.us/j/1',
      },
    ])
  })

  it('reads a person’s own account without an admin’s token', async () => {
    const seen: Progress[] = []
    const all = await read(person, { onProgress: (progress: Progress) => seen.push(progress) })
    assert.deepEqual(
      rowsOf(all, 'users').map(({ id }) => id),
      ['ME'],
    )
    assert.deepEqual(
      rowsOf(all, 'EventType').map(({ id }) => id),
      ['SOLO', 'GROUP'],
    )
    assert.deepEqual([rowsOf(all, 'Booking').length, rowsOf(all, 'Webhook').length], [3, 1])
    const last = seen.at(-1)
    assert.ok(last !== undefined && last.done === last.total)
  })

  it('waits and tries again, and says what is wrong without the token', async () => {
    const all = await read(person)
    person.misbehave(/invitees/, { status: 429, headers: { 'x-ratelimit-reset': '20' } }, { status: 502 })
    assert.deepEqual(await read(person), all)
    assert.deepEqual(waits, [20_000, 1000])
    const refuses = (reading: Promise<unknown>, message: RegExp) =>
      assert.rejects(reading, (error) => {
        assert.ok(error instanceof Problem, String(error))
        assert.match(error.message, message)
        assert.doesNotMatch(`${error.stack}${error.cause}`, /token-of-the-tests|127\.0\.0\.1/)
        return true
      })
    await refuses(read(person, { token: 'token-of-the-tests' }), /refused the token/)
    person.misbehave(/me/, { status: 200, body: { resource: {} } })
    await refuses(read(person), /did not answer as expected/)
  })
})
