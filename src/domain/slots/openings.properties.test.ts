import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { compiled, findOffered, type Offered, zones } from '../../../test/openings.ts'
import { isFree, referenceOpenings } from '../../../test/reference.ts'
import { repeat } from '../../../test/repeat.ts'
import { ListingWriter } from '../../format/listing.ts'
import type { BookingWindow } from '../event-types/event-type.ts'
import { checkSchedule, type Schedule, type WallRange } from '../event-types/hours.ts'
import { DAY, type Interval, MINUTE, merge, overlaps } from '../interval.ts'
import {
  type Claim,
  claimSpan,
  findOpenings,
  type HostAvailability,
  joinOpenings,
  openingsExpireAt,
  startsOf,
} from './openings.ts'
import type { SlotRules } from './rules.ts'

// Every case plays within some days around one instant, which often is a change of a clock.

const ZONES = [
  'UTC',
  'Europe/Paris',
  'America/New_York',
  'America/St_Johns', // -03:30, and DST
  'Asia/Kathmandu', // +05:45
  'Pacific/Chatham', // +12:45, and DST
  'Pacific/Kiritimati', // +14:00
  'Pacific/Pago_Pago', // -11:00
  'America/Havana', // skips and repeats midnight
  'Asia/Beirut', // skips midnight
  'America/Nuuk', // changes at the end of Saturday
  'Australia/Lord_Howe', // changes by half an hour
  'Antarctica/Troll', // changes by two hours
  'Africa/Casablanca', // changes for Ramadan
]

interface Case {
  readonly rules: SlotRules
  readonly groups: readonly (readonly HostAvailability[])[]
  readonly now: number
  readonly span: Interval
}

const minutes = (least: number, most: number) => fc.integer({ min: least, max: most }).map((n) => n * MINUTE)

const zone = fc.constantFrom(...ZONES)

const fraction = fc.double({ min: 0, max: 1, noNaN: true })

/** Where and when a case plays: most hosts are at home, and their clock often changes in the middle. */
interface Scene {
  readonly home: string
  readonly middle: number
}

const scene: fc.Arbitrary<Scene> = fc
  .record({
    instant: minutes(Date.UTC(2026, 0, 10) / MINUTE, Date.UTC(2030, 11, 20) / MINUTE),
    home: zone,
    atChange: fc.boolean(),
  })
  .map(({ instant, home, atChange }) => {
    const moment = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(home)
    const change = atChange ? moment.getTimeZoneTransition('next') : null
    return { home, middle: change?.epochMilliseconds ?? instant }
  })

const wallTime = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** Cuts a day into pieces and opens some of them, so that ranges may touch, also over midnight. */
const hoursOfADay: fc.Arbitrary<WallRange[]> = fc
  .record({
    cuts: fc.uniqueArray(
      fc.oneof(
        fc.constantFrom(0, 24 * 60),
        fc.integer({ min: 0, max: 16 }).map((n) => n * 15),
        fc.integer({ min: 0, max: 24 * 60 }),
      ),
      { minLength: 2, maxLength: 7 },
    ),
    open: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
  })
  .map(({ cuts, open }) => {
    const sorted = cuts.toSorted((a, b) => a - b)
    return sorted
      .slice(1)
      .map((closes, i) => ({ opens: wallTime(sorted[i] as number), closes: wallTime(closes) }))
      .filter((_, i) => open[i])
  })

const scheduleAround = ({ home, middle }: Scene): fc.Arbitrary<Schedule> => {
  const dates = Array.from({ length: 9 }, (_, i) =>
    new Date(middle + (i - 4) * DAY).toISOString().slice(0, 10),
  )
  const week = fc.array(hoursOfADay, { minLength: 7, maxLength: 7 })
  return fc
    .record({
      timeZone: fc.oneof(fc.constant(home), zone),
      week: fc.oneof(
        week,
        week,
        fc.constant(Array<WallRange[]>(7).fill([{ opens: '00:00', closes: '24:00' }])),
      ),
      overrides: fc.dictionary(fc.constantFrom(...dates), hoursOfADay, { maxKeys: 3, noNullPrototype: true }),
    })
    .map(({ timeZone, week, overrides }) => ({
      timeZone,
      weekly: Object.fromEntries(week.map((ranges, i) => [i + 1, ranges])),
      overrides,
    }))
}

