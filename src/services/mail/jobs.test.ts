import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { everyKind, sampleChange, sampleHost } from '../../../test/changes.ts'
import { MONDAY_NOON, plainEventType } from '../../../test/kit.ts'
import type { BookingChange } from '../../domain/bookings/change.ts'
import { type MailJobData, mailJobsFor, type ReminderJobData } from './jobs.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const jobsOf = (change: BookingChange, kind: string, now = MONDAY_NOON) =>
  mailJobsFor(change, now).filter((job) => job.kind === kind)

describe('mailJobsFor', () => {
  it('has one mail for the guest and one for each host, due at once, in order for each of them', () => {
    const hosts = [sampleHost(), sampleHost({ email: 'bo@hosts.example' })]
    const change = sampleChange({ hosts })
    const jobs = jobsOf(change, 'mail')
    assert.deepEqual(
      jobs.map(({ lane, dueAt, data }) => [lane, dueAt, (data as MailJobData).recipient]),
      [
        [`mail:${change.bookingId}:guest`, MONDAY_NOON, { role: 'guest' }],
        ...hosts.map(({ id }) => [
          `mail:${change.bookingId}:${id}`,
          MONDAY_NOON,
          { role: 'host', hostId: id },
        ]),
      ],
    )
  })

  it('emails former hosts too, but not people without an address', () => {
    const [formerHosts, hosts] = [[sampleHost()], [sampleHost({ email: '' })]]
    const roles = jobsOf(sampleChange({ hosts, formerHosts }), 'mail').map(
      ({ data }) => (data as MailJobData).recipient.role,
    )
    assert.deepEqual(roles, ['guest', 'formerHost'])
  })

  it('carries the change itself and nothing that is read again later, and survives JSON', () => {
    const change = sampleChange({ hostIds: ['a'], formerHostIds: ['b'], reason: 'Because.' })
    for (const { data } of mailJobsFor(change, MONDAY_NOON)) {
      assert.deepEqual(JSON.parse(JSON.stringify(data)), data)
      const { booking, eventType, scheduler, hosts, ...record } = change
      assert.deepEqual((data as MailJobData).change, record)
    }
  })

  it('reminds everyone a day and an hour ahead, in no lane', () => {
    const startsAt = MONDAY_NOON + 3 * DAY
    const jobs = jobsOf(sampleChange({ startsAt }), 'reminder')
    assert.deepEqual(
      jobs.map(({ lane, dueAt, data }) => {
        const { recipient, minutesBefore, nextAt } = data as ReminderJobData
        return [lane, dueAt, recipient.role, minutesBefore, nextAt]
      }),
      ['guest', 'host'].flatMap((role) => [
        [null, startsAt - DAY, role, 1440, startsAt - HOUR],
        [null, startsAt - HOUR, role, 60, null],
      ]),
    )
  })

  it('reminds only of confirmed meetings, and only if there is still time', () => {
    const startsAt = MONDAY_NOON + DAY
    const timesOf = (change: BookingChange) => jobsOf(change, 'reminder').map(({ dueAt }) => dueAt)
    assert.deepEqual(timesOf(sampleChange({ startsAt })), [startsAt - HOUR, startsAt - HOUR])
    assert.deepEqual(timesOf(sampleChange({ startsAt: MONDAY_NOON + HOUR })), [])
    const reminded = Object.entries(everyKind({ startsAt })).filter(
      ([, change]) => timesOf(change).length > 0,
    )
    assert.deepEqual(
      reminded.map(([kind]) => kind),
      ['confirmed', 'approved', 'movedByGuest', 'movedByHost', 'reassigned'],
    )
  })

  it('follows the event type, once for each time of it', () => {
    const eventType = { ...plainEventType(), reminderMinutes: [30, 2880] }
    const startsAt = MONDAY_NOON + 10 * DAY
    const times = jobsOf(sampleChange({ startsAt, eventType }), 'reminder').map(
      ({ dueAt }) => startsAt - dueAt,
    )
    assert.deepEqual(times, [HOUR / 2, 2 * DAY, HOUR / 2, 2 * DAY])
    const none = { ...plainEventType(), reminderMinutes: [] }
    assert.deepEqual(jobsOf(sampleChange({ startsAt, eventType: none }), 'reminder'), [])
  })
})
