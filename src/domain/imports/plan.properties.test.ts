import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { countPlan } from '../../../test/imports/count-plan.ts'
import { EMPTY, linesOf } from '../../../test/imports/rows.ts'
import { SEEDED_NOW, seededSource } from '../../../test/imports/seeded-source.ts'
import { readGuests } from '../bookings/guests.ts'
import { readInvitee } from '../bookings/request.ts'
import { checkAbsence } from '../event-types/absence.ts'
import { readBlocklistEntry } from '../event-types/blocklist.ts'
import { checkEventType } from '../event-types/event-type.ts'
import { checkSchedule } from '../event-types/hours.ts'
import { checkLocation } from '../event-types/location.ts'
import { checkFilteredAttributes } from '../forms/form-attributes.ts'
import { checkForm, eventTypesOf } from '../forms/routing.ts'
import { DAY, MINUTE } from '../interval.ts'
import type { Language } from '../languages.ts'
import { checkMessage } from '../messages/message.ts'
import { changeValues, checkAttributes } from '../people/attributes.ts'
import { isEmail } from '../people/contact.ts'
import { checkSlug, RESERVED_SLUGS } from '../people/slug.ts'
import { say } from '../sentence.ts'
import { checkName, checkProse, findUnstorable, isLine, isProse } from '../text.ts'
import { checkWebhook } from '../webhooks/webhook.ts'
import { canonicalZone, Zones } from '../zone.ts'
import type { Here, PlannedMeeting, PlannedSetting, SettingsPlan } from './plan.ts'
import { MeetingPlanner } from './plan-meetings.ts'
import { planSettings } from './plan-settings.ts'
import {
  type BOOKING_TABLES,
  SOURCE_TABLES,
  type SourceBooking,
  type Sourced,
  type SourceRow,
  type SourceSettings,
  type SourceTable,
} from './source.ts'

const HERE: Here = { ...EMPTY, now: SEEDED_NOW, calendarKinds: ['google', 'caldav'] }

/** Tables whose rows have a line each; of the others, only what is wrong is told. */
const MAIN = [
  'users',
  'Team',
  'Schedule',
  'OutOfOfficeEntry',
  'TravelSchedule',
  'EventType',
  'HashedLink',
  'App_RoutingForms_Form',
  'WorkflowStep',
  'Webhook',
  'Watchlist',
  'Credential',
] as const

type Tables = Readonly<Record<SourceTable, readonly SourceRow[]>>

const tablesOf = (rows: readonly Sourced[]): Tables => {
  const grouped = Map.groupBy(rows, ({ table }) => table)
  return Object.fromEntries(
    SOURCE_TABLES.map((table) => [table, (grouped.get(table) ?? []).map(({ row }) => row)]),
  ) as unknown as Tables
}

function bookingsOf(tables: Tables): SourceBooking[] {
  const of = (table: (typeof BOOKING_TABLES)[number], id: unknown) =>
    tables[table].filter(({ bookingId }) => bookingId === id)
  return tables.Booking.map((booking) => ({
    booking,
    attendees: of('Attendee', booking.id),
    seats: of('BookingSeat', booking.id),
    references: of('BookingReference', booking.id),
    notes: of('BookingInternalNote', booking.id),
    tracking: of('Tracking', booking.id),
    payments: of('Payment', booking.id),
  }))
}

/** Plans all of it, and checks what must hold of every plan. */
function planWhole(tables: Tables) {
  const source: SourceSettings = tables
  const plan = planSettings(source, HERE, {})
  for (const table of MAIN) {
    const lines = plan.lines.filter(({ key }) => key.startsWith(`${table}/`))
    assert.equal(lines.length, tables[table].length, table)
  }
  assert.equal(new Set(plan.lines.map(({ key }) => key)).size, plan.lines.length, 'a line for each key')
  checkPlan(plan)
  const planner = new MeetingPlanner(source, plan, HERE)
  const bookings = bookingsOf(tables)
  for (const booking of bookings) planner.note(booking)
  for (const extra of planner.extras()) checkSetting(extra, plan)
  const verdicts = bookings.map((booking) => planner.plan(booking))
  const lines = verdicts.flatMap((verdict) => verdict.lines)
  assert.equal(lines.length, bookings.length)
  const meetings = verdicts.flatMap(({ meeting }) => (meeting === null ? [] : [meeting]))
  const settings = new Set<string>([...plan.settings, ...planner.extras()].map(({ key }) => key))
  for (const meeting of meetings) checkMeeting(meeting, settings)
  checkClaims(meetings)
  for (const line of [...plan.lines, ...lines]) {
    assert.ok(isLine(line.name) && line.name !== '')
    assert.equal(typeof say(line.sentence), 'string')
    if (line.state === 'left-out') assert.notEqual(say(line.sentence), '')
  }
  return { plan, lines, meetings, extras: planner.extras() }
}

