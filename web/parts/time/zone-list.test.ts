import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LANGUAGES } from '../../../src/domain/languages.ts'
import { CURRENT, cityOf } from '../../../src/domain/zone-names.ts'
import type { Cities } from '../../../src/texts/catalogue.ts'
import { findZones, listZones } from './zone-list.ts'
import { ABBREVIATIONS, CITIES, COUNTRY_ZONES, STATES } from './zone-places.ts'

const zones = listZones('en')
const citiesIn = async (language: string): Promise<Cities> =>
  (await import(`../../../src/texts/${language}/cities.ts`)).default
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

  it('names cities in the language of the page, and finds them by either name', async () => {
    const german = listZones('de', await citiesIn('de'))
    assert.equal(german.find(({ id }) => id === 'Asia/Tokyo')?.city, 'Tokio')
    assert.equal(find('Tokio', german)[0], 'Asia/Tokyo')
    assert.equal(find('tokyo', german)[0], 'Asia/Tokyo by Tokyo')
    assert.equal(find('Mailand', german)[0], 'Europe/Rome by Mailand')
    assert.equal(find('Rom', german)[0], 'Europe/Rome')
    const japanese = listZones('ja', await citiesIn('ja'))
    assert.equal(japanese.find(({ id }) => id === 'Europe/Berlin')?.city, 'ベルリン')
    assert.equal(find('東京', japanese)[0], 'Asia/Tokyo')
    assert.equal(find('ミラノ', japanese)[0], 'Europe/Rome by ミラノ')
    assert.equal(find('berlin', japanese)[0], 'Europe/Berlin by Berlin')
  })

  it('finds zones by American states', () => {
    for (const [state, zone] of [
      ['Texas', 'America/Chicago'],
      ['California', 'America/Los_Angeles'],
      ['Kalifornien', 'America/Los_Angeles'],
      ['フロリダ', 'America/New_York'],
      ['Arizona', 'America/Phoenix'],
      ['new mexico', 'America/Denver'],
      ['Michigan', 'America/Detroit'],
    ] as const) {
      assert.match(find(state)[0] ?? '', new RegExp(`^${zone} by `), state)
    }
  })

  it('has no zones of no place, unless one is in use', () => {
    assert.deepEqual(
      zones.filter(({ id }) => id.startsWith('Etc/')),
      [],
    )
    const used = listZones('en', {}, ['Etc/GMT+5']).find(({ id }) => id === 'Etc/GMT+5')
    assert.deepEqual([used?.city, used?.country], ['', ''], 'named by its offset alone')
  })

  it('has cities of zones that exist, whose names differ, in every language', async () => {
    const ids = new Set(zones.map(({ id }) => id))
    for (const language of LANGUAGES) {
      for (const [id, name] of Object.entries(await citiesIn(language))) {
        assert.ok(ids.has(id), `${language}: ${id}`)
        assert.notEqual(name, cityOf(id), `${language}: ${id}`)
        assert.match(name, /^[\p{L}][\p{L}\p{M}\s.,’'()・=＝-]*$/u, `${language}: ${id}`)
      }
    }
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
    const named = [CITIES, STATES, ABBREVIATIONS].flatMap((places) => Object.keys(places))
    for (const id of named) assert.ok(ids.has(id), id)
  })
})
