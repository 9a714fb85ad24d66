import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { zones } from '../../../test/openings.ts'
import type { EventType } from '../event-types/event-type.ts'
import { MINUTE } from '../interval.ts'
import { Problem } from '../problem.ts'
import { type BookingRequest, readBookingRequest } from './request.ts'

const STARTS_AT = Date.UTC(2027, 0, 12, 9)

// Only these are looked at: free or taken is someone else's question.
const halfHour = {
  durationMinutes: 30,
  durations: [] as EventType['durations'],
  location: { type: 'Video', value: '' } as EventType['location'],
  locations: [] as EventType['locations'],
  questions: [] as EventType['questions'],
} as EventType

const request = (given: Partial<Record<keyof BookingRequest, unknown>> = {}) =>
  ({
    startTime: '2027-01-12T09:00:00Z',
    endTime: '2027-01-12T09:30:00Z',
    inviteeName: 'Grace Guest',
    inviteeEmail: 'grace@guests.example',
    inviteeTimezone: 'Europe/Berlin',
    ...given,
  }) as BookingRequest

const read = (given: Partial<Record<keyof BookingRequest, unknown>> = {}, eventType = halfHour) =>
  readBookingRequest(request(given), eventType, zones)

const refused = (given: Partial<Record<keyof BookingRequest, unknown>>, naming: string) =>
  assert.throws(
    () => read(given),
    (error) => error instanceof Problem && error.code === 'invalid' && error.message.includes(naming),
    JSON.stringify(given),
  )

