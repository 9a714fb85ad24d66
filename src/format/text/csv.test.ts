import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { csvLine, readCsv } from './csv.ts'

/** What a reader of RFC 4180 makes of a file. */
function parse(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at < text.length; ) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        if (text[at] === '"') at++
        cell += text[at]
      }
      at++
    } else {
      while (text[at] !== ',' && !text.startsWith('\r\n', at)) cell += text[at++]
    }
    row.push(cell)
    if (text[at] === ',') at++
    else {
      assert.ok(text.startsWith('\r\n', at), 'a cell ends with a comma or the line')
      at += 2
      rows.push(row)
      row = []
    }
  }
  return rows
}

describe('csvLine', () => {
  it('leaves plain cells alone, and quotes where it must', () => {
    assert.equal(
      csvLine(['plain', '', 'a,b', 'say "hi"', 'two\r\nlines', 'x;y']),
      ['plain,,"a,b","say ""hi""","two\r\nlines","x;y"\r\n'].join(''),
    )
  })

  it('lets no cell become a formula', () => {
    for (const first of ['=', '+', '-', '@', '\t', '\r', '\n']) {
      const [[cell] = []] = parse(csvLine([`${first}1+1`]))
      assert.equal(cell, `'${first}1+1`)
    }
    assert.equal(csvLine(['a=1', '1-1', 'a@b.example', "'=1"]), "a=1,1-1,a@b.example,'=1\r\n")
  })

  it('can be read back, with any text in its cells', () => {
    const cell = fc.oneof(fc.string(), fc.constantFrom('"', ',', '\r\n', '\n', '"",', '=1', ' x '))
    const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 5 })
    fc.assert(
      fc.property(rows, (given) => {
        const read = parse(given.map(csvLine).join(''))
        assert.deepEqual(
          read,
          given.map((row) => row.map((text) => (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text))),
        )
      }),
    )
  })
})

describe('readCsv', () => {
  it('gives back what csvLine wrote, with any text in its cells', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('"', ',', '\r\n', '\n', '"",', '=1', ' x ', ';'))
    // A cell that begins so might have been a formula.
    const cell = text.filter((one) => !one.startsWith("'"))
    const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 5 })
    fc.assert(
      fc.property(rows, (given) => {
        const all = [['email', 'region'], ...given]
        assert.deepEqual(readCsv(all.map(csvLine).join('')), all)
      }),
    )
  })

  it('reads what spreadsheets write: semicolons, tabs, a byte order mark, any line ends, no last line end', () => {
    assert.deepEqual(readCsv('\ufeffemail;a\nx;"1;2"\r\n\ny;'), [
      ['email', 'a'],
      ['x', '1;2'],
      [''],
      ['y', ''],
    ])
    assert.deepEqual(readCsv('email\ta\rx\t1,5'), [
      ['email', 'a'],
      ['x', '1,5'],
    ])
    assert.deepEqual(readCsv(''), [])
  })

  it('refuses a quote that does not end', () => {
    assert.throws(() => readCsv('email,a\nx,"1'), { code: 'invalid', message: /not closed/ })
  })
})