const rarely = <T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: rare, weight: 1 })

const buffer = rarely(fc.oneof(fc.constant(0), minutes(0, 90)), fc.constant(DAY))

const claimAround = (middle: number, rules: SlotRules): fc.Arbitrary<Claim> =>
  fc
    .record({
      meetingId: fc.uuid(),
      eventTypeId: fc.constantFrom('ours', 'ours', 'other'),
      startsAt: minutes(-6 * 24 * 12, 6 * 24 * 12).map((offset) => middle + 5 * offset),
      duration: rarely(fc.oneof(fc.constant(rules.duration), minutes(1, 120)), fc.constant(DAY)),
      bufferBefore: buffer,
      bufferAfter: buffer,
      seatsTaken: fc.integer({ min: 1, max: 4 }),
    })
    .map(({ duration, ...claim }) => ({ ...claim, endsAt: claim.startsAt + duration }))

const busyAround = (middle: number): fc.Arbitrary<Interval> =>
  fc
    .tuple(minutes(-4 * 24 * 60, 4 * 24 * 60), minutes(1, 300))
    .map(([offset, length]) => ({ start: middle + offset, end: middle + offset + length }))

/** Hosts who may share some of their meetings. */
const hostsAround = (scene: Scene, rules: SlotRules, most: number): fc.Arbitrary<HostAvailability[]> =>
  fc
    .record({
      hosts: fc.array(
        fc.record({
          hostId: fc.uuid(),
          schedule: scheduleAround(scene).map(compiled),
          claims: fc.array(claimAround(scene.middle, rules), { maxLength: 3 }),
          absences: fc.array(busyAround(scene.middle), { maxLength: 1 }),
          busyTimes: fc.array(busyAround(scene.middle), { maxLength: 4 }).map(merge),
        }),
        { minLength: 1, maxLength: most },
      ),
      shared: fc.array(claimAround(scene.middle, rules), { maxLength: 2 }),
    })
    .map(({ hosts, shared }) => hosts.map((host) => ({ ...host, claims: [...shared, ...host.claims] })))

const windowAround = (middle: number): fc.Arbitrary<BookingWindow> => {
  const date = fc
    .integer({ min: -4, max: 4 })
    .map((days) => new Date(middle + days * DAY).toISOString().slice(0, 10))
  return fc.oneof(
    fc.constant({ kind: 'unlimited' } as const),
    fc.record({
      kind: fc.constant('rolling' as const),
      days: fc.integer({ min: 0, max: 6 }),
      businessDays: fc.boolean(),
    }),
    fc.tuple(date, date).map((dates) => {
      const [from, to] = dates.toSorted() as [string, string]
      return { kind: 'fixed', from, to } as const
    }),
  )
}

const limit = fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 3 }))

const limitMinutes = fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 600 }))

const rulesAround = (middle: number): fc.Arbitrary<SlotRules> =>
  fc.record({
    eventTypeId: fc.constant('ours'),
    duration: fc
      .oneof(fc.constantFrom(15, 30, 45, 60, 90, 24 * 60), fc.integer({ min: 1, max: 300 }))
      .map((n) => n * MINUTE),
    step: fc
      .oneof(fc.constantFrom(15, 20, 30, 45, 60, 90, 24 * 60), fc.integer({ min: 5, max: 300 }))
      .map((n) => n * MINUTE),
    bufferBefore: buffer,
    bufferAfter: buffer,
    notice: rarely(minutes(0, 12 * 60), minutes(0, 3 * 24 * 60)),
    window: windowAround(middle),
    limits: fc.oneof(
      fc.constant({ day: null, week: null, month: null }),
      fc.record({ day: limit, week: limit, month: limit, year: limit }),
    ),
    limitMinutes: fc.oneof(
      fc.constant({ day: null, week: null, month: null }),
      fc.record({ day: limitMinutes, week: limitMinutes, month: limitMinutes, year: limitMinutes }),
    ),
    seats: fc.constantFrom(1, 1, 3),
  })

