import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Recent } from './recent.ts'

describe('Recent', () => {
  it('forgets the oldest when it holds more than it may', () => {
    const recent = new Recent<number>(2)
    for (const [i, key] of ['a', 'b', 'c'].entries()) recent.set(key, i)
    assert.deepEqual([recent.get('a'), recent.get('b'), recent.get('c')], [undefined, 1, 2])
  })

  it('counts a renewed entry as new, and once', () => {
    const recent = new Recent<number>(2)
    recent.set('a', 1)
    recent.set('b', 2)
    recent.set('a', 3)
    recent.set('c', 4)
    assert.deepEqual([recent.get('a'), recent.get('b'), recent.get('c')], [3, undefined, 4])
  })

  it('goes by size', () => {
    const recent = new Recent<string>(10)
    recent.set('small', 'a', 1)
    recent.set('large', 'b', 9)
    assert.deepEqual([recent.get('small'), recent.get('large')], ['a', 'b'])
    recent.set('more', 'c', 2)
    assert.deepEqual(
      [recent.get('small'), recent.get('large'), recent.get('more')],
      [undefined, undefined, 'c'],
    )
  })

  it('does not keep what is larger than itself', () => {
    const recent = new Recent<string>(10)
    recent.set('huge', 'a', 11)
    assert.equal(recent.get('huge'), undefined)
    recent.set('fits', 'b', 10)
    assert.equal(recent.get('fits'), 'b')
  })

  it('holds exactly the newest entries that fit, whatever was set before', () => {
    const entry = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      size: fc.integer({ min: 1, max: 6 }),
    })
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), (entries) => {
        const recent = new Recent<number>(10)
        let expected: { key: string; value: number; size: number }[] = []
        for (const [value, { key, size }] of entries.entries()) {
          recent.set(key, value, size)
          expected = [...expected.filter((one) => one.key !== key), { key, value, size }]
          while (expected.reduce((sum, one) => sum + one.size, 0) > 10) expected.shift()
          for (const each of ['a', 'b', 'c', 'd', 'e']) {
            assert.equal(recent.get(each), expected.find((one) => one.key === each)?.value)
          }
        }
      }),
    )
  })
})
