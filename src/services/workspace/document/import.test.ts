import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { migratedDatabase, onEveryDatabase, openPatiently } from '../../../../test/databases.ts'
import {
  addEventType,
  addTeam,
  addUser,
  appOn,
  bookingOf,
  contextOn,
  fromSomeoneNew,
  MONDAY_NOON,
  plainEventType,
  stoppedClock,
  weekdays,
} from '../../../../test/kit.ts'
import { PNG } from '../../../../test/pictures.ts'
import { rowsOf } from '../../../../test/rows.ts'
import { seededRandom } from '../../../../test/seeded-random.ts'
import { readGuests } from '../../../domain/bookings/guests.ts'
import { readBookingRequest } from '../../../domain/bookings/request.ts'
import { checkLocations } from '../../../domain/event-types/location.ts'
import { MESSAGE_DEFAULTS } from '../../../domain/messages/message.ts'
import type { Attribute } from '../../../domain/people/attributes.ts'
import type { Scheduler } from '../../../domain/people/scheduler.ts'
import { Problem } from '../../../domain/problem.ts'
import type { Zones } from '../../../domain/zone.ts'
import { insertBlockedGuest } from '../../../store/bookings/guests/blocked-guests.ts'
import type { Db } from '../../../store/engine/database.ts'
import type { EngineName } from '../../../store/engine/engine.ts'
import { insertAbsence } from '../../../store/event-types/absences.ts'
import { insertSchedule } from '../../../store/event-types/schedules.ts'
import { insertForm } from '../../../store/forms/forms.ts'
import { insertMessage } from '../../../store/messages/messages.ts'
import { newId } from '../../../store/new-id.ts'
import { updateAttributes, updateMemberAttributes } from '../../../store/people/attributes.ts'
import { insertImage } from '../../../store/people/images.ts'
import { insertTeamMember } from '../../../store/people/members.ts'
import { schedulerFromRow, updateScheduler } from '../../../store/people/schedulers.ts'
import { updateTeamRules } from '../../../store/people/teams.ts'
import { updateUser } from '../../../store/people/users.ts'
import type { Workspace } from './document.ts'
import { exportWorkspace } from './export.ts'
import { importWorkspace } from './import.ts'

const ACTOR = { userId: null, email: 'command line' }
const DAY = 24 * 3_600_000
const TUESDAY_TEN = MONDAY_NOON + DAY - 2 * 3_600_000
const EVERYTHING = { users: ['ada'], teams: ['crew'], withBookings: true }

const ATTRIBUTES: readonly Attribute[] = [
  { key: 'region', label: 'Region', type: 'one', options: ['EMEA', 'APAC'] },
  { key: 'languages', label: 'Languages', type: 'many', options: ['de', 'en', 'fr'] },
]

const CREW_FILTER = {
  any: [
    { attribute: 'region', is: 'EMEA' },
    { attribute: 'languages', isAnyOf: ['fr'] },
  ],
} as const

/** Ada, who has one of everything, and a team of hers with Ben in it. */
async function addWorkspace(db: Db): Promise<void> {
  const ada = await addUser(db, 'ada')
  await updateUser(db, ada.id, { timeFormat: '12h', weekStart: 'sunday' })
  const portrait = { id: newId(), schedulerId: ada.id, type: 'image/png', bytes: PNG } as const
  await insertImage(db, { ...portrait, hash: 'x', createdAt: 0 })
  const avatarUrl = `/images/${portrait.id}`
  const branding = { ...ada.branding, logoUrl: avatarUrl }
  await db.transaction().execute((trx) => updateScheduler(trx, { ...ada, avatarUrl, branding }))
  const ben = await addUser(db, 'ben', weekdays('Asia/Kathmandu'))
  const evenings = { 2: [{ opens: '18:00', closes: '24:00' }] }
  const late = {
    id: newId(),
    userId: ada.id,
    name: 'Late',
    timeZone: 'Europe/Paris',
    isDefault: false,
    confirmed: false,
  }
  await insertSchedule(db, { ...late, weekly: evenings, overrides: { '2027-02-02': [] } })
  const intro = await addEventType(db, ada, { slug: 'intro', abuse: strictAbuse, ...policy })
  await addEventType(db, ada, { slug: 'evening', scheduleId: late.id, position: 1, hidden: true, ...closed })
  await addEventType(db, ada, { slug: 'class', seats: 3, position: 2, bufferAfterMinutes: 10 })
  await insertForm(db, contactForm(ada, intro.id))
  const team = await addTeam(db, 'crew')
  await insertTeamMember(db, { teamId: team.id, userId: ada.id, role: 'owner' }, 0)
  await insertTeamMember(db, { teamId: team.id, userId: ben.id, role: 'member' }, 0)
  await db.transaction().execute(async (trx) => {
    await updateTeamRules(trx, team.id, { membersSeeAll: true })
    await updateScheduler(trx, { ...team, germanAddress: 'du' })
    await updateAttributes(trx, team.id, ATTRIBUTES)
    await updateMemberAttributes(trx, team.id, ben.id, { region: 'EMEA', languages: ['de', 'en'] })
  })
  const both = [
    { hostId: ada.id, fixed: true, weight: 1 },
    { hostId: ben.id, fixed: false, weight: 7 },
  ]
  const joint = await addEventType(db, team, { slug: 'joint', scheduleId: late.id }, both)
  const crewForm = contactForm(team, joint.id)
  const chosen = { action: 'routeToEvent', eventTypeId: joint.id, hosts: CREW_FILTER } as const
  await insertForm(db, { ...crewForm, rules: [{ when: { all: [] }, target: chosen }] })
  await db.transaction().execute(async (trx) => {
    const blocked = { createdAt: 0, id: newId() }
    await insertBlockedGuest(trx, { ...blocked, schedulerId: ada.id, entry: 'spam.example' })
    for (const message of messagesOf(ada, [intro.id])) await insertMessage(trx, message)
    for (const message of messagesOf(team, [])) await insertMessage(trx, message)
    const away = { startsAt: MONDAY_NOON + 7 * DAY, endsAt: MONDAY_NOON + 9 * DAY, note: 'Away' }
    await insertAbsence(trx, { ...away, id: newId(), userId: ada.id, redirectTo: ben.id })
  })
}

