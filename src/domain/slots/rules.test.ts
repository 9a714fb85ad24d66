import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { plainEventType } from '../../../test/kit.ts'
import { HOUR, MINUTE } from '../interval.ts'
import { slotRules } from './rules.ts'

describe('slotRules', () => {
  it('converts minutes to milliseconds, and steps by the duration unless there is an interval', () => {
    const rules = slotRules(
      plainEventType({
        id: 'an-id',
        durationMinutes: 45,
        bufferBeforeMinutes: 5,
        bufferAfterMinutes: 10,
        noticeMinutes: 120,
        seats: 3,
      }),
    )
    assert.deepEqual(rules, {
      eventTypeId: 'an-id',
      duration: 45 * MINUTE,
      step: 45 * MINUTE,
      bufferBefore: 5 * MINUTE,
      bufferAfter: 10 * MINUTE,
      notice: 2 * HOUR,
      window: { kind: 'rolling', days: 60 },
      limits: { day: null, week: null, month: null, year: null },
      limitMinutes: { day: null, week: null, month: null, year: null },
      seats: 3,
    })
    assert.equal(slotRules(plainEventType({ intervalMinutes: 15 })).step, 15 * MINUTE)
  })

  it('are for a chosen length those of an event type of that length', () => {
    for (const intervalMinutes of [null, 20]) {
      const eventType = plainEventType({ durationMinutes: 30, durations: [30, 50], intervalMinutes })
      assert.deepEqual(slotRules(eventType, 50), slotRules({ ...eventType, durationMinutes: 50 }))
    }
  })
})