function checkPlan(plan: SettingsPlan): void {
  const keys = new Set<string>(plan.settings.map(({ key }) => key))
  assert.equal(keys.size, plan.settings.length)
  for (const item of plan.settings) checkSetting(item, plan)
  const pages = plan.settings.flatMap((item) =>
    item.kind === 'user' || item.kind === 'team' ? [item.content.slug] : [],
  )
  assert.equal(new Set(pages).size, pages.length, 'slugs of pages are unique')
  const events = plan.settings.flatMap((item) =>
    item.kind === 'event-type' ? [`${item.content.owner}/${item.content.slug}`] : [],
  )
  assert.equal(new Set(events).size, events.length, 'slugs of event types are unique')
  const defaults = plan.settings.flatMap((item) =>
    item.kind === 'schedule' && item.content.isDefault ? [item.content.user] : [],
  )
  assert.equal(new Set(defaults).size, defaults.length, 'one default schedule for each person')
  for (const { path, key } of plan.oldLinks) assert.ok(path.startsWith('/') && keys.has(key))
}

/** Throws unless our own checks take it, and what it refers to is planned. */
function checkSetting(item: PlannedSetting, { settings }: SettingsPlan): void {
  const known = (key: string) =>
    assert.ok(
      settings.some((one) => one.key === key),
      `${item.key} needs ${key}`,
    )
  switch (item.kind) {
    case 'user':
    case 'team': {
      const { slug, name, bio, timeZone } = item.content
      checkSlug(slug)
      assert.ok(!RESERVED_SLUGS.has(slug))
      checkName(name)
      checkProse(bio, 'bio')
      assert.equal(canonicalZone(timeZone), timeZone)
      if (item.kind === 'user') {
        assert.ok(isEmail(item.content.email))
        return
      }
      assert.ok(item.content.members.some(({ role }) => role === 'owner'))
      assert.deepEqual(checkAttributes(item.content.attributes), item.content.attributes)
      for (const { user, attributes } of item.content.members) {
        known(user)
        assert.deepEqual(changeValues(item.content.attributes, {}, attributes), attributes)
      }
      return
    }
    case 'schedule':
      checkName(item.content.name)
      known(item.content.user)
      checkSchedule(item.content)
      return
    case 'absence':
      known(item.content.user)
      checkAbsence({ startsAt: item.content.start, endsAt: item.content.end, note: item.content.note })
      return
    case 'event-type': {
      const { owner, hosts, settings: values } = item.content
      known(owner)
      for (const { user, weight } of hosts) {
        known(user)
        assert.ok(Number.isInteger(weight) && weight >= 1 && weight <= 100)
      }
      checkEventType({ ...values, ...item.content })
      return
    }
    case 'form': {
      const { owner, form } = item.content
      assert.deepEqual(checkForm(form), form)
      for (const key of eventTypesOf(form)) known(key)
      const found = settings.find(({ key }) => key === owner)
      checkFilteredAttributes(form, found?.kind === 'team' ? found.content.attributes : [])
      return
    }
    case 'message': {
      const found = settings.find(({ key }) => key === item.content.owner)
      assert.ok(found?.kind === 'user' || found?.kind === 'team')
      for (const key of item.content.message.eventTypeIds) known(key)
      checkMessage(item.content.message, found.content.locale as Language)
      return
    }
    case 'webhook':
      known(item.content.owner)
      checkWebhook({ ...item.content, eventTypeIds: item.content.eventTypes })
      return
    case 'link':
      known(item.content.eventType)
      return
    case 'block':
      assert.equal(readBlocklistEntry(item.content.entry), item.content.entry)
      return
    case 'connection':
      known(item.content.user)
      return
  }
}

const ZONES = new Zones()

/** What must hold of every booking here. */
function checkMeeting({ key, content }: PlannedMeeting, settings: ReadonlySet<string>): void {
  const { start, end, bookings, claims, seats, createdAt, location, sequence } = content
  assert.ok(end > start && end - start <= DAY && start % MINUTE === 0 && end % MINUTE === 0, key)
  assert.ok(createdAt <= start && sequence >= 1 && bookings.length >= 1 && bookings.length <= seats)
  for (const other of [content.eventType, ...content.hosts]) assert.ok(settings.has(other), other)
  checkLocation(location, 'location')
  for (const { invitee, guests, status, notes, reason, customFields, series, utm } of bookings) {
    const read = readInvitee(
      {
        inviteeName: invitee.name,
        inviteeEmail: invitee.email,
        inviteePhone: invitee.phone,
        inviteeTimezone: invitee.timeZone,
        inviteeLocale: invitee.locale,
      },
      ZONES,
    )
    assert.deepEqual(read, invitee)
    assert.deepEqual(readGuests(guests, { maxGuests: 10 }, invitee.email), guests)
    assert.ok(isProse(notes) && isProse(reason) && Object.values(utm).every(isLine))
    assert.equal(findUnstorable(customFields), undefined)
    if (status === 'Completed') assert.ok(end <= HERE.now)
    if (status === 'NoShow') assert.ok(start <= HERE.now)
    if (series !== null) assert.ok(series.index < series.count && series.count >= 2 && series.count <= 52)
    const isActive = status === 'Confirmed' || status === 'PendingApproval'
    if (!isActive) continue
    for (const claim of claims) assert.ok(claim.start >= start && claim.end <= end && claim.end > claim.start)
  }
}