const spanAround = (middle: number): fc.Arbitrary<Interval> =>
  fc
    .tuple(minutes(-3 * 24 * 60, 24 * 60), minutes(1, 4 * 24 * 60))
    .map(([offset, length]) => ({ start: middle + offset, end: middle + offset + length }))

/** Mostly before the span, so that the notice does not block everything. */
const nowAround = (middle: number) => minutes(-6 * 24 * 60, 12 * 60).map((offset) => middle + offset)

/** No host attends two meetings at once; of those who would, the first stays. */
function apart(claims: readonly Claim[]): Claim[] {
  const kept: Claim[] = []
  for (const claim of claims) {
    const clashes = kept.some((other) => claim.startsAt < other.endsAt && other.startsAt < claim.endsAt)
    if (!clashes) kept.push(claim)
  }
  return kept
}

/** Moves some meetings to where guests book them: onto starts that are open for their group. */
function bookOnGrid(group: HostAvailability[], rules: SlotRules, span: Interval, places: readonly number[]) {
  const empty = group.map((host) => ({ ...host, claims: [], absences: [], busyTimes: [] }))
  const unbound = { ...rules, window: { kind: 'unlimited' } as const }
  const { starts } = findOffered(unbound, [empty], span.start - 365 * DAY, span)
  if (starts.length === 0) return group
  const meetings = [...new Set(group.flatMap((host) => host.claims.map((claim) => claim.meetingId)))]
  return group.map((host) => ({
    ...host,
    claims: host.claims.map((claim) => {
      const place = places[meetings.indexOf(claim.meetingId)]
      if (place === undefined) return claim
      const startsAt = starts[Math.floor(place * (starts.length - 1))] as number
      return { ...claim, startsAt, endsAt: startsAt + claim.endsAt - claim.startsAt }
    }),
  }))
}

const caseOf = (change: (rules: SlotRules) => SlotRules, mostGroups: number): fc.Arbitrary<Case> =>
  scene.chain((scene) =>
    rulesAround(scene.middle)
      .map(change)
      .chain((rules) =>
        fc
          .record({
            rules: fc.constant(rules),
            groups: fc.array(hostsAround(scene, rules, 2), { minLength: 1, maxLength: mostGroups }),
            now: nowAround(scene.middle),
            span: spanAround(scene.middle),
            places: fc.array(fraction, { maxLength: 4 }),
          })
          .map(({ groups, places, ...rest }) => ({
            ...rest,
            groups: groups
              .map((group) => bookOnGrid(group, rules, rest.span, places))
              .map((group) => group.map((host) => ({ ...host, claims: apart(host.claims) }))),
          })),
      ),
  )

const anyCase = caseOf((rules) => rules, 2)
const oneGroup = caseOf((rules) => rules, 1)
const withoutSeats = caseOf((rules) => ({ ...rules, seats: 1 }), 2)

const open = ({ rules, groups, now, span }: Case) => findOffered(rules, groups, now, span)

/** Starts, with the seats that are left there. */
const pairs = ({ starts, seatsLeft }: Offered) => starts.map((start, i) => [start, seatsLeft?.[i]] as const)

/** The instant that far into a span: 0 is its start, 1 its end. */
const within = ({ start, end }: Interval, fraction: number) => start + Math.floor((end - start) * fraction)

const check = <T>(runs: number, arbitrary: fc.Arbitrary<T>, law: (value: T) => void) =>
  fc.assert(fc.property(arbitrary, law), { numRuns: repeat({ few: Math.ceil(runs / 2), many: runs * 20 }) })

