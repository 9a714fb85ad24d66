import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { writeSize } from './size.ts'

describe('writeSize', () => {
  it('chooses the unit', () => {
    const sizes = [0, 1, 1023, 1024, 340 * 1024 ** 2, 1.25 * 1024 ** 3, 5 * 1024 ** 4, 5000 * 1024 ** 4]
    assert.deepEqual(
      sizes.map((bytes) => writeSize('en', bytes)),
      ['0 bytes', '1 byte', '1,023 bytes', '1 kB', '340 MB', '1.3 GB', '5.0 TB', '5,000.0 TB'],
    )
  })

  it('writes numbers and units as the language does', () => {
    const bytes = 1.5 * 1024 ** 3
    assert.deepEqual(
      ['de', 'fr', 'ja'].map((tag) => writeSize(tag, bytes).replaceAll(/\s/g, ' ')),
      ['1,5 GB', '1,5 Go', '1.5 GB'],
    )
  })
})
