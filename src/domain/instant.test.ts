import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { formatInstant, parseInstant } from './instant.ts'

const NOON = Date.UTC(2026, 2, 29, 12)

describe('parseInstant', () => {
  it('reads an instant in UTC, as Z or as an offset of zero', () => {
    for (const zone of ['Z', 'z', '+00:00', '+0000', '+00']) {
      assert.equal(parseInstant(`2026-03-29T12:00:00${zone}`), NOON, zone)
    }
  })

  it('reads fractions of a second down to the millisecond', () => {
    assert.equal(parseInstant('2026-03-29T12:00:00.0Z'), NOON)
    assert.equal(parseInstant('2026-03-29T12:00:00.000+00:00'), NOON)
    assert.equal(parseInstant('2026-03-29T12:00:00.000000Z'), NOON)
    assert.equal(parseInstant('2026-03-29T12:00:00.5Z'), NOON + 500)
    assert.equal(parseInstant('2026-03-29T12:00:00.123Z'), NOON + 123)
  })

  it('reads an instant without seconds', () => {
    assert.equal(parseInstant('2026-03-29T12:00Z'), NOON)
  })

  it('never rounds a finer fraction to a whole millisecond, which could be a slot', () => {
    for (const text of [
      '2026-03-29T12:00:00.0001Z',
      '2026-03-29T12:00:00.000000001Z',
      '2026-03-29T11:59:59.9999Z',
      '2026-03-29T11:59:59.999999999Z',
      '1969-12-31T23:59:59.9999999Z',
    ]) {
      const instant = parseInstant(text)
      assert.ok(instant === undefined || !Number.isInteger(instant), `${text} gave ${instant}`)
    }
  })

  it('refuses a time without a zone', () => {
    for (const text of ['2026-03-29T12:00:00', '2026-03-29T12:00:00.000', '2026-03-29T12:00', '2026-03-29']) {
      assert.equal(parseInstant(text), undefined, text)
    }
  })

  it('refuses offsets other than UTC, however they are written', () => {
    for (const zone of [
      '+01:00',
      '-05:00',
      '+0530',
      '+00:30',
      '+0001',
      '-00:00',
      '[UTC]',
      'Z[UTC]',
      '+02:00[Z]',
      '+02:00+00:00',
      'UTC',
      ' Z',
      'Z ',
      'Z\n',
    ]) {
      assert.equal(parseInstant(`2026-03-29T12:00:00${zone}`), undefined, zone)
    }
  })

  it('refuses dates that do not exist', () => {
    for (const date of ['2026-02-30', '2026-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00']) {
      assert.equal(parseInstant(`${date}T12:00:00Z`), undefined, date)
    }
    assert.equal(parseInstant('2028-02-29T12:00:00Z'), Date.UTC(2028, 1, 29, 12))
  })

  it('refuses times that do not exist', () => {
    for (const time of ['24:00:00', '25:00:00', '12:60:00', '12:00:61', '-1:00:00', '12:00:00.', '1:00:00']) {
      assert.equal(parseInstant(`2026-03-29T${time}Z`), undefined, time)
    }
  })

  it('never reads a leap second as the next minute', () => {
    const instant = parseInstant('2026-12-31T23:59:60Z')
    assert.ok(instant === undefined || instant < Date.UTC(2027, 0, 1))
  })

  it('reads any year of four digits', () => {
    for (const year of ['0000', '0001', '0099', '1969', '9999']) {
      const expected = Temporal.PlainDateTime.from(`${year}-06-01T12:00`).toZonedDateTime(
        'UTC',
      ).epochMilliseconds
      assert.equal(parseInstant(`${year}-06-01T12:00:00Z`), expected, year)
    }
  })

  it('refuses years out of range', () => {
    for (const year of ['+999999', '-999999', '+275761', '-271822', '-000000', '99999', '123', '']) {
      assert.equal(parseInstant(`${year}-01-01T12:00:00Z`), undefined, year)
    }
  })

  it('refuses other text', () => {
    for (const text of [
      '',
      'Z',
      'now',
      '0',
      '1774785600000',
      '12:00:00Z',
      '2026-03-29Z',
      'T12:00Z',
      'null',
      '+00:00',
    ]) {
      assert.equal(parseInstant(text), undefined, JSON.stringify(text))
    }
  })

  it('refuses long text without parsing it', () => {
    assert.equal(parseInstant(`2026-03-29T12:00:00.${'0'.repeat(100_000)}Z`), undefined)
  })

  it('returns a number or undefined for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        assert.ok(['number', 'undefined'].includes(typeof parseInstant(text)))
        assert.ok(['number', 'undefined'].includes(typeof parseInstant(`${text}Z`)))
      }),
    )
  })
})

describe('formatInstant', () => {
  it('writes whole seconds in UTC', () => {
    assert.equal(formatInstant(Date.UTC(2026, 0, 2, 3, 4, 5)), '2026-01-02T03:04:05Z')
    assert.equal(formatInstant(0), '1970-01-01T00:00:00Z')
  })

  it('drops fractions', () => {
    assert.equal(formatInstant(NOON + 999), formatInstant(NOON))
  })

  it('is read back as the same instant', () => {
    const seconds = { min: Date.UTC(1970, 0) / 1000, max: Date.UTC(9999, 11, 31) / 1000 }
    fc.assert(
      fc.property(fc.integer(seconds), (second) => {
        assert.equal(parseInstant(formatInstant(second * 1000)), second * 1000)
      }),
    )
  })
})
