import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Problem } from '../problem.ts'
import { checkEventType, EVENT_TYPE_DEFAULTS, type EventType, PERIODS } from './event-type.ts'

const eventType = (given: Partial<EventType> = {}): EventType => ({
  id: 'an-id',
  schedulerId: 'a-scheduler',
  slug: 'talk',
  name: 'Talk',
  ...EVENT_TYPE_DEFAULTS,
  noticeMinutes: 0,
  ...given,
})

const taken = (given: Partial<EventType>) => checkEventType(eventType(given))

const refused = (given: Partial<EventType>, reason: RegExp) =>
  assert.throws(
    () => taken(given),
    (error) => error instanceof Problem && error.code === 'invalid' && reason.test(error.message),
    JSON.stringify(given),
  )

const { abuse } = eventType()

describe('checkEventType', () => {
  it('accepts a plain event type', () => taken({}))

  it('accepts whole numbers within each setting’s range only', () => {
    const ranges = [
      ['durationMinutes', 1, 1440],
      ['intervalMinutes', 5, 1440],
      ['bufferBeforeMinutes', 0, 1440],
      ['bufferAfterMinutes', 0, 1440],
      ['seats', 1, 10_000],
      ['cancelNoticeMinutes', 0, 525_600],
      ['rescheduleNoticeMinutes', 0, 525_600],
    ] as const
    for (const [setting, least, most] of ranges) {
      for (const value of [least, most]) taken({ [setting]: value })
      for (const value of [least - 1, most + 1, least + 0.5, Number.NaN, Infinity]) {
        refused({ [setting]: value }, new RegExp(setting))
      }
    }
  })

  it('accepts up to five distinct reminders within range', () => {
    for (const reminderMinutes of [[], [5], [43_200, 5], [5, 6, 7, 8, 9]]) taken({ reminderMinutes })
    for (const reminderMinutes of [[4], [43_201], [5.5], [60, 60], [5, 6, 7, 8, 9, 10]]) {
      refused({ reminderMinutes }, /reminder/i)
    }
  })

  it('accepts up to ten distinct durations, the default among them', () => {
    taken({ durationMinutes: 30, durations: [] })
    taken({ durationMinutes: 30, durations: [60, 15, 30] })
    const ten = Array.from({ length: 10 }, (_, i) => 30 + i)
    taken({ durationMinutes: 30, durations: ten })
    for (const durations of [
      [0, 30],
      [1441, 30],
      [30, 1.5],
      [30, 30],
      [15, 60],
      [...ten, 50],
    ]) {
      refused({ durationMinutes: 30, durations }, /durations/)
    }
  })

  it('accepts only origins as allowed origins', () => {
    taken({ allowedOrigins: ['https://www.example.com'] })
    refused({ allowedOrigins: ['www.example.com'] }, /is not a site/)
    refused({ returnUrl: 'http://example.com' }, /returnUrl must be a web address that begins with https/)
  })

  it('refuses a limit of minutes in which no meeting fits', () => {
    const within = (minutes: number) => ({
      limitMinutes: { day: minutes, week: null, month: null },
      durationMinutes: 60,
      durations: [60, 30],
    })
    taken(within(30))
    refused(within(29), /shorter than a meeting/)
    for (const minutes of [0, 1.5, 366 * 1440 + 1]) refused(within(minutes), /limitMinutes\.day/)
  })

  it('accepts limits from one up', () => {
    for (const period of PERIODS) {
      const limits = (limit: number) => ({ limits: { day: null, week: null, month: null, [period]: limit } })
      taken(limits(1))
      for (const limit of [0, -1, 1.5]) refused(limits(limit), new RegExp(`limits\\.${period}`))
    }
  })

  it('accepts a rate limit up to the service’s own', () => {
    const limited = (rateLimit: number) => ({ abuse: { ...abuse, rateLimit } })
    for (const limit of [1, 15]) taken(limited(limit))
    for (const limit of [0, 16, 1.5]) refused(limited(limit), /rateLimit/)
  })

  it('refuses an invalid slug and a blank name', () => {
    for (const slug of ['', 'A', 'a b', 'a/b', 'a'.repeat(65)]) refused({ slug }, /slug/)
    refused({ name: '  ' }, /name/)
  })

  it('refuses a notice that reaches beyond the booking window', () => {
    const within = (days: number) => ({ window: { kind: 'rolling', days } as const })
    taken({ noticeMinutes: 2 * 1440 - 1, ...within(1) })
    refused({ noticeMinutes: 2 * 1440, ...within(1) }, /notice/)
    const business = { window: { kind: 'rolling', days: 1, businessDays: true } } as const
    taken({ noticeMinutes: 4 * 1440 - 1, ...business })
    refused({ noticeMinutes: 4 * 1440, ...business }, /notice/)
    taken({ noticeMinutes: 100 * 1440, window: { kind: 'unlimited' } })
  })

  it('refuses an invalid booking window', () => {
    const fixed = (from: string, to: string) => ({ window: { kind: 'fixed', from, to } as const })
    taken(fixed('2027-01-01', '2027-01-01'))
    refused(fixed('2027-01-02', '2027-01-01'), /ends before it begins/)
    refused(fixed('2027-02-30', '2027-03-01'), /dates/)
    refused(fixed('2027-01-01', 'later'), /dates/)
    for (const days of [-1, 0.5, 3651]) refused({ window: { kind: 'rolling', days } }, /window\.days/)
  })

  it('refuses seats with round robin', () => {
    refused({ seats: 2, assignment: 'round-robin' }, /1 seat/)
    taken({ seats: 1, assignment: 'round-robin' })
  })

  it('requires an address for a link', () => {
    taken({ location: { type: 'Link', value: 'https://example.com/room' } })
    for (const value of ['', 'example.com', 'javascript:alert(1)'])
      refused({ location: { type: 'Link', value } }, /web address/)
    for (const type of ['InPerson', 'Phone', 'Video'] as const) taken({ location: { type, value: '' } })
  })

  it('makes links for video calls only, instead of a value', () => {
    taken({ location: { type: 'Video', value: '', provider: 'zoom' } })
    refused({ location: { type: 'Phone', value: '', provider: 'zoom' } }, /Only video calls/)
    refused({ location: { type: 'Video', value: 'https://a.example', provider: 'jitsi' } }, /own link/)
  })

  it('checks the questions, too', () => {
    refused({ questions: [{ key: 'a', label: '', type: 'text', required: false, options: [] }] }, /label/)
  })
})