/** One for event types, one by text message, and one about an event type that is gone, which stays behind. */
function messagesOf({ id: schedulerId }: Scheduler, eventTypeIds: readonly string[]) {
  const common = { ...MESSAGE_DEFAULTS, schedulerId, createdAt: 0 }
  const texts = { en: { subject: 'Hello {{guest.name}}', body: 'See you' } }
  return [
    { ...common, id: newId(), name: 'One', on: 'booked', replaces: true, eventTypeIds, texts },
    {
      ...common,
      id: newId(),
      name: 'Two',
      on: 'before',
      minutes: 60,
      by: 'sms',
      texts: { en: { subject: '', body: 'Soon' } },
    },
    {
      ...common,
      id: newId(),
      name: 'Gone',
      on: 'after',
      minutes: 60,
      eventTypeIds: [newId()],
      texts,
    },
  ] as const
}

const closed = { linkOnly: true, confirmEmail: true }

const policy = {
  cancelNoticeMinutes: 60,
  rescheduleNoticeMinutes: 120,
  reminderMinutes: [30],
  allowedOrigins: ['https://www.example.com'],
  returnUrl: 'https://www.example.com/thanks',
  liveCheck: 'refuse' as const,
  durations: [30, 60],
  maxGuests: 2,
  holds: true,
  limitMinutes: { day: 600, week: null, month: null, year: null },
  series: { every: ['week', 'month'], most: 4 } as const,
  location: { type: 'InPerson', value: '1 Example Street' } as const,
  locations: [
    { id: 'office', type: 'InPerson', value: '1 Example Street', provider: '', label: 'Office' },
    { id: 'call', type: 'Phone', value: '', provider: '', label: '' },
  ] as const,
}

const strictAbuse = {
  honeypot: true,
  captcha: '' as const,
  blocklist: ['evil.example'],
  detectDuplicates: true,
  rateLimit: 5,
}

const contactForm = ({ id }: Scheduler, eventTypeId: string) => ({
  id: newId(),
  schedulerId: id,
  slug: 'contact',
  name: 'Contact',
  description: 'Say hello.',
  fields: [{ id: 'topic', label: 'Topic', type: 'text' as const, required: true, options: [] }],
  rules: [
    {
      when: { all: [{ field: 'topic', operator: 'contains' as const, value: 'meet' }] },
      target: {
        action: 'routeToEvent' as const,
        eventTypeId,
        owner: { days: 90, by: 'domain' as const },
        ownerLookupUrl: 'https://crm.example/owner',
      },
    },
  ],
  fallback: { action: 'message' as const, message: 'Thank you.' },
  abuse: { honeypot: false, captcha: '' as const, blocklist: ['evil.example'] },
  keepPersonalDataDays: 90,
  tests: [
    {
      name: 'A meeting',
      answers: { topic: 'Can we meet?' },
      expect: { action: 'routeToEvent' as const, eventTypeId },
    },
  ],
})

/** An export without its ids. */
function withoutIds(workspace: Workspace): unknown {
  const ids = new Map<string, string>()
  const text = JSON.stringify({ ...workspace, exportedAt: '' })
  return JSON.parse(
    text.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?!@)/g, (id) => {
      if (!ids.has(id)) ids.set(id, `id ${ids.size}`)
      return ids.get(id) as string
    }),
  )
}

