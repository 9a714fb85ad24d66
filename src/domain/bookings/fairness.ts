import { ASSIGNMENT_REASONS, type Assignment } from './assignment.ts'

type Reason = Assignment['reason']

/** Meetings of one event type that were assigned in the same way. */
export interface CountedAssignment {
  readonly eventTypeId: string
  readonly assignment: Assignment
  /** The meetings of its series, which share one turn; 1 without a series. */
  readonly parts: number
  readonly count: number
}

/** What a host got of the meetings that were assigned, and what was due to them. */
export interface HostShare {
  readonly hostId: string
  readonly meetings: number
  /** The sum of their shares in all meetings for which they were free, whoever got them. */
  readonly due: number
  /** The meetings, by the reason for which they got them. */
  readonly reasons: Readonly<Record<Reason, number>>
}

/** The share of each host who got a meeting or was free for one; who got most comes first. */
export function sharesOf(counted: readonly CountedAssignment[]): HostShare[] {
  const shares = new Map<string, { meetings: number; due: number; reasons: Record<Reason, number> }>()
  const shareOf = (hostId: string) => {
    const known = shares.get(hostId) ?? { meetings: 0, due: 0, reasons: noReasons() }
    shares.set(hostId, known)
    return known
  }
  for (const { assignment, parts, count } of counted) {
    const { hostId, reason, changes } = assignment
    const chosen = shareOf(hostId)
    chosen.meetings += count
    chosen.reasons[reason] += count
    // The chosen host paid for the meeting, so their change is 1 less than their share.
    chosen.due += count
    for (const [id, change] of Object.entries(changes)) shareOf(id).due += change * parts * count
  }
  return [...shares]
    .map(([hostId, { due, ...share }]) => ({ hostId, ...share, due: rounded(due) }))
    .toSorted((a, b) => b.meetings - a.meetings || b.due - a.due || (a.hostId < b.hostId ? -1 : 1))
}

const noReasons = () =>
  Object.fromEntries(ASSIGNMENT_REASONS.map((reason) => [reason, 0])) as Record<Reason, number>

/** Shares are fractions; a hundredth of a meeting is exact enough. */
const rounded = (due: number) => Math.round(due * 100) / 100
