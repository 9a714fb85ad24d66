import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ANA, EMPTY, linesOf, planOf, sourceOf, TEAM } from '../../../test/imports/rows.ts'
import { checkEventType } from '../event-types/event-type.ts'
import { overlaps } from '../interval.ts'
import { TakenTime } from './meetings/taken-time.ts'
import { MeetingPlanner } from './plan-meetings.ts'
import type { SourceBooking, SourceRow } from './source.ts'

const INTRO: SourceRow = {
  id: 10,
  title: 'Intro',
  slug: 'intro',
  length: 30,
  userId: 1,
  afterEventBuffer: 10,
}
const DEMO: SourceRow = {
  id: 20,
  title: 'Demo',
  slug: 'demo',
  length: 30,
  teamId: 5,
  schedulingType: 'collective',
}
const CLASS: SourceRow = { ...INTRO, id: 30, slug: 'class', seatsPerTimeSlot: 5 }
const WEEKLY: SourceRow = {
  ...INTRO,
  id: 40,
  slug: 'weekly',
  recurringEvent: { freq: 2, interval: 1, count: 4 },
}
const ASKS: SourceRow = {
  ...INTRO,
  id: 50,
  slug: 'asks',
  bookingFields: [
    {
      name: 'topics',
      type: 'multiselect',
      label: 'Topics',
      editable: 'user',
      options: [{ label: 'Tea', value: 't' }],
    },
    {
      name: 'size',
      type: 'select',
      label: 'Size',
      editable: 'user',
      options: [{ label: 'Large', value: 'l' }],
    },
    { name: 'agree', type: 'boolean', label: 'Agree', editable: 'user' },
  ],
}

const TABLES = {
  ...TEAM,
  EventType: [INTRO, DEMO, CLASS, WEEKLY, ASKS],
  Host: [
    { userId: 1, eventTypeId: 20 },
    { userId: 2, eventTypeId: 20 },
  ],
}

const guest = (id: number, more: SourceRow = {}): SourceRow => ({
  id,
  email: `guest${id}@example.com`,
  name: `Guest ${id}`,
  timeZone: 'Asia/Tokyo',
  locale: 'ja',
  ...more,
})

/** A booking of Ana's on 8 June 2026 unless told otherwise; it is the first of June. */
function booking(id: number, row: SourceRow = {}, more: Partial<SourceBooking> = {}): SourceBooking {
  const empty = { seats: [], references: [], notes: [], tracking: [], payments: [] }
  return {
    ...empty,
    attendees: [guest(id)],
    booking: {
      id,
      uid: `uid-${id}`,
      userId: 1,
      eventTypeId: 10,
      title: `Meeting ${id}`,
      status: 'accepted',
      startTime: '2026-06-08T10:00:00.000Z',
      endTime: '2026-06-08T10:30:00.000Z',
      createdAt: `2026-05-01T00:00:${String(id % 60).padStart(2, '0')}.000Z`,
      location: 'https://meet.example.org/x',
      iCalUID: `uid-${id}@Cal.com`,
      iCalSequence: 2,
      ...row,
    },
    ...more,
  }
}

/** Plans these bookings, as a reader would hand them over. */
function planMeetings(bookings: readonly SourceBooking[], tables: Parameters<typeof planOf>[0] = TABLES) {
  const planner = new MeetingPlanner(sourceOf(tables), planOf(tables), EMPTY)
  for (const one of bookings) planner.note(one)
  const extras = planner.extras()
  const verdicts = bookings.map((one) => planner.plan(one))
  return {
    extras,
    lines: Object.values(linesOf({ lines: verdicts.flatMap(({ lines }) => lines) })),
    meetings: verdicts.map(({ meeting }) => meeting?.content),
  }
}

/** The same of one booking. */
function planOne(row: SourceRow = {}, more: Partial<SourceBooking> = {}) {
  const { lines, meetings } = planMeetings([booking(1, row, more)])
  return { line: lines[0] ?? '', meeting: meetings[0], booked: meetings[0]?.bookings[0] }
}