/** Files whose bookings or claims were edited, and what is said about each. */
function meetingMistakes(exported: Workspace): [unknown, RegExp][] {
  const [first, ...others] = exported.bookings
  const [claim, ...claims] = exported.claims
  assert.ok(first && claim)
  const booking = (given: object) => ({ ...exported, bookings: [{ ...first, ...given }, ...others] })
  const invitee = (given: object) => booking({ invitee: { ...first.invitee, ...given } })
  const place = (given: object) => booking({ location: { type: 'InPerson', value: 'Here', ...given } })
  const claiming = (given: object) => ({ ...exported, claims: [{ ...claim, ...given }, ...claims] })
  const noon = '2027-01-12T12:00:00.000Z'
  return [
    [invitee({ email: 'a@guests.example\r\nBcc: b@guests.example' }), /^bookings\.0: inviteeEmail must/],
    [invitee({ email: '' }), /^bookings\.0: invitee\.email must be an email address/],
    [invitee({ name: 'A\nB' }), /^bookings\.0: inviteeName must not contain control/],
    [invitee({ name: '' }), /^bookings\.0: inviteeName is required/],
    [invitee({ name: 'a'.repeat(201) }), /^bookings\.0\.invitee\.name must not have more than 200/],
    [invitee({ phone: 'call me' }), /^bookings\.0: inviteePhone must be a phone number/],
    [invitee({ phone: '030 1234', smsNumber: '+49301234' }), /^bookings\.0: inviteePhone must begin with \+/],
    [invitee({ timeZone: 'Mars/Olympus' }), /^bookings\.0: inviteeTimezone must be/],
    [invitee({ locale: '<b>' }), /^bookings\.0: inviteeLocale must be/],
    [booking({ guests: ['a@b.example\r\nTo: c@d.example'] }), /^bookings\.0: guests must be email addresses/],
    [booking({ notes: 'a\u0007' }), /^bookings\.0: inviteeNotes must not contain control/],
    [booking({ reason: 'a'.repeat(1001) }), /^bookings\.0\.reason must not have more than 1000/],
    [booking({ utm: { source: 'a\nb' } }), /^bookings\.0: utm must not/],
    [
      place({ type: 'Link', value: 'javascript:alert(1)' }),
      /^bookings\.0: location\.value must be a web address/,
    ],
    [
      place({ type: 'Video', value: 'javascript:alert(1)' }),
      /^bookings\.0: location\.value must be a web address/,
    ],
    [
      place({ type: 'Video', provider: 'jitsi', value: 'javascript:alert(1)' }),
      /^bookings\.0: location\.value must be a web address/,
    ],
    [place({ value: 'A\r\nB' }), /^bookings\.0: location\.value must be one line/],
    [booking({ startTime: '2027-01-12T10:00:30.000Z' }), /^bookings\.0: .*whole minutes/],
    [booking({ endTime: '2027-01-14T10:00:00.000Z' }), /^bookings\.0: meetings last at most 24 hours/],
    [booking({ createdTime: '2028-01-12T10:00:00.000Z' }), /^bookings\.0: it was made after it began/],
    [booking({ status: 'Completed' }), /^bookings\.0: it is Completed, and has not been yet/],
    [booking({ status: 'NoShow' }), /^bookings\.0: it is NoShow/],
    [booking({ status: 'Cancelled' }), /^claims\.0: no booking in the file is at this time/],
    [booking({ sequence: -1 }), /^bookings\.0\.sequence/],
    [booking({ startTime: noon, endTime: '2027-01-12T12:30:00.000Z' }), /^claims\.0: no booking/],
    [booking({ formerHosts: ['x@y.example'] }), /^bookings\.0: there is no user x@y\.example/],
    [claiming({ host: 'ben@hosts.example' }), /^claims\.0: ben@hosts\.example does not host this booking/],
    [claiming({ host: 'x@y.example' }), /^claims\.0: x@y\.example does not host this booking/],
    [claiming({ startTime: noon, endTime: '2027-01-12T13:00:00.000Z' }), /^claims\.0: no booking/],
    [claiming({ bufferAfterMinutes: 1441 }), /^claims\.0\.bufferAfterMinutes/],
    [{ ...exported, claims }, /^bookings\.0: the file has no claim on the time of ada@hosts\.example/],
    [{ ...exported, bookings: others }, /^claims\.0: no booking/],
  ]
}

/** What an editor, or an attacker, might put in place of something. */
const NASTY: readonly unknown[] = [
  'javascript:alert(1)',
  'a@guests.example\r\nBcc: victim@guests.example',
  'ben@hosts.example',
  'BEN@hosts.example',
  'x@y.example',
  '',
  'a'.repeat(300),
  'a'.repeat(5001),
  '\u0007',
  '2027-01-12T10:00:00.000Z',
  '2027-01-12T10:00:00.500Z',
  '1969-01-01T00:00:00Z',
  '+020000-01-01T00:00:00Z',
  'Completed',
  'Cancelled',
  'Link',
  'Video',
  'ada/class',
  'crew/joint',
  0,
  -1,
  1,
  3,
  1e9,
  1.5,
  null,
  true,
  [],
  {},
]

