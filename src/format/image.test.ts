import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { jpegOf, LOSSLESS_WEBP, LOSSY_WEBP, PNG, pngOf } from '../../test/pictures.ts'
import { readImage } from './image.ts'

describe('readImage', () => {
  it('knows a picture by its content, and how large it is', () => {
    assert.deepEqual(readImage(PNG), { type: 'image/png', width: 3, height: 2 })
    assert.deepEqual(readImage(pngOf(70_000, 1)), { type: 'image/png', width: 70_000, height: 1 })
    assert.deepEqual(readImage(jpegOf(640, 480)), { type: 'image/jpeg', width: 640, height: 480 })
    assert.deepEqual(readImage(LOSSY_WEBP), { type: 'image/webp', width: 1, height: 1 })
    assert.deepEqual(readImage(LOSSLESS_WEBP), { type: 'image/webp', width: 1, height: 1 })
    const extended = Buffer.from('524946460000000057454250565038580a00000000000000ff0000020100aabbcc', 'hex')
    assert.deepEqual(readImage(extended), { type: 'image/webp', width: 256, height: 259 })
  })

  it('takes nothing else for a picture', () => {
    for (const other of [
      '',
      'GIF89a\x03\x00\x02\x00\x80\x01\x00',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '<html>',
      'RIFF\x00\x00\x00\x00WEBPVP8?'.padEnd(40),
    ]) {
      assert.equal(readImage(Buffer.from(other, 'latin1')), undefined, other)
    }
    for (const picture of [pngOf(0, 1), jpegOf(1, 0), PNG.subarray(0, 23), jpegOf(9, 9).subarray(0, 30)]) {
      assert.equal(readImage(picture), undefined)
    }
  })

  it('reads any bytes to an end', () => {
    const begun = [PNG, LOSSY_WEBP, LOSSLESS_WEBP, jpegOf(1, 1)].map((picture) => [...picture])
    const bytes = fc
      .tuple(fc.constantFrom(...begun), fc.nat(40), fc.array(fc.nat(255), { maxLength: 200 }))
      .map(([picture, kept, rest]) => Uint8Array.from([...picture.slice(0, kept), ...rest]))
    fc.assert(
      fc.property(bytes, (given) => {
        const head = readImage(given)
        assert.ok(head === undefined || (head.width > 0 && head.height > 0))
      }),
    )
  })
})
