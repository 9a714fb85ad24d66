import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  checkLocations,
  chooseLocation,
  missingLinksOf,
  type OfferedLocation,
  withLocations,
} from './location.ts'

const office: OfferedLocation = {
  id: 'office',
  type: 'InPerson',
  value: '1 Example Street',
  provider: '',
  label: 'Office',
}
const call: OfferedLocation = { id: 'call', type: 'Phone', value: '', provider: '', label: '' }
const zoom: OfferedLocation = { id: 'zoom', type: 'Video', value: '', provider: 'zoom', label: '' }
const first = { type: 'InPerson', value: '1 Example Street' } as const
const offered = { location: first, locations: [office, call, zoom] }
const only = { location: { type: 'Phone', value: '' } as const, locations: [] }

describe('missingLinksOf', () => {
  const own: OfferedLocation = { id: 'own', type: 'Video', value: '', provider: '', label: '' }

  it('names the fields of video calls that have no link, and get none', () => {
    const video = { type: 'Video', value: '' } as const
    assert.deepEqual(missingLinksOf({ location: video, locations: [] }), ['location.value'])
    assert.deepEqual(missingLinksOf({ location: own, locations: [own, zoom, own] }), [
      'locations.0.value',
      'locations.2.value',
    ])
  })

  it('is empty for other locations, and for links that are there or made', () => {
    assert.deepEqual(missingLinksOf(offered), [])
    assert.deepEqual(missingLinksOf(only), [])
    const link = { type: 'Video', value: 'https://meet.example.org/ada' } as const
    assert.deepEqual(missingLinksOf({ location: link, locations: [] }), [])
  })
})

describe('chooseLocation', () => {
  it('takes the first unless another is asked for', () => {
    assert.deepEqual(chooseLocation(offered, undefined, ''), first)
    assert.deepEqual(chooseLocation(offered, 'zoom', ''), { type: 'Video', value: '', provider: 'zoom' })
    assert.deepEqual(chooseLocation(only, undefined, ''), only.location, 'as before there was a choice')
  })

  it('refuses what is not offered', () => {
    assert.throws(
      () => chooseLocation(offered, 'moon', ''),
      /^Problem: locationId must be one of office, call/,
    )
    assert.throws(() => chooseLocation(only, 'office', ''), /^Problem: locationId must be left out/)
  })

  it('needs a number to call, which is then the location', () => {
    assert.throws(() => chooseLocation(offered, 'call', ''), /^Problem: inviteePhone is required/)
    assert.deepEqual(chooseLocation(offered, 'call', '+49 30 1'), { type: 'Phone', value: '+49 30 1' })
    const called = { ...call, value: '+1 212 555 0100' }
    assert.equal(chooseLocation({ ...offered, locations: [called] }, 'call', '').value, '+1 212 555 0100')
  })
})

describe('withLocations', () => {
  it('keeps the location the first of those to choose from', () => {
    assert.deepEqual(withLocations(only, { locations: [zoom, office] }).location, {
      type: 'Video',
      value: '',
      provider: 'zoom',
    })
    assert.deepEqual(withLocations(offered, {}), offered)
    const moved = withLocations(offered, { location: { type: 'InPerson', value: '2 Example Street' } })
    assert.equal(moved.locations[0]?.value, '2 Example Street')
    assert.equal(moved.locations[0]?.id, 'office')
    assert.deepEqual(moved.locations.slice(1), [call, zoom])
    assert.deepEqual(withLocations(offered, { locations: [] }), { location: first, locations: [] })
  })

  it('fills in what the host leaves out, and drops what it does not know', () => {
    const given = { id: 'a', type: 'Phone', value: '', extra: 1 } as const
    assert.deepEqual(withLocations(only, { locations: [given] }).locations, [{ ...call, id: 'a' }])
  })
})

describe('checkLocations', () => {
  const refused = (locations: readonly OfferedLocation[], pattern: RegExp, seats = 1) =>
    assert.throws(() => checkLocations({ location: first, locations }, seats), pattern)

  it('accepts what can be offered', () => checkLocations(offered, 1))

  it('refuses ids that are not plain or not unique', () => {
    for (const id of ['', 'a b', 'ü', 'x'.repeat(65)]) refused([{ ...call, id }], /locations\.0\.id must be/)
    refused([call, { ...zoom, id: 'call' }], /same id/)
  })

  it('refuses what no guest could use', () => {
    refused([{ ...call, type: 'Link', value: 'ftp://x' }], /web address/)
    refused([{ ...zoom, type: 'Phone' }], /Only video calls/)
    refused([{ ...zoom, value: 'https://meet.example' }], /Leave this empty/)
    refused([{ ...call, label: 'two\nlines' }], /one line/)
    refused(
      Array.from({ length: 11 }, (_, id) => ({ ...call, id: String(id) })),
      /at most 10/,
    )
  })

  it('refuses a choice for guests who share a slot', () => {
    refused([office, call], /meet in one place/, 2)
    checkLocations({ location: first, locations: [office] }, 2)
  })
})
