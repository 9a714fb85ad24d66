import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ANA, itemOf, linesOf, planOf, TEAM } from '../../../../test/imports/rows.ts'
import { EVENT_TYPE_DEFAULTS } from '../../event-types/event-type.ts'
import type { Here } from '../plan.ts'
import type { SourceRow } from '../source.ts'
import { smallestRatio } from './plan-hosts.ts'

const INTRO: SourceRow = {
  id: 10,
  title: 'Intro',
  slug: 'intro',
  length: 30,
  userId: 1,
  teamId: null,
  hidden: false,
  disableGuests: false,
  minimumBookingNotice: 120,
  periodType: 'unlimited',
  locations: [{ type: 'integrations:zoom' }],
  position: 0,
}

const DEMO: SourceRow = { ...INTRO, id: 20, title: 'Demo', slug: 'demo', userId: null, teamId: 5 }

/** The settings of one event type, and what its line says. */
function planned(more: SourceRow, tables: Parameters<typeof planOf>[0] = {}, here: Partial<Here> = {}) {
  const row = { ...INTRO, ...more }
  const plan = planOf({ ...TEAM, EventType: [row], ...tables }, here)
  const { content } = itemOf(plan, 'event-type', `EventType/${row.id}`)
  return { ...content, ...content.settings, line: linesOf(plan)[`EventType/${row.id}`] ?? '' }
}

