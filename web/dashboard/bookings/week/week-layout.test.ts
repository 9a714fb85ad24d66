import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hoursShown, placeSpans } from './week-layout.ts'

const span = (from: number, until: number) => ({ from, until })
const columnsOf = (...spans: ReturnType<typeof span>[]) =>
  placeSpans(spans).map(({ column, columns }) => `${column}/${columns}`)

describe('placeSpans', () => {
  it('gives the whole day to what stands alone, and to neighbours that touch', () => {
    assert.deepEqual(columnsOf(span(60, 90), span(90, 120)), ['0/1', '0/1'])
  })
  it('puts what overlaps beside each other, and uses a column again', () => {
    assert.deepEqual(columnsOf(span(0, 60), span(30, 120), span(60, 90), span(120, 150)), [
      '0/2',
      '1/2',
      '0/2',
      '0/1',
    ])
  })
  it('orders by the start', () => {
    assert.deepEqual(
      placeSpans([span(90, 100), span(10, 20)]).map(({ from }) => from),
      [10, 90],
    )
  })
})

describe('hoursShown', () => {
  it('is an ordinary day without meetings', () => assert.deepEqual(hoursShown([]), { first: 8, last: 18 }))
  it('reaches to the earliest and the latest', () => {
    assert.deepEqual(hoursShown([span(395, 425), span(1170, 1215)]), { first: 6, last: 21 })
  })
})
