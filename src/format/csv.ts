/** What makes a spreadsheet take a cell for a formula. */
const FORMULA = /^[=+\-@\t\r\n]/

/** One line of CSV as RFC 4180 has it, with nothing in it that a spreadsheet would run. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
