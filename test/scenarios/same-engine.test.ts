import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { type AccessTokens, queryOf } from '../../src/domain/bookings/guest-access.ts'
import { checkEventType, type EventType } from '../../src/domain/event-types/event-type.ts'
import { checkSchedule, type Schedule, type WallRange } from '../../src/domain/event-types/hours.ts'
import { DAY, HOUR, type Interval, MINUTE, overlaps } from '../../src/domain/interval.ts'
import type { Scheduler } from '../../src/domain/people/scheduler.ts'
import type { HostAvailability } from '../../src/domain/slots/openings.ts'
import { slotRules } from '../../src/domain/slots/rules.ts'
import { issuePrivateLink } from '../../src/services/bookings/links/private-links.ts'
import type { Db } from '../../src/store/engine/database.ts'
import { onEveryDatabase } from '../databases.ts'
import { addForm, tokenFor } from '../forms.ts'
import { addEventType, addTeam, addUser, appOn, bookingOf, fromSomeoneNew, plainEventType } from '../kit.ts'
import { compiled } from '../openings.ts'
import { referenceGrid, referenceOpenings } from '../reference.ts'
import { repeat } from '../repeat.ts'

// Listing and booking are one rule: with any settings and any bookings, a slot that
// is listed can be booked, and one that is not listed cannot. Tested over HTTP.

const RUNS = repeat({ few: 5, many: 60 })
const BOOKINGS_PER_RUN = 6
const LISTED_DAYS = 16

/** Who is booked: one host, all of several, any of several, or any of several beside one who always is. */
type Crew = 'alone' | 'collective' | 'round-robin' | 'round-robin with a fixed host'

interface Setting {
  readonly now: number
  readonly guestZone: string
  readonly crew: Crew
  readonly schedules: readonly Schedule[]
  readonly eventType: Partial<EventType>
  /** A second length of that event type, which is the one that is listed and booked; null: it has one length. */
  readonly chosen: number | null
  /** Through a private link, which sets that length and names the first host, or through a form, which names the host. */
  readonly entry: 'open' | 'link' | 'form'
  /** Another event type of the first host, whose bookings are in the way. */
  readonly other: Partial<EventType>
  /** Which of the listed slots are booked; some at the other event type. */
  readonly picks: readonly { readonly at: number; readonly other: boolean }[]
  /** Minutes around slots, and anywhere, at which nothing is listed. */
  readonly misses: readonly { readonly at: number; readonly minutes: number }[]
}

const wallTime = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** One to three ranges, of which some touch each other, or the next day. */
const hoursOfADay: fc.Arbitrary<WallRange[]> = fc
  .uniqueArray(
    fc.oneof(
      fc.integer({ min: 0, max: 96 }).map((n) => n * 15),
      fc.integer({ min: 0, max: 1440 }),
    ),
    { minLength: 2, maxLength: 4 },
  )
  .map((cuts) => {
    const sorted = cuts.toSorted((a, b) => a - b)
    return sorted
      .slice(1)
      .map((closes, i) => ({ opens: wallTime(sorted[i] as number), closes: wallTime(closes) }))
  })

const scheduleIn = (timeZone: string, now: number): fc.Arbitrary<Schedule> =>
  fc
    .record({
      week: fc.array(
        fc.oneof(hoursOfADay, fc.constant([{ opens: '09:00', closes: '17:00' }]), fc.constant([])),
        { minLength: 7, maxLength: 7 },
      ),
      overrides: fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 10 }), hoursOfADay), {
        maxLength: 2,
        selector: ([day]) => day,
      }),
    })
    .map(({ week, overrides }) => ({
      timeZone,
      weekly: Object.fromEntries(week.map((ranges, i) => [i + 1, ranges])),
      overrides: Object.fromEntries(overrides.map(([day, ranges]) => [dateOf(now + day * DAY), ranges])),
    }))

const buffer = fc.oneof(fc.constant(0), fc.constantFrom(5, 10, 15, 60), fc.integer({ min: 0, max: 90 }))
const limit = (most: number) =>
  fc.oneof(fc.constant(null), fc.constant(null), fc.integer({ min: 1, max: most }))

const minutes = (most: number) => limit(most).map((meetings) => meetings && meetings * 180)

const eventTypeAt = (now: number, crew: Crew): fc.Arbitrary<Partial<EventType>> =>
  fc.record({
    durationMinutes: fc.oneof(fc.constantFrom(15, 30, 45, 60), fc.integer({ min: 1, max: 180 })),
    intervalMinutes: fc.oneof(
      fc.constant(null),
      fc.constantFrom(5, 15, 20, 60),
      fc.integer({ min: 5, max: 120 }),
    ),
    bufferBeforeMinutes: buffer,
    bufferAfterMinutes: buffer,
    noticeMinutes: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3 * 24 * 60 })),
    window: fc.oneof(
      fc.record({
        kind: fc.constant('rolling' as const),
        days: fc.integer({ min: 3, max: 20 }),
        businessDays: fc.boolean(),
      }),
      fc.tuple(fc.integer({ min: -3, max: 4 }), fc.integer({ min: 4, max: 12 })).map(([from, to]) => ({
        kind: 'fixed' as const,
        from: dateOf(now + from * DAY),
        to: dateOf(now + to * DAY),
      })),
      fc.constant({ kind: 'unlimited' as const }),
    ),
    limits: fc.record({ day: limit(3), week: limit(5), month: limit(8), year: limit(9) }),
    limitMinutes: fc.record({ day: minutes(3), week: minutes(5), month: minutes(8), year: minutes(9) }),
    seats: crew.startsWith('round-robin')
      ? fc.constant(1)
      : fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 4 })),
    requiresApproval: fc.boolean(),
    assignment: fc.constant(
      crew.startsWith('round-robin') ? ('round-robin' as const) : ('collective' as const),
    ),
  })

const ZONES = [
  'UTC',
  'Europe/Paris',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Pacific/Chatham',
  'Australia/Lord_Howe',
  'America/Havana',
]

const setting: fc.Arbitrary<Setting> = fc
  .record({
    // To the millisecond: nothing may depend on whole minutes.
    now: fc.integer({ min: Date.UTC(2026, 8), max: Date.UTC(2029, 0) }),
    home: fc.constantFrom(...ZONES),
    guestZone: fc.constantFrom(...ZONES, 'Pacific/Kiritimati', 'Pacific/Pago_Pago'),
    crew: fc.constantFrom<Crew>(
      'alone',
      'alone',
      'collective',
      'round-robin',
      'round-robin with a fixed host',
    ),
  })
  .chain(({ now, home, guestZone, crew }) =>
    fc.record({
      now: fc.constant(now),
      guestZone: fc.constant(guestZone),
      crew: fc.constant(crew),
      schedules: fc.array(scheduleIn(home, now), { minLength: 3, maxLength: 3 }),
      eventType: eventTypeAt(now, crew),
      chosen: fc.oneof(fc.constant(null), fc.constantFrom(7, 20, 50, 90, 120)),
      entry: fc.constantFrom('open' as const, 'open' as const, 'link' as const, 'form' as const),
      other: eventTypeAt(now, 'alone'),
      picks: fc.array(
        fc.record({ at: fc.nat(9999), other: fc.integer({ min: 0, max: 3 }).map((n) => n === 0) }),
        {
          minLength: BOOKINGS_PER_RUN,
          maxLength: BOOKINGS_PER_RUN,
        },
      ),
      misses: fc.array(fc.record({ at: fc.nat(9999), minutes: fc.integer({ min: -200, max: 200 }) }), {
        minLength: 6,
        maxLength: 6,
      }),
    }),
  )