describe('event types of a source', () => {
  it('come along as they are', () => {
    const { settings, line, owner, hosts, slug } = planned({})
    assert.equal(line, 'new')
    assert.deepEqual(settings, {
      ...EVENT_TYPE_DEFAULTS,
      maxGuests: 10,
      window: { kind: 'unlimited' },
      location: { type: 'Video', value: '', provider: 'zoom' },
      reminderMinutes: [],
    })
    assert.deepEqual([owner, slug], ['users/1', 'intro'])
    assert.deepEqual(hosts, [{ user: 'users/1', fixed: false, weight: 1 }])
  })

  const windows = [
    [
      { periodType: 'rolling', periodDays: 14, periodCountCalendarDays: true },
      { kind: 'rolling', days: 14 },
      /^new$/,
    ],
    [
      { periodType: 'rolling', periodDays: 14, periodCountCalendarDays: false },
      { kind: 'rolling', days: 14, businessDays: true },
      /^new$/,
    ],
    [{ periodType: 'rolling_window', periodDays: 7 }, { kind: 'rolling', days: 7 }, /reached over 7 days/],
    [
      { periodType: 'range', periodStartDate: '2026-07-01T00:00:00Z', periodEndDate: '2026-07-30T22:00:00Z' },
      { kind: 'fixed', from: '2026-07-01', to: '2026-07-31' },
      /^new$/,
    ],
    [{ periodType: 'range' }, { kind: 'unlimited' }, /can’t be read/],
    [{ periodType: 'moon' }, { kind: 'unlimited' }, /kind of booking window is not known/],
  ] as const
  for (const [row, window, says] of windows) {
    it(`have the window ${JSON.stringify(row)}`, () => {
      const { settings, line } = planned(row)
      assert.deepEqual(settings.window, window)
      assert.match(line, says)
    })
  }

  it('have their lengths, starts, buffers and limits', () => {
    const { settings, line } = planned({
      metadata: { multipleDuration: [15, 30, 60, 30] },
      slotInterval: 20,
      beforeEventBuffer: 10,
      bookingLimits: { PER_DAY: 3, PER_WEEK: 5 },
      durationLimits: { PER_YEAR: 600 },
      recurringEvent: { freq: 2, interval: 2, count: 12 },
      minimumRescheduleNotice: 60,
    })
    assert.deepEqual(settings.durations, [15, 30, 60])
    assert.deepEqual(settings.limits, { day: 3, week: 5, month: null, year: null })
    assert.equal(settings.limitMinutes.year, 600)
    assert.deepEqual(settings.series, { every: ['2 weeks'], most: 12 })
    assert.deepEqual([settings.intervalMinutes, settings.rescheduleNoticeMinutes], [20, 60])
    assert.match(line, /^changed Buffers of two meetings.*Weeks begin on Sunday/)
  })

  it('say where starts differ, because hours open at another minute', () => {
    const tables = {
      Schedule: [{ id: 1, userId: 1, name: 'Office' }],
      Availability: [{ id: 1, scheduleId: 1, days: [1], startTime: '09:10', endTime: '17:00' }],
    }
    assert.match(planned({}, tables).line, /Starts were rounded in the guest’s time zone there/)
  })

  const closed = [
    [{ price: 2500, currency: 'eur' }, /It costs 25.00 EUR there/],
    [{ metadata: { apps: { stripe: { enabled: true, price: 900, currency: 'usd' } } } }, /9.00 USD/],
    [{ bookingRequiresAuthentication: true }, /Only people with an account/],
    [{ minimumBookingNotice: 5000, periodType: 'rolling', periodDays: 1 }, /left no time to book/],
    [{ durationLimits: { PER_DAY: 15 } }, /left no time to book/],
  ] as const
  for (const [row, says] of closed) {
    it(`are open to private links only with ${JSON.stringify(row)}`, () => {
      const { settings, line } = planned(row)
      assert.equal(settings.linkOnly, true)
      assert.match(line, says)
    })
  }

  it('have the nearest location, and offer a choice for services that we lack', () => {
    const given = [
      { type: 'inPerson', address: 'Main Street 1' },
      { type: 'phone' },
      { type: 'userPhone', hostPhoneNumber: '+49 30 1234567' },
      { type: 'link', link: 'https://meet.example.org/x' },
      { type: 'integrations:daily', customLabel: 'Online' },
      { type: 'integrations:whereby_video', link: 'https://whereby.example.org/y' },
    ]
    const plan = planOf({ users: [ANA], EventType: [{ ...INTRO, locations: given }] })
    const { settings } = itemOf(plan, 'event-type', 'EventType/10').content
    assert.deepEqual(
      settings.locations.map(({ type, value, provider, label }) => [type, value, provider, label]),
      [
        ['InPerson', 'Main Street 1', '', ''],
        ['Phone', '', '', ''],
        ['Phone', '+49 30 1234567', '', ''],
        ['Link', 'https://meet.example.org/x', '', ''],
        ['Video', '', 'jitsi', 'Online'],
        ['Video', 'https://whereby.example.org/y', '', ''],
      ],
    )
    assert.deepEqual(settings.location, { type: 'InPerson', value: 'Main Street 1' })
    assert.deepEqual(plan.choices, [
      {
        kind: 'video',
        from: 'integrations:daily',
        eventTypes: 1,
        options: ['google-meet', 'jitsi', 'zoom'],
        suggested: 'jitsi',
      },
    ])
    const zoom = planOf(
      { users: [ANA], EventType: [{ ...INTRO, locations: given.slice(4, 5) }] },
      {},
      { video: { 'integrations:daily': 'zoom' } },
    )
    assert.equal(itemOf(zoom, 'event-type', 'EventType/10').content.settings.location.provider, 'zoom')
    assert.match(
      planned({ locations: given.slice(4, 5) }, {}, { linkProviders: [] }).line,
      /Cal Video is not offered here/,
    )
  })

  it('ask what they asked', () => {
    const { settings, line } = planned({
      bookingFields: [
        { name: 'name', type: 'name', editable: 'system', required: true },
        { name: 'title', type: 'text', editable: 'system-but-optional', hidden: false },
        { name: 'guests', type: 'multiemail', editable: 'system-but-optional', hidden: true },
        {
          name: 'topics',
          type: 'checkbox',
          label: 'Topics',
          editable: 'user',
          options: [
            { label: 'Tea', value: 't' },
            { label: 'Coffee', value: 'c' },
          ],
        },
        { name: 'agree', type: 'boolean', label: 'I agree', editable: 'user', required: true },
        {
          name: 'plan',
          type: 'select',
          label: 'Plan',
          editable: 'user',
          hidden: true,
          required: true,
          options: [{ label: 'Pro', value: 'pro' }],
        },
        { name: '1st', type: 'hologram', label: 'First', editable: 'user' },
      ],
    })
    assert.equal(settings.maxGuests, 0)
    assert.deepEqual(settings.questions, [
      { key: 'title', label: 'Worum geht es?', type: 'text', required: false, options: [] },
      { key: 'topics', label: 'Topics', type: 'multiselect', required: false, options: ['Tea', 'Coffee'] },
      { key: 'agree', label: 'I agree', type: 'checkbox', required: true, options: [] },
      { key: 'plan', label: 'Plan', type: 'select', required: false, options: ['Pro'], hidden: true },
      { key: 'question-1st', label: 'First', type: 'text', required: false, options: [] },
    ])
    assert.equal(line, 'changed “Plan” is hidden, so it is optional here. “First” is a text field here.')
    const older = {
      EventTypeCustomInput: [
        { id: 1, eventTypeId: 10, label: 'Your role', type: 'textLong', required: true },
      ],
    }
    assert.deepEqual(planned({ bookingFields: null }, older).settings.questions, [
      { key: 'your-role', label: 'Your role', type: 'textarea', required: true, options: [] },
    ])
  })

  it('of a team have its hosts with weights in the smallest ratio', () => {
    const row = { ...DEMO, schedulingType: 'roundRobin', isRRWeightsEnabled: true }
    const Host = [
      { userId: 1, eventTypeId: 20, isFixed: false, weight: 200, priority: 2 },
      { userId: 2, eventTypeId: 20, isFixed: false, weight: 300, priority: 3 },
      { userId: 77, eventTypeId: 20, isFixed: false },
    ]
    const { hosts, settings, line, owner } = planned(row, { Host })
    assert.equal(owner, 'Team/5')
    assert.deepEqual(hosts, [
      { user: 'users/1', fixed: false, weight: 2 },
      { user: 'users/2', fixed: false, weight: 3 },
    ])
    assert.equal(settings.assignment, 'round-robin')
    assert.match(line, /Some hosts are not members.*no priorities/)
    const older = planned({ ...DEMO, schedulingType: 'collective' }, { _user_eventtype: [{ A: 20, B: 2 }] })
    assert.deepEqual(older.hosts, [{ user: 'users/2', fixed: false, weight: 1 }])
  })

  it('keep one host’s own schedule, and name the others', () => {
    const tables = {
      Schedule: [
        { id: 1, userId: 1, name: 'Office' },
        { id: 2, userId: 1, name: 'Late' },
        { id: 3, userId: 2, name: 'Ben' },
        { id: 4, userId: 2, name: 'Ben late' },
      ],
      Host: [
        { userId: 1, eventTypeId: 20, scheduleId: 2 },
        { userId: 2, eventTypeId: 20, scheduleId: 4 },
      ],
    }
    const { schedule, line } = planned({ ...DEMO, schedulingType: 'collective' }, tables)
    assert.equal(schedule, 'Schedule/2')
    assert.match(line, /These use their default: Ben\./)
    assert.equal(planned({ scheduleId: 2 }, tables).schedule, 'Schedule/2')
  })

  it('stay there with a reason, and copies of managed ones come along', () => {
    const plan = planOf({
      ...TEAM,
      EventType: [
        { ...DEMO, id: 1, schedulingType: 'managed' },
        { ...INTRO, id: 2, parentId: 1 },
        { ...INTRO, id: 3, length: 3000 },
        { ...INTRO, id: 4, length: null },
        { ...INTRO, id: 5, userId: 99 },
        { ...INTRO, id: 6, userId: null },
      ],
    })
    const lines = linesOf(plan)
    assert.match(lines['EventType/1'] ?? '', /^left-out A managed event type is a template/)
    assert.match(lines['EventType/2'] ?? '', /^changed Was a copy of a managed event type/)
    assert.equal(lines['EventType/3'], 'left-out Meetings last at most 24 hours here.')
    assert.equal(lines['EventType/4'], 'left-out Its length can’t be read.')
    assert.equal(lines['EventType/5'], 'left-out The person or team that it belongs to does not come along.')
    assert.equal(lines['EventType/6'], 'left-out It belongs to nobody.')
  })

  it('say what a reader has guessed', () => {
    const { line } = planned({ metadata: { guessed: ['minimumBookingNotice', 'periodType', 'periodDays'] } })
    assert.equal(
      line,
      'changed We guessed from the times that it offered: the minimum notice, the booking window. Please check.',
    )
    assert.match(planned({ locations: [] }).line, /names no location there, so it is a video call here/)
  })

  it('are open to forms where a form leads to a hidden one', () => {
    const App_RoutingForms_Form = [
      {
        id: 'f',
        userId: 1,
        name: 'F',
        fields: [],
        routes: [{ id: 'r', action: { type: 'eventTypeRedirectUrl', value: 'ana/intro' } }],
      },
    ]
    const { settings } = planned({ hidden: true }, { App_RoutingForms_Form })
    assert.deepEqual([settings.hidden, settings.linkOnly], [false, true])
    assert.deepEqual([planned({ hidden: true }).hidden, planned({ hidden: true }).linkOnly], [true, false])
  })

  it('have slugs of their own for each owner', () => {
    const plan = planOf({
      users: [ANA],
      EventType: [
        { ...INTRO, slug: 'Intro' },
        { ...INTRO, id: 11 },
        { ...INTRO, id: 12, slug: 'a.b' },
      ],
    })
    const slugs = plan.settings.flatMap((item) =>
      item.kind === 'event-type' ? [[item.content.slug, ...item.content.oldSlugs]] : [],
    )
    assert.deepEqual(slugs, [['intro'], ['intro-2'], ['a-b']])
  })
})

describe('the smallest ratio of weights', () => {
  const ratios = [
    [
      [100, 100],
      [1, 1],
    ],
    [
      [50, 100, 150],
      [1, 2, 3],
    ],
    [
      [1, 997],
      [1, 100],
    ],
    [
      [0, 100],
      [1, 1],
    ],
  ] as const
  for (const [weights, ratio] of ratios) {
    it(`of ${weights.join(', ')} is ${ratio.join(', ')}`, () =>
      assert.deepEqual(smallestRatio(weights), ratio))
  }
})
