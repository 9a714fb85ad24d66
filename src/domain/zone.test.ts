import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY, MINUTE } from './interval.ts'
import { canonicalZone, instantOf, localDay, nextChange, offsetAt, Zones } from './zone.ts'

const zones = new Zones()

const NAMES = ['UTC', ...Intl.supportedValuesOf('timeZone')]

const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds

const inZone = (instant: number, name: string) =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name)

const dayNumber = (date: Temporal.PlainDate) =>
  date.toZonedDateTime({ timeZone: 'UTC' }).epochMilliseconds / DAY

/** Instants a zone's table is asked about: around each of its changes in some years, and between them. */
function* interestingInstants(name: string): Generator<number> {
  const end = at('2030-01-01T00:00Z')
  let moment: Temporal.ZonedDateTime | null = inZone(at('2026-01-01T00:00Z'), name)
  while (moment !== null && moment.epochMilliseconds < end) {
    for (const offset of [-1, 0, 1, -DAY, DAY, 40 * DAY]) yield moment.epochMilliseconds + offset
    moment = moment.getTimeZoneTransition('next')
  }
}

describe('Zones.find', () => {
  it('finds every zone of the runtime', () => {
    for (const name of NAMES) assert.equal(zones.find(name)?.id, name)
  })

  it('finds a zone in any case of letters, with its canonical id', () => {
    for (const name of ['Europe/Paris', 'America/Port-au-Prince', 'America/Argentina/Buenos_Aires', 'UTC']) {
      assert.equal(zones.find(name.toLowerCase())?.id, name)
      assert.equal(zones.find(name.toUpperCase())?.id, name)
      assert.equal(zones.find(name)?.id, name)
    }
  })

  it('has one table per zone, whatever the case', () => {
    const kathmandu = zones.find('Asia/Kathmandu')
    for (const name of ['asia/kathmandu', 'ASIA/KATHMANDU', 'aSiA/kAtHmAnDu', 'Asia/Kathmandu']) {
      assert.equal(zones.find(name), kathmandu, name)
    }
  })

  it('finds older names of zones', () => {
    for (const name of ['Asia/Calcutta', 'Asia/Katmandu', 'US/Eastern', 'Etc/UTC', 'GMT', 'Europe/Kiev']) {
      assert.notEqual(zones.find(name), undefined, name)
    }
  })

  it('refuses offsets, which are not names', () => {
    for (const name of [
      '+02:00',
      '-05:00',
      '+00:00',
      '+0530',
      '+02',
      '−03:00',
      'UTC+2',
      'UTC+02:00',
      'GMT+5',
    ]) {
      assert.equal(zones.find(name), undefined, name)
    }
  })

  it('refuses times with a zone or an offset, which Temporal would accept', () => {
    for (const name of [
      'T00:00+02:00',
      'T00Z',
      't00z',
      'T0000+02',
      'T00:00:00.000000001+02:00',
      'T00:00[Europe/Paris]',
      'T12:34Z',
      '2026-01-01T00:00Z',
      '2026-01-01T00:00[Europe/Paris]',
    ]) {
      assert.equal(zones.find(name), undefined, name)
    }
    assert.equal(
      zones.find('+02:00'),
      undefined,
      'an offset is no name, even after such a time was asked about',
    )
  })

  it('refuses nonsense', () => {
    for (const name of [
      '',
      ' ',
      'Mars/Olympus_Mons',
      'Europe',
      'Europe/',
      'Europe/Paris ',
      ' Europe/Paris',
      'Europe/Paris\n',
      'Europe/Paris\0',
      'Europe\\Paris',
      'local',
      'Z',
      'undefined',
      'constructor',
      '__proto__',
      'x'.repeat(100_000),
    ]) {
      assert.equal(zones.find(name), undefined, JSON.stringify(name.slice(0, 80)))
    }
  })

  it('refuses letters that match only in lower case, even after the zone was found', () => {
    assert.notEqual(zones.find('Asia/Tokyo'), undefined)
    assert.equal(zones.find('Asia/To\u212Ayo'), undefined, 'with the Kelvin sign for its k')
  })
})

describe('canonicalZone', () => {
  it('returns the canonical name of every zone that Zones.find finds', () => {
    assert.equal(canonicalZone('america/port-au-PRINCE'), 'America/Port-au-Prince')
    for (const name of [
      ...NAMES,
      'Asia/Calcutta',
      'US/Eastern',
      '+02:00',
      'UTC+2',
      'T00Z',
      'Mars/Olympus',
      '',
    ]) {
      assert.equal(canonicalZone(name), zones.find(name)?.id, name)
    }
  })
})