onEveryDatabase('one engine for listing and booking', ({ db }) => {
  it('books every slot that is listed, and none that is not', async () => {
    const tally = { booked: 0, refused: 0 }
    let run = 0
    await fc.assert(
      fc.asyncProperty(setting, async (given) => {
        const world = await addWorld(db(), `run-${run++}`, given)
        await playThrough(world, given, tally)
      }),
      // A smaller counterexample would take minutes to find; the seed it prints finds it again.
      { numRuns: RUNS, endOnFailure: true },
    )
    // Settings at random may offer nothing at all, but hardly ever do.
    assert.ok(tally.booked > RUNS, `${tally.booked} booked`)
    assert.ok(tally.refused > 5 * RUNS, `${tally.refused} refused`)
  })
})

async function playThrough(world: World, given: Setting, tally: { booked: number; refused: number }) {
  const { main, other } = world
  for (const pick of given.picks) {
    const offer = pick.other ? other : main
    const before = { main: await listing(world, main), other: await listing(world, other) }
    const choices = [...(offer === main ? before.main : before.other).keys()]
    if (choices.length === 0) continue
    const start = choices[pick.at % choices.length] as number
    const reply = await book(world, offer, start)
    assert.equal(reply.statusCode, 201, reply.body)
    const booked = reply.json()
    const { seats, durationMinutes, requiresApproval } = offer.eventType
    const end = start + durationMinutes * MINUTE
    assert.deepEqual([Date.parse(booked.startTime), Date.parse(booked.endTime)], [start, end])
    assert.equal(booked.status, requiresApproval ? 'PendingApproval' : 'Confirmed')
    tally.booked++

    const after = { main: await listing(world, main), other: await listing(world, other) }
    // A booking opens nothing.
    for (const key of ['main', 'other'] as const) {
      for (const listed of after[key].keys()) assert.ok(before[key].has(listed), 'newly listed')
    }
    const now = offer === main ? after.main : after.other
    if (seats > 1) {
      const left = ((offer === main ? before.main : before.other).get(start) as number) - 1
      assert.equal(now.get(start), left === 0 ? undefined : left)
    }
    // A booked host is offered for nothing that overlaps, except the seats left in that meeting.
    const taken = { start, end }
    if (offer === other || !given.crew.startsWith('round-robin')) {
      assertNothingOverlaps(after.other, other, taken, offer === other && seats > 1 ? start : undefined)
      if (!given.crew.startsWith('round-robin')) {
        assertNothingOverlaps(after.main, main, taken, offer === main && seats > 1 ? start : undefined)
      }
    }
    if (!now.has(start)) tally.refused += await assertRefused(world, offer, [start])
  }

  assert.deepEqual([...(await listing(world, main)).keys()], await expectedStarts(world, main))
  assert.deepEqual([...(await listing(world, other)).keys()], await expectedStarts(world, other))
  tally.refused += await assertRefused(world, main, await unlisted(world, main, given))
}

function assertNothingOverlaps(
  listed: ReadonlyMap<number, unknown>,
  { eventType }: Offered,
  taken: Interval,
  joinable: number | undefined,
): void {
  for (const start of listed.keys()) {
    if (start === joinable) continue
    assert.ok(!overlaps({ start, end: start + eventType.durationMinutes * MINUTE }, taken), 'overlaps')
  }
}

/**
 * Instants that are not listed: starts on the grid which some rule has struck out (too soon, too far
 * ahead, taken, too close, too many), and instants beside the grid.
 */
async function unlisted(world: World, offer: Offered, given: Setting): Promise<number[]> {
  const listed = await listing(world, offer)
  const span = { start: given.now - 2 * DAY, end: given.now + LISTED_DAYS * DAY }
  const grid = offer.groups.flatMap((group) => {
    const schedules = group.map(({ schedule }) => schedule)
    return referenceGrid(schedules, slotRules(offer.eventType), span)
  })
  const struckOut = grid.filter((start) => !listed.has(start)).sort((a, b) => a - b)
  const anchors = [...listed.keys(), given.now + DAY, given.now + 3 * DAY]
  const candidates = [
    ...struckOut.filter((start) => start > given.now).slice(0, 3),
    ...struckOut.slice(-2),
    ...given.misses.flatMap(({ at, minutes }) => {
      const anchor = anchors[at % anchors.length] as number
      const onGrid = struckOut[at % struckOut.length]
      return [
        anchor + minutes * MINUTE,
        anchor + Math.sign(minutes),
        ...(onGrid === undefined ? [] : [onGrid]),
      ]
    }),
    (grid.at(-1) ?? given.now) + 365 * DAY,
    given.now - HOUR,
  ]
  const found: number[] = []
  for (const start of new Set(candidates)) {
    if (!(await listing(world, offer, start)).has(start)) found.push(start)
  }
  return found
}

