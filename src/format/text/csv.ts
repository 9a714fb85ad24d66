import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'

/** Characters that make a spreadsheet read a cell as a formula. */
const FORMULA = /^[=+\-@\t\r\n]/

/** One line of CSV (RFC 4180), with formulas made harmless. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/**
 * The cells of CSV (RFC 4180), row by row. The first row decides whether commas, semicolons or tabs separate them.
 *
 * Formulas that `csvLine` made harmless are given back as they were. Throws `invalid` if a quote does not end, or if more
 * than `mostRows` follow the first.
 */
export function readCsv(text: string, mostRows = Number.POSITIVE_INFINITY): string[][] {
  const content = text.startsWith('\ufeff') ? text.slice(1) : text
  const [header = ''] = content.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1)
  const delimiter = /[,;\t]/.exec(header)?.[0] ?? ','
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < content.length) {
    const quoted = content[at] === '"'
    const end = quoted ? endOfQuote(content, at) : endOfCell(content, at, delimiter)
    const cell = quoted ? content.slice(at + 1, end - 1).replaceAll('""', '"') : content.slice(at, end)
    // After a closing quote, anything up to the delimiter still belongs to the cell.
    const rest = quoted ? endOfCell(content, end, delimiter) : end
    row.push(withoutGuard(cell + content.slice(end, rest)))
    at = rest
    if (content[at] === delimiter) {
      at += 1
      if (at === content.length) row.push('')
      continue
    }
    at += content.startsWith('\r\n', at) ? 2 : 1
    rows.push(row)
    if (rows.length > mostRows + 1) throw tooManyRows(mostRows)
    row = []
  }
  if (row.length > 0) rows.push(row)
  if (rows.length > mostRows + 1) throw tooManyRows(mostRows)
  return rows
}

const tooManyRows = (most: number) =>
  new Problem('invalid', sentence`The file has more than ${most} rows. Split it into several files.`)

/** Where the closing quote ends. */
function endOfQuote(content: string, start: number): number {
  for (let at = content.indexOf('"', start + 1); at >= 0; at = content.indexOf('"', at + 2)) {
    if (content[at + 1] !== '"') return at + 1
  }
  throw new Problem('invalid', sentence`The file has a quotation mark that is not closed.`)
}

function endOfCell(content: string, start: number, delimiter: string): number {
  let at = start
  while (at < content.length && content[at] !== delimiter && content[at] !== '\n' && content[at] !== '\r')
    at++
  return at
}

const withoutGuard = (cell: string) =>
  cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell
