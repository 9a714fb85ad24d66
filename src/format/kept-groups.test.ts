import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { zones } from '../../test/openings.ts'
import { repeat } from '../../test/repeat.ts'
import { DAY, HOUR, type Interval, MINUTE } from '../domain/interval.ts'
import { joinOpenings, openingsAt } from '../domain/slots/openings.ts'
import { instantOf, localDay, offsetAt } from '../domain/zone.ts'
import { KeptGroups, type KeptOpenings } from './kept-groups.ts'
import { guestSpan, ListingWriter } from './listing.ts'

const writer = new ListingWriter()
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')]
const PART = 32 * DAY
const FIRST_DAY = Date.UTC(2026, 0, 20) / DAY

interface Hours {
  readonly home: string
  /** Minutes past midnight. */
  readonly opens: number
  readonly closes: number
  readonly step: number
  /** What is not free: the start with this index of every day, and every so manieth start. */
  readonly taken: readonly number[]
  readonly days: Interval
}

const NINE_TO_FIVE: Hours = {
  home: 'Europe/Berlin',
  opens: 9 * 60,
  closes: 17 * 60,
  step: 30,
  taken: [5],
  days: { start: FIRST_DAY, end: FIRST_DAY + 100 },
}

function startsOf({ home, opens, closes, step, taken, days }: Hours): number[] {
  const zone = zones.get(home)
  const starts = new Set<number>()
  for (let day = days.start; day < days.end; day++) {
    for (let minute = opens, i = 0; minute < closes; minute += step, i++) {
      const isTaken = taken.includes(i) || taken.includes((day * 31 + i) % 97)
      if (!isTaken) starts.add(instantOf(zone, day, minute))
    }
  }
  return [...starts].sort((a, b) => a - b)
}

