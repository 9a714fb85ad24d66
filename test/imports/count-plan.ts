import type { LineState, PlanLine } from '../../src/domain/imports/plan.ts'
import { SOURCE_TABLES, type SourceTable } from '../../src/domain/imports/source.ts'

/** How many rows of each table are in each state; what there is none of is left out. */
type PlanCounts = Readonly<Partial<Record<SourceTable, Readonly<Partial<Record<LineState, number>>>>>>

/** Counts lines by table and state. */
export function countPlan(lines: Iterable<Pick<PlanLine, 'key' | 'state'>>): PlanCounts {
  const counts: Partial<Record<SourceTable, Partial<Record<LineState, number>>>> = {}
  for (const { key, state } of lines) {
    const table = SOURCE_TABLES.find((one) => one === key.slice(0, key.indexOf('/')))
    if (table === undefined) continue
    const own = counts[table] ?? {}
    counts[table] = own
    own[state] = (own[state] ?? 0) + 1
  }
  return counts
}
