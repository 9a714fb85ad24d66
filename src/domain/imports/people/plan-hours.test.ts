import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ANA, BEN, itemOf, linesOf, planOf } from '../../../../test/imports/rows.ts'

const hours = (id: number, scheduleId: number | null, startTime: string, endTime: string, more: object) => ({
  id,
  scheduleId,
  startTime,
  endTime,
  ...more,
})

describe('the hours of a source', () => {
  it('become schedules with weekdays and dates', () => {
    const plan = planOf({
      users: [ANA],
      Schedule: [
        { id: 1, userId: 1, name: 'Office', timeZone: null },
        { id: 2, userId: 1, name: 'Tokyo', timeZone: 'Asia/Tokyo' },
      ],
      Availability: [
        hours(1, 1, '09:00', '12:00', { days: [1, 0] }),
        hours(2, 1, '12:00', '23:59', { days: [1] }),
        hours(3, 1, '22:00:00', '21:00:00', { days: [2] }),
        hours(4, 1, '00:00', '00:00', { date: '2026-12-24', days: [] }),
        hours(5, 1, '10:00', '11:00', { date: '2026-12-23' }),
      ],
    })
    const { content } = itemOf(plan, 'schedule', 'Schedule/1')
    assert.deepEqual(content.weekly[1], [{ opens: '09:00', closes: '24:00' }])
    assert.deepEqual(content.weekly[7], [{ opens: '09:00', closes: '12:00' }])
    assert.deepEqual(content.weekly[2], [])
    assert.deepEqual(content.overrides, {
      '2026-12-23': [{ opens: '10:00', closes: '11:00' }],
      '2026-12-24': [],
    })
    assert.deepEqual([content.timeZone, content.isDefault], ['Europe/Berlin', true])
    assert.equal(itemOf(plan, 'schedule', 'Schedule/2').content.isDefault, false)
    assert.equal(linesOf(plan)['Schedule/1'], 'changed Hours that end before they begin were left out.')
    assert.equal(linesOf(plan)['Schedule/2'], 'new')
  })

  it('without a schedule become one, and without their schedule stay there', () => {
    const plan = planOf({
      users: [BEN],
      Availability: [
        hours(1, null, '09:00', '17:00', { userId: 2, days: [1, 2] }),
        hours(2, 99, '09:00', '17:00', { days: [1] }),
      ],
    })
    assert.deepEqual(linesOf(plan), {
      'users/2': 'new',
      'Availability/1': 'changed The hours had no schedule there, so they became one.',
      'Availability/2': 'left-out The schedule of these hours is missing.',
    })
    assert.equal(itemOf(plan, 'schedule', 'Availability/1').content.isDefault, true)
  })

  it('of an event type become its schedule only where there is no other', () => {
    const own = {
      users: [ANA],
      EventType: [{ id: 10, userId: 1, title: 'Talk', slug: 'talk', length: 30 }],
      Availability: [hours(1, null, '08:00', '12:00', { eventTypeId: 10, days: [2] })],
    }
    const alone = planOf(own)
    assert.equal(itemOf(alone, 'event-type', 'EventType/10').content.schedule, 'Availability/1')
    const beside = planOf({ ...own, Schedule: [{ id: 1, userId: 1, name: 'Office', timeZone: null }] })
    assert.equal(itemOf(beside, 'event-type', 'EventType/10').content.schedule, null)
    assert.equal(
      linesOf(beside)['Availability/1'],
      'left-out These hours of one event type were not used there: its schedule comes first.',
    )
  })
})

describe('time off of a source', () => {
  it('is whole dates in the zone of the person, also when clocks change', () => {
    const plan = planOf({
      users: [ANA, BEN],
      OutOfOfficeEntry: [
        {
          id: 1,
          start: '2026-10-25T00:00:00Z',
          end: '2026-10-25T23:59:59.999Z',
          userId: 1,
          toUserId: 2,
          notes: 'Away',
        },
        { id: 2, start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z', userId: 1 },
        { id: 3, start: 'soon', end: null, userId: 1 },
      ],
      TravelSchedule: [{ id: 4, userId: 1, timeZone: 'Asia/Tokyo', startDate: '2026-12-01T00:00:00Z' }],
    })
    const { content } = itemOf(plan, 'absence', 'OutOfOfficeEntry/1')
    assert.deepEqual(
      [new Date(content.start).toISOString(), new Date(content.end).toISOString()],
      ['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    )
    assert.equal(content.redirectTo, 'users/2')
    const lines = linesOf(plan)
    assert.match(lines['OutOfOfficeEntry/1'] ?? '', /whole days in Berlin/)
    assert.equal(lines['OutOfOfficeEntry/2'], 'left-out It is over.')
    assert.equal(lines['OutOfOfficeEntry/3'], 'left-out Its dates can’t be read.')
    assert.match(lines['TravelSchedule/4'] ?? '', /^left-out Travel plans/)
  })
})