async function assertRefused(world: World, offer: Offered, starts: readonly number[]): Promise<number> {
  const countRows = async () =>
    (
      await world.db
        .selectFrom('bookings')
        .select('id')
        .where('event_type_id', '=', offer.eventType.id)
        .execute()
    ).length
  const before = await countRows()
  for (const start of starts) {
    const reply = await book(world, offer, start)
    assert.equal(reply.statusCode, 400, `${new Date(start).toISOString()} was booked`)
    assert.deepEqual(Object.keys(reply.json()), ['error'])
  }
  assert.equal(await countRows(), before)
  return starts.length
}

interface Offered {
  readonly owner: Scheduler
  readonly eventType: EventType
  /** Sets of hosts, any of which could take a meeting. */
  readonly groups: readonly (readonly { readonly host: Scheduler; readonly schedule: Schedule }[])[]
  /** The tokens that a guest comes with: a form's is good for one booking. */
  readonly tokens?: () => Promise<AccessTokens>
}

type World = Awaited<ReturnType<typeof addWorld>>

async function addWorld(
  db: Db,
  name: string,
  { now, guestZone, crew, schedules, eventType, chosen, entry, other }: Setting,
) {
  for (const schedule of schedules) checkSchedule(schedule)
  for (const each of [eventType, other]) checkEventType(plainEventType({ ...each, slug: 'checked' }))
  const members = await Promise.all(
    schedules.map(async (schedule, i) => ({ host: await addUser(db, `${name}-${i}`, schedule), schedule })),
  )
  type Member = (typeof members)[number]
  const [first, second, third] = members as [Member, Member, Member]
  const team = crew === 'alone' ? first.host : await addTeam(db, `${name}-team`)
  const fixed = {
    alone: [first],
    collective: [first, second],
    'round-robin': [],
    'round-robin with a fixed host': [third],
  }[crew]
  const rotating = crew.startsWith('round-robin') ? [first, second] : []
  const hosts = [
    ...fixed.map(({ host }) => ({ hostId: host.id, fixed: true })),
    ...rotating.map(({ host }) => ({ hostId: host.id, fixed: false })),
  ]
  const { durationMinutes = 30 } = eventType
  const several = chosen !== null && chosen !== durationMinutes
  const linked = entry === 'link'
  const durations = several && !linked ? [chosen, durationMinutes] : []
  const saved = await addEventType(db, team, { ...eventType, durations, linkOnly: entry !== 'open' }, hosts)
  const { app, context } = await appOn(db, { now: () => now })
  if (entry !== 'open') {
    const narrows = crew !== 'alone' && saved.seats === 1
    const hostIds = narrows ? [first.host.id] : []
    const terms = { durationMinutes: chosen, hostIds }
    const actor = { userId: null, email: 'test' }
    const link = linked ? (await issuePrivateLink(context, actor, saved, terms)).token : ''
    const form = await addForm(db, team)
    const route = { hostIds: narrows ? hostIds : null, reason: 'filter', detail: '' } as const
    const routing = async () => (await tokenFor(context, form, saved.id, route)).token
    const members = crew === 'round-robin with a fixed host' ? [...fixed, first] : [first]
    const main: Offered = {
      owner: team,
      eventType: { ...saved, durationMinutes: chosen ?? durationMinutes },
      groups: narrows ? [members] : rotating.length === 0 ? [fixed] : rotating.map((one) => [...fixed, one]),
      tokens: async () => (linked ? { link } : { routing: await routing() }),
    }
    const beside = await addEventType(db, first.host, other)
    return {
      db,
      app,
      now,
      guestZone,
      main,
      other: { owner: first.host, eventType: beside, groups: [[first]] },
    }
  }
  const main: Offered = {
    owner: team,
    eventType: several ? { ...saved, durationMinutes: chosen } : saved,
    groups: rotating.length === 0 ? [fixed] : rotating.map((member) => [...fixed, member]),
  }
  // With several lengths, the same event type at its default length is in the way.
  const beside: Offered =
    several && rotating.length === 0
      ? { ...main, eventType: saved }
      : { owner: first.host, eventType: await addEventType(db, first.host, other), groups: [[first]] }
  return { db, app, now, guestZone, main, other: beside }
}