function checkClaims(meetings: readonly PlannedMeeting[]): void {
  const claims = meetings.flatMap(({ content }) => content.claims)
  for (const [user, own] of Map.groupBy(claims, (claim) => claim.user)) {
    const sorted = own.toSorted((a, b) => a.start - b.start)
    for (const [index, claim] of sorted.entries())
      assert.ok(index === 0 || (sorted[index - 1]?.end ?? 0) <= claim.start, `claims of ${user} overlap`)
  }
}

const SEEDED = seededSource({ bookings: 300 })

describe('the plan of a whole source', () => {
  it('brings everything over that can come, and says what can’t', () => {
    const { plan, lines, extras } = planWhole(tablesOf(SEEDED))
    assert.deepEqual(countPlan([...plan.lines, ...lines]), {
      users: { new: 32, changed: 8 },
      Team: { new: 2, changed: 1, same: 1 },
      Membership: { 'left-out': 1 },
      Schedule: { new: 41 },
      Availability: { 'left-out': 1 },
      OutOfOfficeEntry: { changed: 3, 'left-out': 1 },
      TravelSchedule: { 'left-out': 1 },
      EventType: { new: 1, changed: 68, 'left-out': 2 },
      HashedLink: { new: 3, 'left-out': 3 },
      App_RoutingForms_Form: { new: 1, changed: 1, 'left-out': 1 },
      Webhook: { new: 5, changed: 3, 'left-out': 3 },
      WorkflowStep: { changed: 13, 'left-out': 12 },
      Watchlist: { new: 3, 'left-out': 3 },
      Booking: { new: 192, changed: 97, 'left-out': 17 },
      Credential: { new: 2, changed: 1, 'left-out': 4 },
    })
    assert.ok(extras.length > 0)
    const said = linesOf({ lines: [...plan.lines, ...lines] })
    const telling = {
      'users/1': /Becomes an admin/,
      'users/34': /“twin” is reserved or taken here, so the name in links is “twin-2”/,
      'EventType/2014': /It costs 25\.00 EUR there/,
      'EventType/3007': /Round robin and seats don’t go together/,
      'EventType/2091': /Parts of it can’t be read/,
      'Booking/15': /Overlaps a meeting of Person 14/,
      'Booking/900001': /^left-out Its state is not known here/,
      'Booking/900002': /Parts of it can’t be read/,
    }
    for (const [key, says] of Object.entries(telling)) assert.match(said[key] ?? '', says)
  })
})

describe('a plan', () => {
  const nasty = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(
      null,
      '',
      '\0',
      '\ud800',
      '__proto__',
      'constructor',
      -1,
      1e300,
      'a'.repeat(300),
      '2026-02-30',
      '9999-12-31T23:59:59Z',
      '25:99',
      [[[]]],
      { type: 'group', children1: [{}] },
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
  )

  it('is made of any rows, and everything in it passes its checks', () => {
    const small = seededSource({ bookings: 25 })
    const change = fc.record({ at: fc.nat(), column: fc.nat(), value: nasty, drop: fc.boolean() })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 60 }), (changes) => {
        const rows = [...small]
        for (const { at, column, value, drop } of changes) {
          const index = at % rows.length
          const { table, row } = rows[index] as Sourced
          const columns = Object.keys(row)
          const name = columns[column % columns.length] ?? 'id'
          const { [name]: _, ...rest } = row
          rows[index] = { table, row: drop ? rest : { ...rest, [name]: value } }
        }
        planWhole(tablesOf(rows))
      }),
      { numRuns: 60 },
    )
  })

  it('takes no name for one that every object has', () => {
    const small = tablesOf(seededSource({ bookings: 25 }))
    for (const table of SOURCE_TABLES) {
      const isText = (column: string) => small[table].some((row) => typeof row[column] === 'string')
      for (const column of Object.keys(small[table][0] ?? {}).filter(isText)) {
        const rows = small[table].map((row) => ({ ...row, [column]: 'constructor' }))
        planWhole({ ...small, [table]: rows })
      }
    }
  })

  it('is made of rows that hold nothing but nonsense', () => {
    const row = fc.dictionary(
      fc.constantFrom(
        'id',
        'userId',
        'teamId',
        'email',
        'fields',
        'routes',
        'length',
        'days',
        'type',
        'status',
      ),
      nasty,
    )
    const rows = fc.array(fc.record({ table: fc.constantFrom(...SOURCE_TABLES), row }), { maxLength: 20 })
    fc.assert(
      fc.property(rows, (given) => {
        planWhole(tablesOf(given))
      }),
      { numRuns: 60 },
    )
  })
})