/** Openings in parts, as they are kept. */
function partsOf(hours: Hours): KeptOpenings[] {
  const starts = startsOf(hours)
  const parts: KeptOpenings[] = []
  const end = (hours.days.end + 1) * DAY
  for (let at = Math.floor((hours.days.start * DAY) / PART) * PART; at < end; at += PART) {
    const own = starts.filter((start) => start >= at && start < at + PART)
    parts.push({ openings: openingsAt(own, hours.step * MINUTE), written: [] })
  }
  return parts
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString()

/** The same as the writer has it. */
function writeAnew(parts: readonly KeptOpenings[], dates: Interval, step: number, guest: string): string {
  const all = parts.map(({ openings }) => openings)
  return textOf(writer.write(joinOpenings(all, step * MINUTE, dates), 45 * MINUTE, zones.get(guest)))
}

describe('KeptGroups', () => {
  const hours: fc.Arbitrary<Hours> = fc
    .record({
      home: fc.constantFrom(...ZONES),
      opens: fc.integer({ min: 0, max: 23 * 60 }),
      long: fc.integer({ min: 1, max: 24 * 60 }),
      step: fc.constantFrom(5, 15, 20, 30, 60, 90),
      taken: fc.array(fc.nat(96), { maxLength: 12 }),
      first: fc.nat(1000),
      many: fc.integer({ min: 1, max: 120 }),
    })
    .map(({ opens, long, first, many, ...rest }) => ({
      ...rest,
      opens,
      closes: opens + long,
      days: { start: FIRST_DAY + first, end: FIRST_DAY + first + many },
    }))
  const asked = fc.record({
    guest: fc.constantFrom(...ZONES),
    first: fc.integer({ min: -3, max: 120 }),
    days: fc.integer({ min: 1, max: 92 }),
  })

  it('lists what the writer writes, for any hours, dates and guests', () => {
    const kept = new KeptGroups(writer)
    let [helped, all] = [0, 0]
    fc.assert(
      fc.property(hours, fc.array(asked, { minLength: 1, maxLength: 10 }), (given, requests) => {
        const parts = partsOf(given)
        for (const { guest, first, days } of requests) {
          const zone = zones.get(guest)
          const dates = guestSpan(zone, given.days.start + first, given.days.start + first + days - 1)
          const listing = kept.list(parts, dates, 45 * MINUTE, zone)
          all++
          if (listing === undefined) continue
          helped++
          assert.equal(textOf(listing), writeAnew(parts, dates, given.step, guest))
        }
      }),
      { numRuns: repeat({ few: 300, many: 5000 }) },
    )
    assert.ok(helped > all / 5, `${helped} of ${all}`)
  })

  it('writes openings once for all guests whose midnights are not within the hours', () => {
    const kept = new KeptGroups(writer)
    const parts = partsOf(NINE_TO_FIVE)
    const guests = ZONES.filter((name) => Math.abs(offsetAt(zones.get(name), FIRST_DAY * DAY)) <= 6 * HOUR)
    assert.ok(guests.length > 200)
    for (const guest of guests) {
      const dates = guestSpan(zones.get(guest), FIRST_DAY + 20, FIRST_DAY + 80)
      const listing = kept.list(parts, dates, 45 * MINUTE, zones.get(guest))
      assert.equal(listing && textOf(listing), writeAnew(parts, dates, 30, guest))
    }
    assert.ok(parts.every(({ written }) => written.length === 1))
  })

  it('keeps two ways to write them, for guests on both sides of the date line', () => {
    const kept = new KeptGroups(writer)
    const parts = partsOf({ ...NINE_TO_FIVE, home: 'Pacific/Auckland' })
    for (const guest of ['Pacific/Auckland', 'Pacific/Honolulu', 'Pacific/Auckland']) {
      const dates = guestSpan(zones.get(guest), FIRST_DAY + 2, FIRST_DAY + 30)
      const listing = kept.list(parts, dates, 45 * MINUTE, zones.get(guest))
      assert.equal(listing && textOf(listing), writeAnew(parts, dates, 30, guest))
    }
    assert.equal(parts[1]?.written.length, 2)
  })

  it('does not help a guest whose midnight is within the hours', () => {
    const parts = partsOf(NINE_TO_FIVE)
    const zone = zones.get('Pacific/Auckland')
    const dates = guestSpan(zone, FIRST_DAY, FIRST_DAY + 30)
    assert.equal(new KeptGroups(writer).list(parts, dates, 45 * MINUTE, zone), undefined)
    assert.ok(parts.every(({ written }) => written.length === 0))
  })

  it('does not take a slot for one of the day before when the guest’s clocks have changed', () => {
    const parts = partsOf({ ...NINE_TO_FIVE, home: 'UTC', opens: 17 * 60, closes: 29 * 60, taken: [] })
    const zone = zones.get('America/New_York')
    const march = Date.UTC(2026, 2, 1) / DAY
    const list = (first: number, last: number) => {
      const dates = guestSpan(zone, first, last)
      const listing = new KeptGroups(writer).list(parts, dates, 45 * MINUTE, zone)
      if (listing) assert.equal(textOf(listing), writeAnew(parts, dates, 30, 'America/New_York'))
      return listing
    }
    assert.ok(list(march, march + 5) !== undefined)
    assert.equal(list(march, march + 30), undefined)
  })

  it('does not help with a date that the guest’s zone skipped, or with seats', () => {
    const apia = zones.get('Pacific/Apia')
    const skipped = Date.UTC(2011, 11, 30) / DAY
    const days = { start: skipped - 10, end: skipped + 10 }
    const parts = partsOf({ ...NINE_TO_FIVE, home: 'UTC', opens: 20 * 60, closes: 27 * 60, days })
    assert.equal(new KeptGroups(writer).list(parts, guestSpan(apia, skipped, skipped), HOUR, apia), undefined)
    const zone = zones.get('UTC')
    const seated = parts.map(({ openings }) => {
      const { firsts } = openings
      const counts = firsts.map(() => 1)
      return { openings: { ...openings, counts, seatsLeft: counts }, written: [] }
    })
    const dates = guestSpan(zone, skipped - 5, skipped + 5)
    assert.equal(new KeptGroups(writer).list(seated, dates, HOUR, zone), undefined)
  })

  it('lists nothing wrong when the last part takes the place of the first', () => {
    const zone = zones.get('Europe/Berlin')
    const large = (taken: number) =>
      partsOf({
        ...NINE_TO_FIVE,
        step: 5,
        taken: [taken],
        days: { start: FIRST_DAY, end: FIRST_DAY + 90 },
      })
    const parts = large(96).filter(({ openings }) => openings.firsts.length > 0)
    const [first, second] = parts as [KeptOpenings, KeptOpenings]
    const others = Array.from({ length: 20 }, (_, i) => large(i)).flat()
    const dates = guestSpan(zone, FIRST_DAY, FIRST_DAY + 60)
    const list = (kept: KeptGroups, some: KeptOpenings[]) => kept.list(some, dates, 45 * MINUTE, zone)
    let helped = 0
    for (let count = 30; count < others.length; count++) {
      for (const part of [...parts, ...others]) part.written = []
      const kept = new KeptGroups(writer)
      list(kept, [first])
      for (const other of others.slice(0, count)) list(kept, [other])
      const listing = list(kept, [first, second])
      if (listing === undefined) continue
      helped++
      assert.equal(textOf(listing), writeAnew([first, second], dates, 5, 'Europe/Berlin'))
    }
    assert.ok(helped < others.length - 30)
  })

  it('forgets what is oldest, and then writes it again', () => {
    const kept = new KeptGroups(writer)
    const zone = zones.get('Europe/Berlin')
    const [first, last] = [FIRST_DAY, FIRST_DAY + 90]
    const dates = guestSpan(zone, first, last)
    const many = Array.from({ length: 60 }, (_, i) =>
      partsOf({ ...NINE_TO_FIVE, step: 5, taken: [i, i + 7] }),
    )
    for (let round = 0; round < 2; round++) {
      for (const parts of many) {
        const listing = kept.list(parts, dates, 45 * MINUTE, zone)
        assert.equal(listing && textOf(listing), writeAnew(parts, dates, 5, 'Europe/Berlin'))
      }
    }
    assert.ok(many.flat().every(({ written }) => written.length <= 1))
  })

  it('continues a date that two parts share', () => {
    // Their midnight in UTC is six in the afternoon in Denver.
    const parts = partsOf({ ...NINE_TO_FIVE, home: 'America/Denver', opens: 15 * 60, closes: 20 * 60 })
    const zone = zones.get('America/Denver')
    const [one, two] = parts.filter(({ openings }) => openings.firsts.length > 0)
    const edge = two?.openings.firsts[0] ?? Number.NaN
    assert.equal(localDay(zone, edge), localDay(zone, (one?.openings.firsts.at(-1) ?? 0) + HOUR))
    const dates = guestSpan(zone, localDay(zone, edge) - 1, localDay(zone, edge))
    const listing = new KeptGroups(writer).list(parts, dates, 45 * MINUTE, zone)
    assert.equal(listing && textOf(listing), writeAnew(parts, dates, 30, 'America/Denver'))
  })

  it('lists nothing where nothing is open', () => {
    const kept = new KeptGroups(writer)
    const parts = partsOf(NINE_TO_FIVE)
    const zone = zones.get('Europe/Berlin')
    const before = kept.list(parts, guestSpan(zone, FIRST_DAY - 30, FIRST_DAY - 2), 45 * MINUTE, zone)
    assert.equal(before && textOf(before), '[]')
    assert.equal(
      textOf(kept.list([], guestSpan(zone, FIRST_DAY, FIRST_DAY), HOUR, zone) ?? new Uint8Array()),
      '[]',
    )
  })
})
