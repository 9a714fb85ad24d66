import type { LineState } from './plan.ts'

/** How many rows of each table come over, by the state of their lines. */
export type Counts = Readonly<Record<string, Readonly<Partial<Record<LineState, number>>>>>

/** Whether any row is in this state. */
export const isCounted = (counts: Counts, state: LineState): boolean =>
  Object.values(counts).some((byState) => (byState[state] ?? 0) > 0)
