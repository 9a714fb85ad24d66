import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readTraceparent } from './trace-context.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

describe('readTraceparent', () => {
  it('reads what a caller that follows the standard sends', () => {
    const expected = { traceId: TRACE, parentId: SPAN }
    assert.deepEqual(readTraceparent(`00-${TRACE}-${SPAN}-01`), { ...expected, sampled: true })
    assert.deepEqual(readTraceparent(`00-${TRACE}-${SPAN}-00`), { ...expected, sampled: false })
    // Only the lowest bit counts.
    assert.deepEqual(readTraceparent(`00-${TRACE}-${SPAN}-02`), { ...expected, sampled: false })
  })

  it('reads versions that are yet to come', () => {
    assert.equal(readTraceparent(`cc-${TRACE}-${SPAN}-01-what-comes-next`)?.traceId, TRACE)
  })

  it('ignores everything else', () => {
    for (const wrong of [
      undefined,
      '',
      'nonsense',
      `00-${TRACE}-${SPAN}`,
      `00-${TRACE}-${SPAN}-01-more`,
      `00-${TRACE}-${SPAN}-1`,
      `ff-${TRACE}-${SPAN}-01`,
      `00-${'0'.repeat(32)}-${SPAN}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `00-${TRACE.toUpperCase()}-${SPAN}-01`,
      `00-${TRACE.slice(1)}-${SPAN}-01`,
      `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
      `00-${TRACE}-${SPAN}-01\n"level":60`,
      `cc-${TRACE}-${SPAN}-01-${'x'.repeat(500)}`,
    ]) {
      assert.equal(readTraceparent(wrong), undefined, String(wrong))
    }
  })
})