describe('whatever the hours, the rules and the bookings', () => {
  it('uses valid schedules, and often has openings', () => {
    let withOpenings = 0
    const cases = fc.sample(anyCase, 500)
    for (const sample of cases) {
      for (const { schedule } of sample.groups.flat()) checkSchedule(schedule)
      if (open(sample).starts.length > 0) withOpenings++
    }
    assert.ok(withOpenings > cases.length / 10, `${withOpenings} of ${cases.length} cases have openings`)
  })

  it('a group has exactly the openings of the reference', () => {
    check(1500, oneGroup, (given) => {
      const expected = referenceOpenings(
        given.rules,
        given.groups[0] as HostAvailability[],
        given.now,
        given.span,
      )
      const seated = given.rules.seats > 1
      assert.deepEqual(
        pairs(open(given)),
        expected.map(({ start, seatsLeft }) => [start, seated ? seatsLeft : undefined]),
      )
    })
  })

  it('several groups have the openings of any of them', () => {
    check(1000, anyCase, (given) => {
      const any = new Set(given.groups.flatMap((group) => open({ ...given, groups: [group] }).starts))
      assert.deepEqual(
        open(given).starts,
        [...any].sort((a, b) => a - b),
      )
    })
  })

  it('starts come in order, each once, within the span', () => {
    check(1000, anyCase, (given) => {
      const { starts } = open(given)
      for (const [i, start] of starts.entries()) {
        assert.ok(i === 0 || (starts[i - 1] as number) < start)
        assert.ok(given.span.start <= start && start < given.span.end)
      }
    })
  })

  it('two halves of a span have the openings of the whole', () => {
    check(1000, fc.tuple(anyCase, fraction), ([given, at]) => {
      const middle = within(given.span, at)
      const first = open({ ...given, span: { start: given.span.start, end: middle } })
      const second = open({ ...given, span: { start: middle, end: given.span.end } })
      assert.deepEqual([...pairs(first), ...pairs(second)], pairs(open(given)))
    })
  })

  it('a wider span has the same openings within', () => {
    check(
      1000,
      fc.tuple(anyCase, minutes(0, 7 * 24 * 60), minutes(0, 7 * 24 * 60)),
      ([given, before, after]) => {
        const { start, end } = given.span
        const wider = open({ ...given, span: { start: start - before, end: end + after } })
        const inside = pairs(wider).filter(([instant]) => start <= instant && instant < end)
        assert.deepEqual(inside, pairs(open(given)))
      },
    )
  })

  it('what was found in stretches and joined are the openings of a span', () => {
    check(
      1000,
      fc.tuple(anyCase, minutes(0, 3 * 24 * 60), minutes(60, 4 * 24 * 60)),
      ([given, before, length]) => {
        const { rules, groups, now, span } = given
        const stretches = []
        for (let start = span.start - before; start < span.end; start += length) {
          stretches.push(findOpenings(rules, groups, now, { start, end: start + length }))
        }
        const { step, firsts, counts, seatsLeft } = joinOpenings(stretches, rules.step, span)
        const starts = startsOf({ step, firsts, counts, seatsLeft })
        assert.deepEqual(pairs({ step, firsts, counts, seatsLeft, starts }), pairs(open(given)))
      },
    )
  })

  it('a start can be booked exactly if it is listed', () => {
    check(1000, fc.tuple(anyCase, fraction), ([given, at]) => {
      const { span } = given
      const listed = new Map(pairs(open(given)))
      const anywhere = within(span, at)
      const onTheMinute = span.start + Math.floor((anywhere - span.start) / MINUTE) * MINUTE
      const candidates = [anywhere, onTheMinute, ...listed.keys()]
      for (const instant of candidates.filter((candidate) => candidate < span.end)) {
        const found = pairs(open({ ...given, span: { start: instant, end: instant + 1 } }))
        assert.deepEqual(found, listed.has(instant) ? [[instant, listed.get(instant)]] : [])
      }
    })
  })

  it('no opening conflicts with a meeting or its buffers', () => {
    check(
      1000,
      caseOf((rules) => ({ ...rules, seats: 1 }), 1),
      (given) => {
        const { rules } = given
        for (const start of open(given).starts) {
          const meeting = { start, end: start + rules.duration }
          for (const host of given.groups.flat()) {
            for (const { startsAt, endsAt } of host.claims) {
              assert.ok(!overlaps(meeting, { start: startsAt, end: endsAt }))
            }
            assert.ok(isFree(start, rules, host))
          }
        }
      },
    )
  })

  it('another booking never adds a start', () => {
    const added = withoutSeats.chain((given) =>
      fc.tuple(fc.constant(given), claimAround(given.span.start + DAY, given.rules), fc.nat(1)),
    )
    check(1000, added, ([given, claim, group]) => {
      const groups = given.groups.map((hosts, i) =>
        i === group % given.groups.length
          ? hosts.map((host, j) => (j === 0 ? { ...host, claims: [...host.claims, claim] } : host))
          : hosts,
      )
      const before = new Set(open(given).starts)
      for (const start of open({ ...given, groups }).starts) assert.ok(before.has(start))
    })
  })

  it('bookings outside claimSpan change nothing', () => {
    const distant = anyCase.chain((given) =>
      fc.tuple(
        fc.constant(given),
        fc.array(claimAround(0, given.rules), { minLength: 1 }),
        fc.boolean(),
        fc.nat(40 * DAY),
      ),
    )
    check(1000, distant, ([given, claims, earlier, distance]) => {
      const asked = claimSpan(given.rules, given.span)
      const outside = claims.map((claim) => {
        const duration = claim.endsAt - claim.startsAt
        const startsAt = earlier ? asked.start - duration - distance : asked.end + distance
        return { ...claim, startsAt, endsAt: startsAt + duration }
      })
      const groups = given.groups.map((hosts) =>
        hosts.map((host) => ({ ...host, claims: [...host.claims, ...outside] })),
      )
      assert.deepEqual(pairs(open({ ...given, groups })), pairs(open(given)))
    })
  })

  it('passing time only removes openings, unless the window rolls', () => {
    const fixed = anyCase.filter(({ rules }) => rules.window.kind !== 'rolling')
    check(1000, fc.tuple(fixed, minutes(0, 5 * 24 * 60)), ([given, later]) => {
      const before = new Map(pairs(open(given)))
      for (const [start, seatsLeft] of pairs(open({ ...given, now: given.now + later }))) {
        assert.ok(before.has(start))
        assert.equal(before.get(start), seatsLeft)
      }
    })
  })

  it('openings stay the same until they expire, and then the notice removes the first', () => {
    check(1000, fc.tuple(anyCase, fraction), ([given, at]) => {
      const { rules, groups, now } = given
      const openings = open(given)
      const expires = openingsExpireAt(rules, groups, now, openings)
      assert.ok(expires > now)
      const end = Math.min(expires, now + 30 * DAY)
      for (const later of [Math.min(within({ start: now, end }, at), end - 1), end - 1]) {
        assert.deepEqual(pairs(open({ ...given, now: later })), pairs(openings))
      }
      const [first] = openings.starts
      if (first !== undefined && expires === first - rules.notice + 1) {
        assert.ok(!open({ ...given, now: expires }).starts.includes(first))
      }
    })
  })
})