const PAST = { startTime: '2026-05-08T10:00:00Z', endTime: '2026-05-08T10:30:00Z' }

describe('bookings of a source', () => {
  it('come along with their guest, calendar entry and time', () => {
    const { line, meeting } = planOne({
      responses: { notes: 'See you' },
    })
    assert.equal(line, 'new')
    assert.deepEqual(meeting, {
      start: Date.UTC(2026, 5, 8, 10),
      end: Date.UTC(2026, 5, 8, 10, 30),
      eventType: 'EventType/10',
      host: 'users/1',
      hosts: ['users/1'],
      claims: [
        {
          start: Date.UTC(2026, 5, 8, 10),
          end: Date.UTC(2026, 5, 8, 10, 30),
          user: 'users/1',
          bufferBefore: 0,
          bufferAfter: 600_000,
        },
      ],
      seats: 1,
      bookings: [
        {
          key: 'Booking/1',
          oldUid: '',
          status: 'Confirmed',
          seat: 1,
          invitee: {
            name: 'Guest 1',
            email: 'guest1@example.com',
            phone: '',
            timeZone: 'Asia/Tokyo',
            locale: 'ja',
          },
          guests: [],
          notes: 'See you',
          customFields: {},
          utm: {},
          reason: '',
          series: null,
        },
      ],
      uid: 'uid-1@Cal.com',
      oldUid: 'uid-1',
      location: { type: 'Video', value: 'https://meet.example.org/x' },
      createdAt: Date.UTC(2026, 4, 1, 0, 0, 1),
      sequence: 3,
      events: [],
      hostNotes: '',
    })
  })

  const states = [
    [{ status: 'accepted' }, 'Confirmed', 1, /^new$/],
    [{ status: 'accepted', ...PAST }, 'Completed', 1, /^new$/],
    [{ status: 'pending' }, 'PendingApproval', 1, /^new$/],
    [{ status: 'pending', ...PAST }, 'Declined', 0, /Nobody answered the request/],
    [{ status: 'rejected', rejectionReason: 'No' }, 'Declined', 0, /^new$/],
    [{ status: 'cancelled', cancellationReason: 'Ill' }, 'Cancelled', 0, /^new$/],
    [{ status: 'cancelled', rescheduled: true }, 'Cancelled', 0, /^new$/],
    [{ status: 'awaiting_host' }, undefined, 0, /^left-out An instant meeting/],
    [{ status: 'dreamt' }, undefined, 0, /^left-out Its state is not known here/],
  ] as const
  for (const [row, status, claims, says] of states) {
    it(`are ${status ?? 'left out'} with ${JSON.stringify(row)}`, () => {
      const { line, meeting, booked } = planOne(row)
      assert.equal(booked?.status, status)
      assert.equal(meeting?.claims.length ?? 0, claims)
      assert.match(line, says)
    })
  }

  const broken = [
    [{ startTime: 'soon' }, /Its time can’t be read/],
    [{ endTime: '2026-06-07T10:00:00Z' }, /ends before it begins/],
    [{ endTime: '2026-06-10T10:00:00Z' }, /at most 24 hours/],
    [{ userId: 99 }, /Its host does not come along/],
  ] as const
  for (const [row, says] of broken) {
    it(`stay there with ${JSON.stringify(row)}`, () => assert.match(planOne(row).line, says))
  }

  it('stay there without a guest, and twice with the same id', () => {
    assert.match(planOne({}, { attendees: [] }).line, /no guest whose address/)
    const { meetings } = planMeetings([booking(1), booking(1)])
    assert.deepEqual(
      meetings.map((one) => one !== undefined),
      [true, false],
    )
  })

  it('that were moved share the calendar entry of what came of them', () => {
    const { meetings } = planMeetings([
      booking(1, { status: 'cancelled', rescheduled: true }),
      booking(2, { fromReschedule: 'uid-1', status: 'cancelled', rescheduled: true }),
      booking(3, { fromReschedule: 'uid-2', iCalUID: 'kept@example.com' }),
    ])
    assert.deepEqual(
      meetings.map((one) => one?.uid),
      Array(3).fill('kept@example.com'),
    )
  })

  it('that overlap both come along, and the later one claims what is left', () => {
    const { lines, meetings } = planMeetings([
      booking(2, { startTime: '2026-06-08T09:45:00Z', endTime: '2026-06-08T10:45:00Z' }),
      booking(1),
      booking(3, { startTime: '2026-06-08T10:30:00Z', endTime: '2026-06-08T11:00:00Z' }),
    ])
    const minutes = (claims: readonly { start: number; end: number }[] = []) =>
      claims.map(
        ({ start, end }) =>
          `${new Date(start).toISOString().slice(11, 16)}-${new Date(end).toISOString().slice(11, 16)}`,
      )
    assert.deepEqual(
      meetings.map((one) => minutes(one?.claims)),
      [['09:45-10:00', '10:30-10:45'], ['10:00-10:30'], ['10:45-11:00']],
    )
    const note = 'changed Overlaps a meeting of Ana that was booked earlier. Both come along.'
    assert.deepEqual(lines.toSorted(), [note, note, 'new'])
  })

  it('without their event type come under a hidden one of their host', () => {
    const { extras, lines, meetings } = planMeetings([
      booking(1, { eventTypeId: null }),
      booking(2, { eventTypeId: 999, ...PAST }),
    ])
    assert.equal(extras.length, 1)
    const [extra] = extras
    assert.deepEqual(
      [extra?.content.slug, extra?.content.name, extra?.content.settings.hidden, extra?.content.owner],
      ['earlier-meetings', 'Frühere Termine', true, 'users/1'],
    )
    if (extra !== undefined) checkEventType({ ...extra.content.settings, ...extra.content })
    assert.deepEqual(
      meetings.map((one) => one?.eventType),
      [extra?.key, extra?.key],
    )
    assert.match(lines[0] ?? '', /among the earlier meetings of Ana/)
  })

  it('have hosts among their guests, if they host the event type', () => {
    const attendees = [guest(1), { id: 9, email: 'Ben@example.org', name: 'Ben' }, guest(2), guest(1)]
    const { meeting, booked } = planOne({ eventTypeId: 20 }, { attendees })
    assert.deepEqual(meeting?.hosts, ['users/1', 'users/2'])
    assert.deepEqual(
      meeting?.claims.map(({ user }) => user),
      ['users/1', 'users/2'],
    )
    assert.deepEqual(booked?.guests, ['guest2@example.com'])
    const own = planOne({}, { attendees })
    assert.deepEqual(own.booked?.guests, ['Ben@example.org', 'guest2@example.com'])
  })

  it('with seats have a booking for each guest, under their old ids', () => {
    const { meeting } = planOne(
      { eventTypeId: 30, ...PAST },
      {
        attendees: [guest(1), guest(2, { noShow: true }), guest(3)],
        seats: [
          { id: 71, attendeeId: 1, referenceUid: 'seat-1', data: { responses: { notes: 'Front row' } } },
          { id: 72, attendeeId: 2, referenceUid: 'seat-2' },
        ],
      },
    )
    assert.equal(meeting?.seats, 5)
    assert.deepEqual(
      meeting?.bookings.map(({ key, oldUid, seat, status, notes }) => [key, oldUid, seat, status, notes]),
      [
        ['BookingSeat/71', 'seat-1', 1, 'Completed', 'Front row'],
        ['BookingSeat/72', 'seat-2', 2, 'NoShow', ''],
        ['Attendee/3', '', 3, 'Completed', ''],
      ],
    )
  })

  it('of a series know their place, in the order of their starts', () => {
    const at = (day: number) => ({
      eventTypeId: 40,
      recurringEventId: 's',
      startTime: `2026-06-${day}T10:00:00Z`,
      endTime: `2026-06-${day}T10:30:00Z`,
    })
    const { meetings } = planMeetings([
      booking(1, at(22)),
      booking(2, at(15)),
      booking(3, { ...at(16), status: 'cancelled', rescheduled: true }),
    ])
    assert.deepEqual(
      meetings.map((one) => one?.bookings[0]?.series),
      [
        {
          id: 's',
          every: 'week',
          count: 2,
          index: 1,
          firstAt: Date.UTC(2026, 5, 15, 10),
          timeZone: 'Europe/Berlin',
        },
        {
          id: 's',
          every: 'week',
          count: 2,
          index: 0,
          firstAt: Date.UTC(2026, 5, 15, 10),
          timeZone: 'Europe/Berlin',
        },
        null,
      ],
    )
    const alone = planOne({ ...at(22), eventTypeId: 10 })
    assert.match(alone.line, /a series that we can’t continue/)
    assert.equal(alone.booked?.series, null)
  })

  it('keep answers by label, and what else was said', () => {
    const { booked, meeting, line } = planOne(
      {
        eventTypeId: 50,
        location: 'phone',
        smsReminderNumber: '+49 30 654321',
        responses: {
          topics: ['t', 'other'],
          size: 'l',
          agree: true,
          extra: { value: 'phone', optionValue: '+49 30 123456' },
          location: { value: 'phone', optionValue: '+49 30 123456' },
        },
      },
      {
        tracking: [{ utm_source: 'news', utm_term: '' }],
        references: [
          { type: 'google_calendar', uid: 'g1', externalCalendarId: 'ana@example.org' },
          { type: 'office365_calendar', uid: 'm1', deleted: true },
          { type: 'zoom_video', uid: 'z1' },
        ],
        notes: [{ text: 'Was late' }],
        payments: [{ success: true, refunded: false, amount: 2500, currency: 'eur' }],
      },
    )
    assert.deepEqual(booked?.customFields, {
      topics: ['Tea', 'other'],
      size: 'Large',
      agree: true,
      extra: 'phone: +49 30 123456',
    })
    assert.equal(booked?.invitee.phone, '+49 30 654321')
    assert.deepEqual(booked?.utm, { source: 'news' })
    assert.deepEqual(meeting?.location, { type: 'Phone', value: '+49 30 123456' })
    assert.deepEqual(meeting?.events, [{ provider: 'google', eventId: 'g1', calendar: 'ana@example.org' }])
    assert.equal(meeting?.hostNotes, 'Was late')
    assert.match(line, /It was paid there: 25.00 EUR/)
  })
})

