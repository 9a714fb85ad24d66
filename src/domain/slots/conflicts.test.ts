import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conflicts } from './conflicts.ts'

describe('conflicts', () => {
  const meeting = (startsAt: number, endsAt: number, bufferBefore = 0, bufferAfter = 0) => ({
    startsAt,
    endsAt,
    bufferBefore,
    bufferAfter,
  })
  /** Both ways round: it does not matter which meeting was booked first. */
  const assertConflict = (expected: boolean, ...[one, other]: ReturnType<typeof meeting>[]) => {
    assert.equal(conflicts(one as never, other as never), expected)
    assert.equal(conflicts(other as never, one as never), expected)
  }

  it('lets a meeting begin the moment another ends', () => {
    assertConflict(false, meeting(0, 10), meeting(10, 20))
    assertConflict(true, meeting(0, 11), meeting(10, 20))
  })

  it('keeps a buffer of either meeting out of the other meeting', () => {
    assertConflict(true, meeting(0, 10, 0, 5), meeting(14, 20))
    assertConflict(false, meeting(0, 10, 0, 5), meeting(15, 20))
    assertConflict(true, meeting(0, 10), meeting(14, 20, 5))
    assertConflict(false, meeting(0, 10), meeting(15, 20, 5))
  })

  it('lets two buffers overlap: the longer one counts, not the sum', () => {
    assertConflict(false, meeting(0, 10, 0, 5), meeting(17, 20, 7))
    assertConflict(true, meeting(0, 10, 0, 5), meeting(16, 20, 7))
  })

  it('ignores buffers on the far sides', () => {
    assertConflict(false, meeting(0, 10, 100, 0), meeting(10, 20, 0, 100))
  })
})