describe('Zones.get', () => {
  it('returns what find returns', () => {
    assert.equal(zones.get('Europe/Paris'), zones.find('Europe/Paris'))
  })

  it('throws for an unknown zone, and names it', () => {
    assert.throws(() => zones.get('Mars/Olympus_Mons'), /Mars\/Olympus_Mons/)
  })
})

describe('offsetAt, nextChange and localDay', () => {
  it('match Temporal in every zone', () => {
    for (const name of NAMES) {
      const zone = zones.get(name)
      for (const instant of interestingInstants(name)) {
        const moment = inZone(instant, name)
        const where = `${name} at ${moment}`
        assert.equal(offsetAt(zone, instant), moment.offsetNanoseconds / 1e6, where)
        assert.equal(localDay(zone, instant), dayNumber(moment.toPlainDate()), where)
        const next = moment.getTimeZoneTransition('next')
        if (next === null || next.epochMilliseconds < at('2100-01-01T00:00Z')) {
          assert.equal(nextChange(zone, instant), next?.epochMilliseconds ?? Infinity, where)
        }
      }
    }
  })

  it('use the new offset from the instant of the change', () => {
    const paris = zones.get('Europe/Paris')
    const spring = at('2026-03-29T01:00Z')
    assert.equal(offsetAt(paris, spring - 1), 60 * MINUTE)
    assert.equal(offsetAt(paris, spring), 120 * MINUTE)
    assert.equal(nextChange(paris, spring - 1), spring)
    assert.ok(nextChange(paris, spring) > spring)
  })

  it('work far outside the bookable years', () => {
    const paris = zones.get('Europe/Paris')
    for (const instant of [-8.64e15, 0, 8.64e15]) assert.ok(Number.isInteger(localDay(paris, instant)))
  })

  it('never change again in UTC', () => {
    assert.equal(nextChange(zones.get('UTC'), at('2026-01-01T00:00Z')), Infinity)
  })
})

describe('instantOf', () => {
  it('matches Temporal around every change of every zone', () => {
    const times = [0, 1, 30, 59, 60, 61, 90, 119, 120, 121, 150, 180, 181, 720, 1380, 1410, 1439]
    for (const name of NAMES) {
      const zone = zones.get(name)
      const dates = new Set(
        [...interestingInstants(name)].map((i) => inZone(i, name).toPlainDate().toString()),
      )
      for (const date of [...dates].map((text) => Temporal.PlainDate.from(text))) {
        for (const minutes of times) {
          const plainTime = { hour: Math.floor(minutes / 60), minute: minutes % 60 }
          const expected = date.toZonedDateTime({ timeZone: name, plainTime }).epochMilliseconds
          assert.equal(instantOf(zone, dayNumber(date), minutes), expected, `${name} ${date} +${minutes} min`)
        }
      }
    }
  })

  it('reads 24:00 as midnight of the next date', () => {
    for (const name of NAMES) {
      const zone = zones.get(name)
      for (const date of ['2026-03-28', '2026-03-29', '2026-10-24', '2026-10-25', '2026-12-31']) {
        const day = dayNumber(Temporal.PlainDate.from(date))
        assert.equal(instantOf(zone, day, 24 * 60), instantOf(zone, day + 1, 0), `${name} ${date}`)
      }
    }
  })

  it('moves a skipped time on by the length of the gap', () => {
    const day = dayNumber(Temporal.PlainDate.from('2026-03-29'))
    assert.equal(instantOf(zones.get('Europe/Paris'), day, 150), at('2026-03-29T03:30+02:00'))
  })

  it('uses the first of two repeated times', () => {
    const day = dayNumber(Temporal.PlainDate.from('2026-10-25'))
    assert.equal(instantOf(zones.get('Europe/Paris'), day, 150), at('2026-10-25T02:30+02:00'))
  })

  it('handles a whole date that a zone skipped', () => {
    // Samoa went from 29 to 31 December 2011 to change its side of the date line.
    const apia = zones.get('Pacific/Apia')
    const skipped = dayNumber(Temporal.PlainDate.from('2011-12-30'))
    const expected = Temporal.PlainDate.from('2011-12-30').toZonedDateTime({
      timeZone: 'Pacific/Apia',
      plainTime: '12:00',
    })
    assert.equal(instantOf(apia, skipped, 12 * 60), expected.epochMilliseconds)
  })
})
