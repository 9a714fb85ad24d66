import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { funnelOf } from './funnel.ts'
import type { Target } from './routing.ts'

const FIELDS = [{ id: 'topic' }, { id: 'size' }]
const MESSAGE: Target = { action: 'message', message: 'Hello' }
const EVENT: Target = { action: 'routeToEvent', eventTypeId: '1' }
const opened = (count: number) => ({ step: 'opened', field: '', count }) as const
const left = (field: string, count: number) => ({ step: 'left', field, count }) as const

describe('funnelOf', () => {
  it('counts each step, and who left where in the order of the questions', () => {
    const responses = [
      { target: MESSAGE, booked: false, met: false, count: 2 },
      { target: EVENT, booked: false, met: false, count: 3 },
      { target: EVENT, booked: true, met: false, count: 4 },
      { target: EVENT, booked: true, met: true, count: 5 },
    ]
    const steps = [left('size', 6), opened(30), left('gone', 1)]
    assert.deepEqual(funnelOf(FIELDS, steps, responses), {
      opened: 30,
      answered: 14,
      routed: 12,
      booked: 9,
      met: 5,
      dropOff: [
        { fieldId: null, count: 9 },
        { fieldId: 'topic', count: 0 },
        { fieldId: 'size', count: 6 },
        { fieldId: 'gone', count: 1 },
      ],
    })
  })

  it('never counts less than nobody, if more answered than opened the form', () => {
    const answered = [{ target: MESSAGE, booked: false, met: false, count: 5 }]
    assert.deepEqual(funnelOf([], [opened(2)], answered).dropOff, [{ fieldId: null, count: 0 }])
  })
})
