/** One figure, and what it is held against. */
export interface Row {
  readonly what: string
  readonly ours: string
  readonly baseline: string
  readonly value: number
  readonly unit?: string
  /** Absent: printed for the reader's interest, held against nothing. */
  readonly target?: Target
}

export interface Target {
  readonly atLeast?: number
  readonly atMost?: number
}

const HEADINGS = ['what', 'ours', 'baseline', 'value', 'target', '']

/** The rows as text, in columns. */
export function formatTable(rows: readonly Row[]): string {
  const lines = [HEADINGS, ...rows.map(cellsOf)]
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  const format = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  const [headings = '', ...rest] = lines.map(format)
  return [headings, '-'.repeat(Math.max(...lines.map((line) => format(line).length))), ...rest].join('\n')
}

function cellsOf({ what, ours, baseline, value, unit = '×', target }: Row): string[] {
  return [what, ours, baseline, inUnit(value, unit), formatTarget(target, unit), verdict(value, target)]
}

function formatTarget(target: Target | undefined, unit: string): string {
  if (target?.atLeast !== undefined) return `≥ ${inUnit(target.atLeast, unit)}`
  if (target?.atMost !== undefined) return `≤ ${inUnit(target.atMost, unit)}`
  return ''
}

function verdict(value: number, target: Target | undefined): string {
  if (target === undefined) return ''
  const { atLeast = -Infinity, atMost = Infinity } = target
  return value >= atLeast && value <= atMost ? 'ok' : 'MISSED'
}

function inUnit(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 ? 0 : 2
  const number = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return `${number} ${unit}`
}

/** `12,345/s` */
export function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en')}/s`
}