describe('the time that meetings take', () => {
  it('is claimed once, and all of it is claimed', () => {
    const meetings = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 1, max: 20 }), fc.nat(5)),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(meetings, (given) => {
        const taken = new TakenTime()
        for (const [index, [start, length, madeAt]] of given.entries())
          taken.add('users/1', index, { start, end: start + length }, madeAt)
        const claims = given.flatMap(
          ([start, length], index) => taken.leftOf('users/1', index) ?? [{ start, end: start + length }],
        )
        for (const [index, one] of claims.entries())
          assert.ok(!claims.some((other, place) => place > index && overlaps(one, other)))
        for (let minute = 0; minute < 80; minute++) {
          const isBusy = given.some(([start, length]) => minute >= start && minute < start + length)
          assert.equal(
            claims.some(({ start, end }) => minute >= start && minute < end),
            isBusy,
          )
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('a planner of meetings', () => {
  it('knows hosts who have an account here', () => {
    const accounts = new Map([['ana@example.org', { slug: 'ana-here', admin: false }]])
    const plan = planOf({ users: [ANA] }, { accounts })
    const planner = new MeetingPlanner(sourceOf({ users: [ANA] }), plan, {
      ...EMPTY,
      slugsOfOwners: new Set(['ana-here/earlier-meetings']),
    })
    planner.note(booking(1))
    assert.equal(planner.extras()[0]?.content.slug, 'earlier-meetings-2')
  })
})
