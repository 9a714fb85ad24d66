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
      limits: { day: null, week: null, month: null },
      seats: 3,
    })
    assert.equal(slotRules(plainEventType({ intervalMinutes: 15 })).step, 15 * MINUTE)
  })
})
