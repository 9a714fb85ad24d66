import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EVENT_TYPE_DEFAULTS, type EventTypeSettings } from './event-type.ts'
import { lacksOf } from './lacks.ts'
import type { OfferedLocation } from './location.ts'

const video = (given: Partial<OfferedLocation> = {}): OfferedLocation => ({
  id: 'a',
  type: 'Video',
  value: '',
  provider: '',
  label: '',
  ...given,
})
const lacks = (given: Partial<EventTypeSettings>) =>
  lacksOf({ ...EVENT_TYPE_DEFAULTS, ...given }, (captcha) => captcha === 'altcha')

describe('lacksOf', () => {
  it('finds a video call without a link, also among those to choose from', () => {
    assert.deepEqual(lacks({ location: video() }), ['video-without-link'])
    const phone = { ...video(), type: 'Phone' as const }
    assert.deepEqual(lacks({ location: phone, locations: [phone, video({ id: 'b' })] }), [
      'video-without-link',
    ])
  })

  it('takes a link of the host, and one that is made for each booking', () => {
    assert.deepEqual(lacks({ location: video({ value: 'https://meet.example' }) }), [])
    assert.deepEqual(lacks({ location: video({ provider: 'rooms' }) }), [])
  })

  it('finds a CAPTCHA without keys', () => {
    const place = { location: video({ value: 'https://meet.example' }) }
    const withCaptcha = (captcha: EventTypeSettings['abuse']['captcha']) =>
      lacks({ ...place, abuse: { ...EVENT_TYPE_DEFAULTS.abuse, captcha } })
    assert.deepEqual(withCaptcha('turnstile'), ['captcha-without-keys'])
    assert.deepEqual(withCaptcha('altcha'), [])
    assert.deepEqual(withCaptcha(''), [])
  })
})
