import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findZones, listZones } from './zone-list.ts'
import { CURRENT } from './zone-names.ts'
import { ABBREVIATIONS, CITIES, COUNTRY_ZONES } from './zone-places.ts'

const zones = listZones('en')
const find = (typed: string, among = zones) =>
  findZones(among, typed, () => 'GMT+5:30').map(({ zone, by }) =>
    by === '' ? zone.id : `${zone.id} by ${by}`,
  )

describe('the list of time zones', () => {
  it('has every zone once, by its present name', () => {
    const ids = zones.map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length)
    assert.equal(ids.length, new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']).size)
    for (const former of Object.keys(CURRENT)) assert.ok(!ids.includes(former), former)
    for (const current of Object.values(CURRENT)) assert.ok(ids.includes(current), current)
    assert.deepEqual(
      ['Asia/Kolkata', 'Europe/Kyiv', 'Asia/Ho_Chi_Minh'].map(
        (id) => zones.find((zone) => zone.id === id)?.city,
      ),
      ['Kolkata', 'Kyiv', 'Ho Chi Minh City'],
    )
  })

  it('finds a zone by cities, countries and abbreviations', () => {
    assert.equal(find('kolkata')[0], 'Asia/Kolkata')
    assert.equal(find('calcutta')[0], 'Asia/Kolkata by Calcutta')
    assert.equal(find('India')[0], 'Asia/Kolkata')
    assert.equal(find('germany')[0], 'Europe/Berlin')
    assert.equal(find('munich')[0], 'Europe/Berlin by Munich')
    assert.equal(find('munchen')[0], 'Europe/Berlin by München')
    assert.equal(find('PST')[0], 'America/Los_Angeles by PST')
    assert.equal(find('pacific time')[0], 'America/Los_Angeles by Pacific Time')
    assert.deepEqual(find('IST').slice(0, 3).sort(), [
      'Asia/Jerusalem by IST',
      'Asia/Kolkata by IST',
      'Europe/Dublin by IST',
    ])
    assert.equal(find('new york')[0], 'America/New_York')
    assert.equal(find('sao')[0], 'America/Sao_Paulo')
    assert.equal(find('america/new york')[0], 'America/New_York')
    assert.equal(find('gmt+5:30').length, zones.length, 'by the offset')
    assert.deepEqual(find('xyzzy'), [])
  })

  it('knows countries in the language of the page, and in English', () => {
    const german = listZones('de')
    assert.equal(find('Indien', german)[0], 'Asia/Kolkata')
    assert.equal(find('Deutschland', german)[0], 'Europe/Berlin')
    assert.ok(find('Germany', german).includes('Europe/Berlin by Germany'))
  })

  it('has a country for the zones that Intl has one for', () => {
    for (const [code, listed] of Object.entries(COUNTRY_ZONES)) {
      const known = (new Intl.Locale(`und-${code}`) as never as { getTimeZones(): string[] }).getTimeZones()
      assert.deepEqual(listed.split(' '), [...new Set(known.map((id) => CURRENT[id] ?? id))].sort(), code)
    }
    const lost = zones.filter(({ id, country }) => country === '' && id !== 'UTC')
    assert.deepEqual(lost, [])
  })

  it('has places of zones that exist', () => {
    const ids = new Set(zones.map(({ id }) => id))
    for (const id of [...Object.keys(CITIES), ...Object.keys(ABBREVIATIONS)]) assert.ok(ids.has(id), id)
  })
})
