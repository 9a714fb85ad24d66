import type { LineState } from './plan.ts'

/** How many rows of each table come over, by the state of their lines. */
export type Counts = Readonly<Record<string, Readonly<Partial<Record<LineState, number>>>>>