describe('whatever the zone of the guest', () => {
  interface Listed {
    readonly date: string
    readonly slots: readonly {
      readonly startTime: string
      readonly endTime: string
      readonly seatsLeft?: number
    }[]
  }
  const writer = new ListingWriter()
  const list = (given: Case, guest: string): Listed[] =>
    JSON.parse(Buffer.from(writer.write(open(given), given.rules.duration, zones.get(guest))).toString())

  it('the slots are the same, and only their dates differ', () => {
    check(1000, fc.tuple(anyCase, zone, zone), ([given, here, there]) => {
      const [seenHere, seenThere] = [list(given, here), list(given, there)]
      const slots = seenHere.flatMap((day) => day.slots)
      assert.deepEqual(
        slots,
        seenThere.flatMap((day) => day.slots),
      )
      assert.deepEqual(
        slots.map(({ startTime, seatsLeft }) => [Date.parse(startTime), seatsLeft]),
        pairs(open(given)),
      )
      for (const { startTime, endTime } of slots) {
        assert.equal(Date.parse(endTime) - Date.parse(startTime), given.rules.duration)
      }
    })
  })

  it('each slot is under its own local date, and dates ascend, each once and none empty', () => {
    check(1000, fc.tuple(anyCase, zone), ([given, guest]) => {
      const days = list(given, guest)
      for (const [i, { date, slots }] of days.entries()) {
        assert.ok(i === 0 || (days[i - 1] as Listed).date < date)
        assert.ok(slots.length > 0)
        for (const { startTime } of slots) {
          assert.equal(
            Temporal.Instant.from(startTime).toZonedDateTimeISO(guest).toPlainDate().toString(),
            date,
          )
        }
      }
    })
  })
})
