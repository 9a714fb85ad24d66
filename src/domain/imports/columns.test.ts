import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { copyField } from '../../../test/imports/dumps.ts'
import { columnsOf, decodeRow, readCopyLine } from './columns.ts'
import { SOURCE_TABLES } from './source.ts'

describe('decodeRow', () => {
  it('turns text forms into values', () => {
    const row = decodeRow('EventType', {
      id: '12',
      hidden: 't',
      requiresConfirmation: 'false',
      periodStartDate: '2030-01-07 09:30:00.5',
      periodEndDate: '2030-03-31 00:00:00+02',
      locations: '[{"type": "phone"}]',
      price: '-5',
      description: '',
      userId: null,
    })
    assert.deepEqual(row, {
      id: 12,
      hidden: true,
      requiresConfirmation: false,
      periodStartDate: '2030-01-07T09:30:00.500Z',
      periodEndDate: '2030-03-30T22:00:00.000Z',
      locations: [{ type: 'phone' }],
      price: -5,
      description: '',
      userId: null,
    })
  })

  it('reads dates, times of day and lists', () => {
    const row = decodeRow('Availability', {
      days: '{1,2,NULL}',
      date: '2030-01-07',
      startTime: '09:05:00',
      endTime: '24:00:00',
    })
    assert.deepEqual(row, { days: [1, 2, null], date: '2030-01-07', startTime: '09:05', endTime: '24:00' })
  })

  it('leaves as text what it cannot read', () => {
    const texts = {
      id: '99999999999999999999',
      hidden: 'perhaps',
      length: '1.5',
      periodStartDate: 'infinity',
      periodEndDate: '2030-02-30 00:00:00',
      locations: '[{"type":',
    }
    assert.deepEqual(decodeRow('EventType', texts), texts)
    for (const days of ['{1,x}', '{{1},{2}}', '{1', '1,2', '{,}', '{"1}', '{1}2}', ''])
      assert.deepEqual(decodeRow('Availability', { days }), { days })
  })

  it('drops columns that nobody needs, and those that are nobody’s', () => {
    assert.deepEqual(
      decodeRow('users', { id: '1', twoFactorSecret: 'secret', toString: 'x', __proto__: null }),
      {
        id: 1,
      },
    )
  })

  it('reads no password, second factor or code', () => {
    for (const table of SOURCE_TABLES) {
      const secret = [...columnsOf(table).keys()].find((name) =>
        /twoFactor|backupCode|oneTime|hash/i.test(name),
      )
      assert.equal(secret, undefined)
    }
  })

  it('gives any list back as it was', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('NULL', 'null', '', '{', '}', ',', '"', '\\'),
    )
    fc.assert(
      fc.property(fc.array(fc.option(text)), (items) => {
        const quoted = items.map((item) => (item === null ? 'NULL' : `"${item.replace(/["\\]/g, '\\$&')}"`))
        assert.deepEqual(decodeRow('Webhook', { eventTriggers: `{${quoted.join(',')}}` }), {
          eventTriggers: items,
        })
      }),
    )
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SOURCE_TABLES), fc.string({ unit: 'binary' }), (table, text) => {
        const texts = Object.fromEntries([...columnsOf(table).keys()].map((name) => [name, text]))
        assert.deepEqual(Object.keys(decodeRow(table, texts)), Object.keys(texts))
      }),
    )
  })
})

describe('readCopyLine', () => {
  it('gives any fields back as they were', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\\N', '\\', 'N', '\\.', '\t', '\n', '\r\n', '\b\f\v'),
    )
    fc.assert(
      fc.property(fc.array(fc.option(text), { minLength: 1 }), (fields) => {
        const line = fields.map(copyField).join('\t')
        assert.ok(!line.includes('\n'))
        assert.deepEqual(readCopyLine(line), fields)
      }),
    )
  })

  it('reads escapes of bytes, and others as themselves', () => {
    assert.deepEqual(readCopyLine('\\101\\x42\\q\\\\\t\\N\t\\N '), ['ABq\\', null, 'N '])
  })
})
