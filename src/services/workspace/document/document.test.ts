import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EVENT_TYPE_DEFAULTS } from '../../../domain/event-types/event-type.ts'
import { FORMAT, readWorkspace, VERSION } from './document.ts'

const { scheduleId, writeToCalendarId, ...defaults } = EVENT_TYPE_DEFAULTS
const EVENT_TYPE = { slug: 'intro', name: 'Intro', ...defaults, schedule: null, hosts: [] }

/** Fields that files had from the beginning. */
const OLDEST = [
  'slug name description durationMinutes intervalMinutes bufferBeforeMinutes bufferAfterMinutes noticeMinutes window',
  'limits seats requiresApproval hidden location questions abuse assignment position schedule hosts',
].flatMap((names) => names.split(' '))

const read = (eventType: object) =>
  readWorkspace(
    JSON.stringify({
      format: FORMAT,
      version: VERSION,
      exportedAt: '2030-01-31T09:30:00.000Z',
      users: [],
      teams: [
        {
          slug: 'crew',
          name: 'Crew',
          bio: '',
          avatarUrl: '',
          timeZone: 'UTC',
          locale: 'en',
          theme: 'auto',
          branding: { primaryColor: '', logoUrl: '' },
          members: [],
          eventTypes: [eventType],
          routingForms: [],
          blocklist: [],
        },
      ],
      bookings: [],
      claims: [],
    }),
  ).teams[0]?.eventTypes[0]

describe('an event type in an exported file', () => {
  it('may have every field', () => {
    assert.deepEqual(read(EVENT_TYPE), EVENT_TYPE)
  })

  it('may lack what files of the first version lacked, and nothing else', () => {
    const oldest = Object.fromEntries(Object.entries(EVENT_TYPE).filter(([name]) => OLDEST.includes(name)))
    assert.deepEqual(read(oldest), oldest)
    for (const name of OLDEST) {
      const { [name]: _, ...rest } = EVENT_TYPE as Record<string, unknown>
      assert.throws(() => read(rest), new RegExp(`^Problem: teams.0.eventTypes.0 must have .*${name}`), name)
    }
  })

  it('has no other field, at any depth', () => {
    const refused = { message: /^teams\.0\.eventTypes\.0.* is not part of a workspace\.$/ }
    assert.throws(() => read({ ...EVENT_TYPE, colour: 'red' }), refused)
    assert.throws(() => read({ ...EVENT_TYPE, abuse: { ...EVENT_TYPE.abuse, colour: 'red' } }), refused)
    const question = { key: 'a', label: 'A', type: 'text', required: false, options: [], colour: 'red' }
    assert.throws(() => read({ ...EVENT_TYPE, questions: [question] }), refused)
    assert.throws(() => read({ ...EVENT_TYPE, series: { every: ['week'], most: 2, colour: 'red' } }))
  })

  it('may have a return address as long as hosts can give one', () => {
    const returnUrl = `https://www.example.com/${'a'.repeat(1900)}`
    assert.equal(read({ ...EVENT_TYPE, returnUrl })?.returnUrl, returnUrl)
  })
})
