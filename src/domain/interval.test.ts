import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { DAY, HOUR, type Interval, intersect, MINUTE, merge, overlaps, within, without } from './interval.ts'

const span = (start: number, end: number): Interval => ({ start, end })

describe('the units of time', () => {
  it('are milliseconds', () => {
    assert.deepEqual(
      [MINUTE, HOUR, DAY],
      [{ minutes: 1 }, { hours: 1 }, { days: 1 }].map((unit) =>
        Temporal.Duration.from(unit).total('millisecond'),
      ),
    )
  })
})

describe('overlaps', () => {
  const noon = span(10, 20)

  it('is true for spans that share an instant, whichever is named first', () => {
    for (const other of [span(5, 11), span(19, 25), span(12, 15), span(0, 30), noon]) {
      assert.equal(overlaps(noon, other), true)
      assert.equal(overlaps(other, noon), true)
    }
  })

  it('is false for spans that only touch', () => {
    assert.equal(overlaps(noon, span(20, 30)), false)
    assert.equal(overlaps(noon, span(0, 10)), false)
  })

  it('is false for spans apart', () => {
    assert.equal(overlaps(noon, span(21, 30)), false)
    assert.equal(overlaps(noon, span(0, 9)), false)
  })
})

describe('intersect', () => {
  it('keeps what both lists cover', () => {
    assert.deepEqual(intersect([span(0, 10), span(20, 30)], [span(5, 25)]), [span(5, 10), span(20, 25)])
  })

  it('keeps a span that lies whole within one of the other list', () => {
    assert.deepEqual(intersect([span(0, 30)], [span(5, 10), span(20, 25)]), [span(5, 10), span(20, 25)])
  })

  it('is empty where spans only touch', () => {
    assert.deepEqual(intersect([span(0, 10)], [span(10, 20)]), [])
  })

  it('is empty if one list is', () => {
    assert.deepEqual(intersect([], [span(0, 10)]), [])
    assert.deepEqual(intersect([span(0, 10)], []), [])
  })

  it('keeps touching parts apart, whichever list splits them', () => {
    const seam = [span(0, 10), span(10, 20)]
    assert.deepEqual(intersect(seam, [span(0, 20)]), seam)
    assert.deepEqual(intersect([span(0, 20)], seam), seam)
  })

  it('stays sorted by start when spans of one list overlap each other', () => {
    assert.deepEqual(intersect([span(0, 100), span(10, 20)], [span(0, 15), span(50, 60)]), [
      span(0, 15),
      span(10, 15),
      span(50, 60),
    ])
  })

  it('covers exactly the instants that both lists cover, in order', () => {
    const size = 40
    const spans = fc
      .array(fc.tuple(fc.nat(size - 1), fc.integer({ min: 1, max: 15 })), { maxLength: 6 })
      .map((pairs) =>
        pairs.map(([start, length]) => span(start, start + length)).sort((a, b) => a.start - b.start),
      )
    const covers = (list: Interval[], instant: number) =>
      list.some(({ start, end }) => start <= instant && instant < end)

    fc.assert(
      fc.property(spans, spans, (a, b) => {
        const common = intersect(a, b)
        for (let instant = 0; instant < size + 15; instant++) {
          assert.equal(covers(common, instant), covers(a, instant) && covers(b, instant))
        }
        assert.ok(common.every(({ start, end }) => start < end))
        const starts = common.map(({ start }) => start)
        assert.deepEqual(
          starts,
          starts.toSorted((x, y) => x - y),
        )
      }),
    )
  })
})

describe('merge and within', () => {
  const spans = fc
    .array(fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 12 })), { maxLength: 12 })
    .map((pairs) => pairs.map(([start, length]) => span(start, start + length)))
  const covers = (list: readonly Interval[], instant: number) =>
    list.some(({ start, end }) => start <= instant && instant < end)

  it('cover the same instants, in order and apart from each other', () => {
    fc.assert(
      fc.property(spans, (given) => {
        const merged = merge(given)
        for (let instant = 0; instant < 80; instant++) {
          assert.equal(covers(merged, instant), covers(given, instant))
        }
        for (const [i, { start }] of merged.entries()) {
          assert.ok(start > (merged[i - 1]?.end ?? -Infinity))
        }
      }),
    )
  })

  it('find what a linear search finds', () => {
    fc.assert(
      fc.property(spans, fc.nat(70), fc.integer({ min: 1, max: 30 }), (given, start, length) => {
        const merged = merge(given)
        const asked = span(start, start + length)
        assert.deepEqual(
          within(merged, asked),
          merged.filter((one) => overlaps(one, asked)),
        )
      }),
    )
  })
})

describe('without', () => {
  const spans = fc
    .array(fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 10 })))
    .map((drawn) => merge(drawn.map(([start, length]) => span(start, start + length))))
  const covers = (list: readonly Interval[], at: number) =>
    list.some(({ start, end }) => start <= at && at < end)

  it('leaves the instants that only the first list covers', () => {
    fc.assert(
      fc.property(spans, spans, (list, removed) => {
        const left = without(list, removed)
        for (let at = 0; at <= 50; at++)
          assert.equal(covers(left, at), covers(list, at) && !covers(removed, at), String(at))
        assert.ok(left.every(({ start, end }) => start < end))
      }),
    )
  })
})