/** The same with something in its bookings or claims replaced, left out or repeated. */
function mutated(workspace: Workspace, random: () => number): Workspace {
  const copy = structuredClone(workspace)
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const list: unknown[] = random() < 0.7 ? copy.bookings : copy.claims
  const index = Math.floor(random() * list.length)
  if (random() < 0.1) {
    list.splice(index, random() < 0.5 ? 1 : 0, structuredClone(pick(list)))
    return copy
  }
  let at = list[index] as Record<string, unknown>
  for (;;) {
    const key = pick(Object.keys(at))
    const inner = at[key]
    if (typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0 && random() < 0.7) {
      at = inner as Record<string, unknown>
      continue
    }
    if (random() < 0.1) delete at[key]
    else at[key] = pick(NASTY)
    return copy
  }
}

onEveryDatabase('an exported workspace', ({ db, engine }) => {
  const { now } = stoppedClock()
  const contextOf = (database: Db) => contextOn(database, { now }).context
  const bring = async (target: Db, workspace: unknown, rename = false) =>
    importWorkspace(contextOf(target), ACTOR, JSON.stringify(workspace), { rename })

  async function onAnother(work: (db: Db) => Promise<void>, other: EngineName = engine): Promise<void> {
    const fresh = await migratedDatabase(other)
    const target = openPatiently(fresh.url)
    try {
      await work(target)
    } finally {
      await target.destroy()
      await fresh.drop()
    }
  }

  let exported: Workspace
  it('is the same when the importing instance exports it again', async () => {
    await addWorkspace(db())
    const { app } = await appOn(db(), { now })
    const book = async (path: string, eventSlug: string, startsAt: number, more = {}) => {
      const { id } = await db()
        .selectFrom('event_types')
        .selectAll()
        .where('slug', '=', eventSlug)
        .executeTakeFirstOrThrow()
      const brought = eventSlug === 'intro' ? { guests: ['tom@guests.example'] } : {}
      const body = { ...bookingOf({ id, durationMinutes: 30 } as never, startsAt), ...brought, ...more }
      const url = `/api/public/scheduling/${path}/${eventSlug}/book`
      const answer = await app.inject({ method: 'POST', url, payload: body, headers: fromSomeoneNew() })
      assert.equal(answer.statusCode, 201, answer.body)
    }
    await book('ada', 'intro', TUESDAY_TEN)
    await book('ada', 'class', TUESDAY_TEN + 3_600_000)
    await book('ada', 'class', TUESDAY_TEN + 3_600_000)
    const hosts = await db()
      .selectFrom('schedulers')
      .select('id')
      .where('kind', '=', 'user')
      .orderBy('slug')
      .execute()
    const [one = '', other = ''] = hosts.map(({ id }) => id)
    const how = { hostId: one, reason: 'turn', detail: 'Next of 2 free hosts.' }
    const assignment = JSON.stringify({ ...how, changes: { [one]: -0.5, [other]: 0.5 } })
    await db().updateTable('event_type_hosts').set({ balance: -0.5 }).where('host_id', '=', one).execute()
    const office = { repeat: { every: 'week', count: 2 }, locationId: 'office' }
    await book('ada', 'intro', TUESDAY_TEN + 14 * DAY, office)
    await db()
      .updateTable('bookings')
      .set({ sequence: 3, reason: 'Said, “before”.', assignment })
      .where('starts_at', '=', TUESDAY_TEN)
      .execute()
    exported = await exportWorkspace(db(), EVERYTHING, now())
    assert.deepEqual(
      exported.bookings.map(({ sequence, reason }) => [sequence, reason]),
      [
        [3, 'Said, “before”.'],
        [0, ''],
        [0, ''],
        [0, ''],
        [0, ''],
      ],
    )
    assert.deepEqual(exported.bookings[0]?.assignment?.changes.map(({ by }) => by).toSorted(), [-0.5, 0.5])
    assert.match(JSON.stringify(exported.users), /"balance":-0.5/)
    const [ada] = exported.users
    const intro = ada?.eventTypes.find(({ slug }) => slug === 'intro')
    assert.deepEqual({ ...intro, ...policy }, intro)
    const evening = ada?.eventTypes.find(({ slug }) => slug === 'evening')
    assert.deepEqual({ ...evening, ...closed }, evening)
    const places = exported.bookings.flatMap(({ series }) => (series ? [series.index] : []))
    assert.deepEqual(places, [0, 1])
    assert.equal(exported.bookings.length, 5)
    assert.equal(exported.claims.length, 4)
    assert.deepEqual(
      exported.users.map(({ slug }) => slug),
      ['ada', 'ben'],
    )

    assert.equal(ada?.avatarUrl, `data:image/png;base64,${PNG.toString('base64')}`)
    for (const other of ['sqlite', 'postgres'] as const) {
      await onAnother(async (target) => {
        const imported = await bring(target, exported)
        assert.deepEqual(
          imported.map(({ kind, slug }) => [kind, slug]),
          [
            ['user', 'ada'],
            ['user', 'ben'],
            ['team', 'crew'],
          ],
        )
        assert.deepEqual(withoutIds(await exportWorkspace(target, EVERYTHING, now())), withoutIds(exported))
        const { audit = [] } = await rowsOf(target)
        assert.deepEqual(
          audit.map(({ actor, action, object_id }) => [actor, action, object_id]).sort(),
          imported.map(({ id }) => ['command line', 'imported', id]).sort(),
        )
      }, other)
    }
  })

  it('may come from a version without booking policies', async () => {
    const { location: _, ...added } = policy
    const newer = [...Object.keys(added), 'sequence', 'reason', 'guests', 'balance']
    const older = JSON.parse(JSON.stringify(exported), (key, value) =>
      newer.includes(key) || (key === 'assignment' && typeof value === 'object') ? undefined : value,
    )
    await onAnother(async (target) => {
      await bring(target, older)
      const again = await exportWorkspace(target, EVERYTHING, now())
      const [intro] = again.users[0]?.eventTypes ?? []
      assert.deepEqual([intro?.cancelNoticeMinutes, intro?.reminderMinutes], [0, [1440, 60]])
      assert.deepEqual(
        [intro?.allowedOrigins, intro?.returnUrl, intro?.durations, intro?.locations],
        [[], '', [], []],
      )
      assert.deepEqual([...new Set(again.bookings.map(({ sequence }) => sequence))], [0])
    })
  })

  it('works after the import: forms route, slots are listed, and booked times are taken', async () => {
    await onAnother(async (target) => {
      await bring(target, exported)
      const { app } = await appOn(target, { now })
      const led = await app.inject({
        method: 'POST',
        url: '/api/public/routing/ada/contact/evaluate',
        payload: { answers: { topic: 'Let us meet' } },
      })
      assert.equal(led.json().eventTypeSlug, 'intro', led.body)

      const query = 'dateFrom=2027-01-12&dateTo=2027-01-12&timezone=UTC'
      const listed = await app.inject(`/api/public/scheduling/ada/intro/slots?${query}`)
      const starts = listed.json()[0].slots.map(({ startTime }: { startTime: string }) => startTime)
      assert.ok(starts.includes('2027-01-12T09:30:00Z'))
      assert.ok(!starts.includes('2027-01-12T10:00:00Z'))
      const seats = await app.inject(`/api/public/scheduling/ada/class/slots?${query}`)
      const eleven = seats
        .json()[0]
        .slots.find(({ startTime }: { startTime: string }) => startTime === '2027-01-12T11:00:00Z')
      assert.equal(eleven?.seatsLeft, 1)
    })
  })

  it('is added to what a user with the same address has here, with its own schedules', async () => {
    await onAnother(async (target) => {
      const ada = await addUser(target, 'ada', weekdays('America/New_York'))
      await updateUser(target, ada.id, { admin: true })
      const before = await rowsOf(target)
      await bring(target, exported)
      const after = await exportWorkspace(target, EVERYTHING, now())
      const [me] = after.users
      assert.equal(me?.name, ada.name)
      assert.equal(before.schedulers?.[0]?.id, ada.id)
      assert.deepEqual(me?.schedules.map(({ timeZone, isDefault }) => [timeZone, isDefault]).sort(), [
        ['America/New_York', true],
        ['Europe/Paris', false],
        ['UTC', false],
      ])
      const hoursOf = (slug: string) => {
        const { schedule } = me?.eventTypes.find((eventType) => eventType.slug === slug) ?? {}
        return me?.schedules.find(({ id }) => id === schedule)?.timeZone
      }
      assert.equal(hoursOf('intro'), 'UTC')
      assert.equal(hoursOf('evening'), 'Europe/Paris')

      const { schedulers: [revised] = [] } = await rowsOf(target)
      assert.equal(revised?.admin, 1)
      assert.ok(Number(revised?.revision) > 0 && Number(revised?.booking_revision) > 0)
    })
  })

  it('adds schedules, blocklist entries, absences and messages once, however often it is imported', async () => {
    await onAnother(async (target) => {
      const alone = await exportWorkspace(db(), { ...EVERYTHING, teams: [], withBookings: false }, now())
      const bare = {
        ...alone,
        users: alone.users.map((user) => {
          const messages = user.messages?.filter(({ eventTypes }) => eventTypes.length === 0)
          return { ...user, eventTypes: [], routingForms: [], ...(messages && { messages }) }
        }),
      }
      await bring(target, bare)
      const once = await rowsOf(target)
      await bring(target, bare)
      const twice = await rowsOf(target)
      for (const table of ['schedulers', 'schedules', 'blocked_guests', 'absences', 'messages']) {
        assert.equal(twice[table]?.length, once[table]?.length, table)
      }
    })
  })

  it('is refused with a list of all taken slugs, or imported under new ones with `rename`', async () => {
    await onAnother(async (target) => {
      await addTeam(target, 'ada')
      const ben = await addUser(target, 'somebody')
      await target
        .updateTable('schedulers')
        .set({ email: 'ben@hosts.example' })
        .where('id', '=', ben.id)
        .execute()
      await addTeam(target, 'crew')
      const before = await rowsOf(target)
      await assert.rejects(bring(target, exported), { code: 'slug_taken', message: /already: ada, crew\./ })
      assert.deepEqual(await rowsOf(target), before)

      const imported = await bring(target, exported, true)
      assert.deepEqual(
        imported.map(({ slug }) => slug),
        ['ada-2', 'somebody', 'crew-2'],
      )

      const again = { ...exported, teams: [], bookings: [], claims: [] }
      await assert.rejects(bring(target, again), {
        code: 'slug_taken',
        message: /ada\/intro, ada\/evening, ada\/class, ada\/forms\/contact\./,
      })
      await bring(target, again, true)
      const { users } = await exportWorkspace(
        target,
        { users: ['ada-2'], teams: [], withBookings: false },
        now(),
      )
      const [ada] = users
      assert.deepEqual(ada?.eventTypes.map(({ slug }) => slug).sort(), [
        'class',
        'class-2',
        'evening',
        'evening-2',
        'intro',
        'intro-2',
      ])
      const form = ada?.routingForms.find(({ slug }) => slug === 'contact-2')
      const owner = { days: 90, by: 'domain' }
      const ownerLookupUrl = 'https://crm.example/owner'
      const choice = { action: 'routeToEvent', eventType: 'intro-2', owner, ownerLookupUrl }
      assert.deepEqual(form?.rules[0]?.target, choice)
    })
  })

  it('gives no user rights that they do not have here', async () => {
    await onAnother(async (target) => {
      const shut = exported.users.map((user) => ({ ...user, disabled: true }))
      await bring(target, { ...exported, users: shut })
      const { schedulers = [] } = await rowsOf(target)
      const people = schedulers.filter(({ kind }) => kind === 'user')
      assert.deepEqual(
        people.map(({ admin }) => admin),
        [0, 0],
      )
      assert.ok(people.every(({ disabled_at }) => disabled_at === now()))
    })
  })

  it('is refused if its bookings overlap those that a host has here', async () => {
    await onAnother(async (target) => {
      const bookings = { ...exported, teams: [] }
      await bring(target, bookings)
      const before = await rowsOf(target)
      await assert.rejects(bring(target, bookings, true), {
        code: 'invalid',
        message:
          /ada\/intro at 2027-01-12T10:00:00.000Z overlaps with what ada@hosts.example has here already/,
      })
      assert.deepEqual(await rowsOf(target), before)
    })
  })

  it('is refused with the reason, and nothing added, for every kind of mistake', async () => {
    const [ada, ben] = exported.users
    const [crew] = exported.teams
    const [intro] = ada?.eventTypes ?? []
    const [form] = ada?.routingForms ?? []
    assert.ok(ada && ben && crew && intro && form)
    const only = (user: object) => ({
      ...exported,
      users: [{ ...ada, ...user }, ben],
      teams: [],
      bookings: [],
      claims: [],
    })
    const event = (given: object) => only({ routingForms: [], eventTypes: [{ ...intro, ...given }] })
    const routing = (given: object) => only({ routingForms: [{ ...form, ...given }] })
    const messages = (given: object) => only({ messages: [{ ...ada.messages?.[0], ...given }] })
    const bare = crew?.members.map(({ email, role }) => ({ email, role }))
    const team = (given: object) => ({
      ...exported,
      teams: [{ ...crew, ...given }],
      bookings: [],
      claims: [],
    })
    const refused: [unknown, RegExp][] = [
      ['{', /not an exported workspace/],
      [{}, /not an exported workspace/],
      [{ ...exported, version: 2 }, /version 2.*update/],
      [{ ...exported, more: 1 }, /more is not part/],
      [only({ name: 1 }), /users\.0\.name must be string/],
      [only({ name: 'a\0b' }), /cannot be stored/],
      [only({ name: '\ud800' }), /cannot be stored/],
      [only({ id: newId() }), /users\.0\.id is not part/],
      [only({ admin: true }), /users\.0\.admin is not part/],
      [only({ email: 'nobody' }), /email must look like/],
      [only({ email: ben.email }), /two users with the address/],
      [only({ slug: 'api' }), /api: "api" is reserved/],
      [only({ slug: 'No Slug' }), /slug must be/],
      [only({ timeZone: 'Mars/Olympus' }), /time zone/],
      [only({ avatarUrl: 'javascript:alert(1)' }), /avatarUrl/],
      [only({ avatarUrl: 'data:image/svg+xml;base64,PHN2Zy8+' }), /PNG, JPEG or WebP/],
      [only({ avatarUrl: `/images/${newId()}` }), /upload the image again/],
      [only({ schedules: [] }), /must be the default/],
      [only({ schedules: ada.schedules.map((one) => ({ ...one, name: '' })) }), /name must not be empty/],
      [only({ schedules: ada.schedules.map((one) => ({ ...one, weekly: { 9: [] } })) }), /Weekdays/],
      [only({ absences: [{ startTime: 'soon', endTime: 'later', note: '' }] }), /"soon" is not an instant/],
      [
        only({
          absences: [{ startTime: '2027-01-02T00:00:00Z', endTime: '2027-01-01T00:00:00Z', note: '' }],
        }),
        /after/,
      ],
      [only({ blocklist: ['*'] }), /must be an email address, or a domain/],
      [event({ durationMinutes: 0 }), /ada\/intro: durationMinutes/],
      [event({ schedule: 'none' }), /no schedule "none"/],
      [event({ schedule: ben.schedules[0]?.id }), /belong to one of the hosts/],
      [event({ hosts: [{ email: ben.email, fixed: true, weight: 1 }] }), /Hosts must be members/],
      [event({ hosts: [{ email: 'x@y.example', fixed: true, weight: 1 }] }), /no user x@y.example/],
      [event({ hosts: [{ email: ada.email, fixed: true, weight: 0 }] }), /weight/],
      [only({ eventTypes: [intro, intro] }), /two event types of ada/],
      [routing({ fallback: { action: 'redirect', url: 'http://elsewhere.example' } }), /cannot be sent to/],
      [routing({ fallback: { action: 'routeToEvent', eventType: 'joint' } }), /leads to "joint"/],
      [messages({ eventTypes: ['none'] }), /^ada\/messages: A message is about "none"/],
      [messages({ texts: { en: { subject: 'Hi', body: '{{no}}' } } }), /^ada\/messages: .*line 1, column 1/],
      [
        messages({ texts: { xx: { subject: 'Hi', body: 'Hi' } } }),
        /users\.0\.messages\.0\.texts\.xx is not part/,
      ],
      [routing({ rules: [{ when: { field: 'no' }, target: form.fallback }] }), /which is not a field/],
      [team({ members: [{ email: ada.email, role: 'member' }] }), /crew: A team needs an owner/],
      [team({ members: [{ email: ada.email, role: 'owner' }] }), /Hosts must be members/],
      [team({ slug: 'ada' }), /two users or teams/],
      [team({ attributes: [] }), /crew: "region" is not an attribute/],
      [team({ attributes: [], members: bare }), /crew\/forms\/contact: "region" is not an attribute/],
      [
        { ...exported, bookings: [{ ...exported.bookings[0], eventType: 'ada/none' }] },
        /no event type "ada\/none"/,
      ],
      [{ ...exported, bookings: [{ ...exported.bookings[0], host: 'x@y.example' }] }, /no user x@y.example/],
      [
        { ...exported, bookings: [{ ...exported.bookings[0], endTime: '2000-01-01T00:00:00Z' }] },
        /ends before/,
      ],
      [{ ...exported, bookings: [{ ...exported.bookings[0], seat: 2 }] }, /does not fit/],
      ...meetingMistakes(exported),
    ]
    await onAnother(async (target) => {
      for (const [workspace, message] of refused) {
        await assert.rejects(bring(target, workspace), { name: 'Problem', message }, String(message))
      }
      await assert.rejects(importWorkspace(contextOf(target), ACTOR, '{"a":', { rename: false }), {
        code: 'invalid',
        message: /not JSON/,
      })
      assert.deepEqual(await rowsOf(target), {})
      await bring(target, exported)
    })
  })

  it('keeps who attends a meeting, also if they host its event type no more', async () => {
    await onAnother(async (source) => {
      await bring(source, exported)
      const team = await source
        .selectFrom('schedulers')
        .selectAll()
        .where('slug', '=', 'crew')
        .executeTakeFirstOrThrow()
      const people = await source.selectFrom('schedulers').selectAll().where('kind', '=', 'user').execute()
      const [ada, ben] = ['ada', 'ben'].map((slug) => people.find((one) => one.slug === slug))
      assert.ok(ada && ben)
      const hosts = [ada, ben].map(({ id }) => ({ hostId: id, fixed: true, weight: 1 }))
      const panel = await addEventType(
        source,
        schedulerFromRow(team),
        { slug: 'panel', assignment: 'collective' },
        hosts,
      )
      const { app } = await appOn(source, { now })
      const booked = await app.inject({
        method: 'POST',
        url: '/api/public/scheduling/crew/panel/book',
        headers: fromSomeoneNew(),
        payload: bookingOf(panel, TUESDAY_TEN + 28 * DAY),
      })
      assert.equal(booked.statusCode, 201, booked.body)
      const { host_id: main } = await source
        .selectFrom('bookings')
        .select('host_id')
        .where('id', '=', booked.json().id)
        .executeTakeFirstOrThrow()
      const left = main === ada.id ? ben : ada
      await source
        .deleteFrom('event_type_hosts')
        .where('event_type_id', '=', panel.id)
        .where('host_id', '=', left.id)
        .execute()
      const again = await exportWorkspace(source, EVERYTHING, now())
      const meeting = again.bookings.find(({ eventType }) => eventType === 'crew/panel')
      assert.deepEqual(meeting?.formerHosts, [left.email])
      await onAnother(async (target) => {
        await bring(target, again)
        assert.deepEqual(withoutIds(await exportWorkspace(target, EVERYTHING, now())), withoutIds(again))
      })
    })
  })

  it('is refused, or holds to the rules of the API, whatever was edited in its bookings and claims', async () => {
    const random = seededRandom(28)
    let [accepted, refused] = [0, 0]
    const target = await migratedDatabase(engine)
    const opened = openPatiently(target.url)
    try {
      const { zones } = contextOf(opened).slots
      while (refused < 20 || accepted < 3) {
        const edited = mutated(exported, random)
        try {
          await bring(opened, edited)
        } catch (error) {
          assert.ok(error instanceof Problem, JSON.stringify(edited))
          assert.deepEqual(await rowsOf(opened), {}, error.message)
          refused++
          continue
        }
        accepted++
        assertBookable(await exportWorkspace(opened, EVERYTHING, now()), zones)
        await emptyAll(opened)
      }
    } finally {
      await opened.destroy()
      await target.drop()
    }
  })

  /** Reads every booking as the API reads a request, and every claim as that of one of its hosts. */
  function assertBookable({ bookings, claims, users, teams }: Workspace, zones: Zones): void {
    for (const { invitee, startTime, endTime, notes, utm = {}, location, guests = [] } of bookings) {
      const durationMinutes = (Date.parse(endTime) - Date.parse(startTime)) / 60_000
      readBookingRequest(
        {
          startTime,
          endTime,
          inviteeName: invitee.name,
          inviteeEmail: invitee.email,
          inviteePhone: invitee.phone,
          inviteeTimezone: invitee.timeZone,
          inviteeLocale: invitee.locale,
          inviteeNotes: notes,
          utm,
        },
        { ...plainEventType(), durationMinutes },
        zones,
      )
      checkLocations({ location, locations: [] }, 1)
      readGuests(guests, { maxGuests: 10 }, invitee.email)
      assert.ok(Number.isInteger(durationMinutes) && durationMinutes <= 24 * 60)
      assert.equal(Date.parse(startTime) % 60_000, 0)
    }
    const eventTypes = [...users, ...teams].flatMap(({ slug, eventTypes }) =>
      eventTypes.map((one) => [`${slug}/${one.slug}`, one.hosts.map(({ email }) => email)] as const),
    )
    for (const claim of claims) {
      const own = bookings.find(({ meeting }) => meeting === claim.meeting)
      assert.deepEqual([own?.startTime, own?.endTime], [claim.startTime, claim.endTime])
      const hosts = eventTypes.find(([address]) => address === claim.eventType)?.[1] ?? []
      assert.ok([...hosts, own?.host].includes(claim.host), claim.host)
    }
  }

  /** Empties all tables, in whichever order their references allow. */
  async function emptyAll(target: Db): Promise<void> {
    for (let left = Object.keys(await rowsOf(target)); left.length > 0; ) {
      for (const table of left) {
        await sql`delete from ${sql.table(table)}`.execute(target).catch(() => undefined)
      }
      left = Object.keys(await rowsOf(target))
    }
  }

  it('contains the named owners and no others', async () => {
    const { users, teams, bookings } = await exportWorkspace(
      db(),
      { users: [], teams: ['crew'], withBookings: true },
      now(),
    )
    assert.deepEqual(
      users.map(({ slug, eventTypes, routingForms }) => [slug, eventTypes, routingForms]),
      [
        ['ada', [], []],
        ['ben', [], []],
      ],
    )
    assert.deepEqual(
      teams.map(({ slug }) => slug),
      ['crew'],
    )
    assert.deepEqual(bookings, [])
    const selection = { teams: [], withBookings: false }
    await assert.rejects(exportWorkspace(db(), { ...selection, users: ['crew'] }, now()), {
      code: 'not_found',
      message: /no user "crew"/,
    })
    const text = JSON.stringify(exported)
    for (const secret of ['"admin"', 'refresh', 'token', 'secret']) assert.ok(!text.includes(secret), secret)
  })
})
