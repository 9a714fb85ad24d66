import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatCursor, readCursor } from './cursor.ts'
import { Problem } from './problem.ts'

const ID = '0197b2f4-7b1c-7c3e-9d54-0d4c8a1f2b3c'

describe('readCursor', () => {
  it('reads what formatCursor wrote', () => {
    const cursor = { at: Date.UTC(2027, 0, 11), id: ID }
    assert.deepEqual(readCursor(formatCursor(cursor)), cursor)
  })

  it('refuses everything else', () => {
    for (const cursor of [
      '',
      '_',
      ID,
      `_${ID}`,
      `x_${ID}`,
      `-1_${ID}`,
      `1.5_${ID}`,
      '1_x',
      `1_${ID}'--`,
      `1_${ID}\n`,
    ]) {
      assert.throws(() => readCursor(cursor), Problem, cursor)
    }
  })
})
