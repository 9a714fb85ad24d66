/** One figure, and what it is compared with. */
export interface Row {
  readonly what: string
  readonly ours: string
  readonly baseline: string
  readonly value: number
  readonly unit?: string
  /** Absent: printed for information only. */
  readonly target?: Target
}

export interface Target {
  readonly atLeast?: number
  readonly atMost?: number
}

// Fixed, because each row is printed as soon as it is measured.
const WIDTHS = [56, 9, 9, 11, 12, 6]

/** The line above all rows, and a rule below it. */
export const HEADING = `${format(['what', 'ours', 'baseline', 'value', 'target', ''])}
${'-'.repeat(WIDTHS.reduce((sum, width) => sum + width + 2, -2))}`

export function formatRow({ what, ours, baseline, value, unit = '×', target }: Row): string {
  const verdict = target === undefined ? '' : isMissed({ value, target }) ? 'MISSED' : 'ok'
  return format([what, ours, baseline, inUnit(value, unit), formatTarget(target, unit), verdict])
}

export function isMissed({ value, target }: Pick<Row, 'value' | 'target'>): boolean {
  const { atLeast = -Infinity, atMost = Infinity } = target ?? {}
  return !(value >= atLeast && value <= atMost)
}

function format(cells: readonly string[]): string {
  return cells
    .map((cell, column) => (column === 0 ? cell.padEnd(WIDTHS[0] ?? 0) : cell.padStart(WIDTHS[column] ?? 0)))
    .join('  ')
    .trimEnd()
}

function formatTarget(target: Target | undefined, unit: string): string {
  if (target?.atLeast !== undefined) return `≥ ${inUnit(target.atLeast, unit)}`
  if (target?.atMost !== undefined) return `≤ ${inUnit(target.atMost, unit)}`
  return ''
}

function inUnit(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 ? 0 : 2
  const number = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return `${number} ${unit}`.trimEnd()
}

/** `12,345/s` */
export function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en')}/s`
}
