import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { BoundedCache } from './bounded-cache.ts'

describe('BoundedCache', () => {
  it('drops the oldest entry beyond its capacity', () => {
    const cache = new BoundedCache<number>(2)
    for (const [i, key] of ['a', 'b', 'c'].entries()) cache.set(key, i)
    assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [undefined, 1, 2])
  })

  it('counts an entry that is set again as new, and once', () => {
    const cache = new BoundedCache<number>(2)
    cache.set('a', 1)
    cache.set('b', 2)
    cache.set('a', 3)
    cache.set('c', 4)
    assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [3, undefined, 4])
  })

  it('counts sizes, not entries', () => {
    const cache = new BoundedCache<string>(10)
    cache.set('small', 'a', 1)
    cache.set('large', 'b', 9)
    assert.deepEqual([cache.get('small'), cache.get('large')], ['a', 'b'])
    cache.set('more', 'c', 2)
    assert.deepEqual([cache.get('small'), cache.get('large'), cache.get('more')], [undefined, undefined, 'c'])
  })

  it('does not keep an entry larger than its capacity', () => {
    const cache = new BoundedCache<string>(10)
    cache.set('huge', 'a', 11)
    assert.equal(cache.get('huge'), undefined)
    cache.set('fits', 'b', 10)
    assert.equal(cache.get('fits'), 'b')
  })

  it('drops the oldest entries while they are useless', () => {
    const cache = new BoundedCache<number>(3)
    for (const [key, value] of [
      ['a', 1],
      ['b', 3],
      ['c', 2],
    ] as const)
      cache.set(key, value)
    cache.dropWhile((value) => value < 3)
    assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [undefined, 3, 2])
    cache.dropWhile(() => true)
    assert.equal(cache.get('c'), undefined)
    for (const [key, value] of [
      ['d', 4],
      ['e', 5],
      ['f', 6],
    ] as const)
      cache.set(key, value)
    assert.deepEqual([cache.get('d'), cache.get('e'), cache.get('f')], [4, 5, 6])
  })

  it('holds exactly the newest entries that fit', () => {
    const entry = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      size: fc.integer({ min: 1, max: 6 }),
    })
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), (entries) => {
        const cache = new BoundedCache<number>(10)
        let expected: { key: string; value: number; size: number }[] = []
        for (const [value, { key, size }] of entries.entries()) {
          cache.set(key, value, size)
          expected = [...expected.filter((one) => one.key !== key), { key, value, size }]
          while (expected.reduce((sum, one) => sum + one.size, 0) > 10) expected.shift()
          for (const each of ['a', 'b', 'c', 'd', 'e']) {
            assert.equal(cache.get(each), expected.find((one) => one.key === each)?.value)
          }
        }
      }),
    )
  })
})