const dateOf = (instant: number) => new Date(instant).toISOString().slice(0, 10)

/** The listed slots with the seats left: over the next days, or around an instant. */
async function listing(
  { app, now, guestZone }: World,
  { owner, eventType, tokens }: Offered,
  around?: number,
): Promise<Map<number, number | undefined>> {
  const from = around === undefined ? now - DAY : around - 2 * DAY
  const to = around === undefined ? now + LISTED_DAYS * DAY : around + 2 * DAY
  const reply = await app.inject({
    url: `/api/public/scheduling/${owner.slug}/${eventType.slug}/slots`,
    query: {
      dateFrom: dateOf(from),
      dateTo: dateOf(to),
      timezone: guestZone,
      duration: String(eventType.durationMinutes),
      ...(await tokens?.()),
    },
  })
  assert.equal(reply.statusCode, 200, reply.body)
  const days: { slots: { startTime: string; seatsLeft?: number }[] }[] = reply.json()
  return new Map(
    days.flatMap(({ slots }) => slots.map((slot) => [Date.parse(slot.startTime), slot.seatsLeft])),
  )
}

async function book({ app }: World, { owner, eventType, tokens }: Offered, start: number) {
  const query = queryOf((await tokens?.()) ?? {})
  return app.inject({
    method: 'POST',
    url: `/api/public/scheduling/${owner.slug}/${eventType.slug}/book?${query}`,
    payload: bookingOf(eventType, start),
    headers: fromSomeoneNew(),
  })
}

/** What the slow and plain reference would list, from the data in the database. */
async function expectedStarts({ db, now, guestZone }: World, offer: Offered): Promise<number[]> {
  const midnight = (date: string, days: number) =>
    Temporal.PlainDate.from(date).add({ days }).toZonedDateTime(guestZone).epochMilliseconds
  const span = { start: midnight(dateOf(now - DAY), 0), end: midnight(dateOf(now + LISTED_DAYS * DAY), 1) }
  const calendarOf = async ({
    host,
    schedule,
  }: Offered['groups'][number][number]): Promise<HostAvailability> => {
    const rows = await db
      .selectFrom('claims as c')
      .selectAll()
      .select((eb) =>
        eb
          .selectFrom('bookings as b')
          .select((count) => count.fn.countAll<number>().as('count'))
          .whereRef('b.meeting_id', '=', 'c.meeting_id')
          .as('seats_taken'),
      )
      .where('host_id', '=', host.id)
      .execute()
    const claims = rows.map((row) => ({
      meetingId: row.meeting_id,
      eventTypeId: row.event_type_id,
      startsAt: row.starts_at,
      endsAt: row.ends_at,
      bufferBefore: row.buffer_before,
      bufferAfter: row.buffer_after,
      seatsTaken: row.seats_taken ?? 0,
    }))
    return { hostId: host.id, schedule: compiled(schedule), claims, absences: [] }
  }
  const starts = new Set<number>()
  for (const group of offer.groups) {
    const calendars = await Promise.all(group.map(calendarOf))
    for (const { start } of referenceOpenings(slotRules(offer.eventType), calendars, now, span))
      starts.add(start)
  }
  return [...starts].sort((a, b) => a - b)
}