describe('readBookingRequest', () => {
  it('fills in what a guest may leave out', () => {
    assert.deepEqual(read(), {
      startsAt: STARTS_AT,
      endsAt: STARTS_AT + 30 * MINUTE,
      invitee: {
        name: 'Grace Guest',
        email: 'grace@guests.example',
        phone: '',
        timeZone: 'Europe/Berlin',
        locale: '',
      },
      location: { type: 'Video', value: '' },
      notes: '',
      customFields: {},
      source: 'API',
      utm: {},
    })
  })

  it('keeps what a guest entered', () => {
    const { invitee, notes, customFields, source } = read({
      inviteePhone: '+49 30 901820',
      inviteeLocale: 'pt-BR',
      inviteeNotes: 'Two\nlines',
      customFields: { anything: ['at', { all: 1 }] },
      source: 'EmbedWidget',
    })
    assert.equal(invitee.phone, '+49 30 901820')
    assert.equal(invitee.locale, 'pt-BR')
    assert.equal(notes, 'Two\nlines')
    assert.deepEqual(customFields, { anything: ['at', { all: 1 }] })
    assert.equal(source, 'EmbedWidget')
  })

  it('trims single-line fields', () => {
    const { invitee } = read({
      inviteeName: '  Grace ',
      inviteeEmail: ' grace@guests.example ',
      inviteePhone: ' 030 901820 ',
    })
    assert.deepEqual(
      [invitee.name, invitee.email, invitee.phone],
      ['Grace', 'grace@guests.example', '030 901820'],
    )
  })

  it('spells the zone as the time zone database does', () => {
    assert.equal(read({ inviteeTimezone: 'europe/BERLIN' }).invitee.timeZone, 'Europe/Berlin')
  })

  it('reads any spelling of an instant in UTC', () => {
    for (const startTime of [
      '2027-01-12T09:00:00Z',
      '2027-01-12T09:00:00.000Z',
      '2027-01-12T09:00:00.000000000Z',
      '2027-01-12T09:00Z',
      '2027-01-12t09:00:00z',
      '2027-01-12T09:00:00+00:00',
      '2027-01-12T09:00:00.0+00:00',
    ]) {
      assert.equal(read({ startTime }).startsAt, STARTS_AT, startTime)
    }
  })

  it('refuses every other instant', () => {
    for (const time of [
      '',
      'tomorrow',
      '2027-01-12',
      '2027-01-12T09:00:00',
      '2027-01-12T10:00:00+01:00',
      '2027-01-12T09:00:00-01:00',
      '2027-01-12T09:00:00 UTC',
      '2027-02-30T09:00:00Z',
      '2027-13-01T09:00:00Z',
      '2027-01-12T25:00:00Z',
      '2027-01-12T09:60:00Z',
      '1799917200000',
      '+999999-01-01T00:00:00Z',
    ]) {
      refused({ startTime: time }, 'startTime')
      refused({ endTime: time }, 'endTime')
    }
  })

  it('refuses an end that is not after the start', () => {
    refused({ endTime: '2027-01-12T09:00:00Z' }, 'endTime must be after startTime')
    refused({ endTime: '2027-01-12T08:30:00Z' }, 'endTime must be after startTime')
  })

  it('refuses every length but the event type’s', () => {
    for (const endTime of ['2027-01-12T09:29:00Z', '2027-01-12T09:30:00.001Z', '2027-01-12T10:00:00Z']) {
      refused({ endTime }, 'endTime must be 30 minutes after startTime')
    }
  })

  it('refuses a name that is blank or not one line', () => {
    refused({ inviteeName: '' }, 'inviteeName')
    refused({ inviteeName: '   ' }, 'inviteeName')
    for (const control of ['\n', '\r', '\t', '\u0000', '\u001b', '\u007f', '\u0085', '\u2028']) {
      refused({ inviteeName: `Grace${control}Guest` }, 'inviteeName')
    }
  })

  it('refuses an invalid email, phone number, zone or language', () => {
    for (const inviteeEmail of [
      '',
      'grace',
      'grace@guests',
      'grace@guests.example\nBcc: all@guests.example',
    ]) {
      refused({ inviteeEmail }, 'inviteeEmail')
    }
    for (const inviteePhone of ['call me', '123', '030\n901820']) refused({ inviteePhone }, 'inviteePhone')
    for (const inviteeTimezone of ['', 'Berlin', 'Mars/Olympus', '+01:00', 'UTC+1', '../etc/passwd']) {
      refused({ inviteeTimezone }, 'inviteeTimezone')
    }
    for (const inviteeLocale of ['e', 'english', 'en-', '12', 'en US', 'en-US-x-y-z-a']) {
      refused({ inviteeLocale }, 'inviteeLocale')
    }
  })

  it('treats a blank optional field as missing', () => {
    const { invitee } = read({ inviteePhone: ' ', inviteeLocale: '' })
    assert.deepEqual([invitee.phone, invitee.locale], ['', ''])
  })

  it('refuses control characters in notes', () => {
    refused({ inviteeNotes: 'ding\u0007' }, 'inviteeNotes')
  })

  it('checks custom fields against the questions', () => {
    const asked = {
      ...halfHour,
      questions: [{ key: 'topic', label: 'Topic', type: 'text', required: true, options: [] }],
    } as EventType
    assert.throws(() => read({}, asked), /"Topic" is required/)
    assert.deepEqual(read({ customFields: { topic: 'Tea', more: 1 } }, asked).customFields, {
      topic: 'Tea',
      more: 1,
    })
  })

  it('either accepts a request or says what to correct', () => {
    const text = fc.oneof(
      fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) }),
      fc.constantFrom('2027-01-12T09:00:00Z', 'UTC', 'a@b.example', 'en'),
    )
    const anything = fc.record({
      startTime: text,
      endTime: text,
      inviteeName: text,
      inviteeEmail: text,
      inviteePhone: text,
      inviteeTimezone: text,
      inviteeLocale: text,
      inviteeNotes: text,
    })
    fc.assert(
      fc.property(
        fc.oneof(
          anything,
          anything.map(({ startTime: _s, endTime: _e, ...rest }) => rest),
        ),
        (given) => {
          try {
            read(given)
          } catch (error) {
            assert.ok(error instanceof Problem, String(error))
          }
        },
      ),
    )
  })
})
