import { ROUTE_REASONS } from '../forms/route.ts'

/** What decides whether a round-robin host gets the next meeting. */
export interface Turn {
  readonly hostId: string
  /** The meetings that this event type owes them; negative: they had more than their share. */
  readonly balance: number
  /** When this event type last assigned them a meeting; null: never. */
  readonly lastAssignedAt: number | null
  /** Their share relative to the other hosts. */
  readonly weight: number
}

/**
 * `turn`: the round robin chose; `only`: one host was free; `owner`, `lookup`, `filter`: a form chose, or narrowed the
 * choice; handed over later: `manual` by a person, `automatic` by turn.
 */
export const ASSIGNMENT_REASONS = ['turn', 'only', ...ROUTE_REASONS, 'manual', 'automatic'] as const

/** How a booking got its host. */
export interface Assignment {
  readonly hostId: string
  readonly reason: (typeof ASSIGNMENT_REASONS)[number]
  /** A sentence for people. */
  readonly detail: string
  /** What it added to each host's balance, so that it can be reversed. The sum is 0. */
  readonly changes: BalanceChanges
}

/** By host. */
export type BalanceChanges = Readonly<Record<string, number>>

/** Balances are sums of fractions: those that differ by less are equal. */
const TOLERANCE = 1e-9

/**
 * Gives a meeting to one of the hosts who are free: each is owed their share of it, and the one who is owed the most
 * gets it. Ties go to the host who has waited longest.
 *
 * Shares are added before choosing. Chosen first, hosts who are always free could miss their due by more than a meeting.
 */
export function assignNext(free: readonly Turn[]): Assignment | undefined {
  const total = totalWeight(free)
  const raised = free.map((turn) => ({ ...turn, balance: turn.balance + turn.weight / total }))
  const most = Math.max(...raised.map(({ balance }) => balance))
  const [chosen] = raised.filter(({ balance }) => balance >= most - TOLERANCE).toSorted(byWait)
  if (chosen === undefined) return undefined
  const { hostId } = chosen
  const changes = changesFor(hostId, free)
  return free.length === 1
    ? { hostId, reason: 'only', detail: 'The only free host.', changes }
    : { hostId, reason: 'turn', detail: `Next of ${free.length} free hosts.`, changes }
}

/** Gives a meeting that its host hands over to the next of those who are free. */
export function reassignByTurn(free: readonly Turn[]): Assignment | undefined {
  const next = assignNext(free)
  if (next === undefined) return undefined
  const among = free.length === 1 ? 'the only free host' : `the next of ${free.length} free hosts`
  return { ...next, reason: 'automatic', detail: `Handed over to ${among}.` }
}

/** Gives a meeting to a host whom a person has chosen. It counts as if it had been their turn. */
export function reassignTo(hostId: string, free: readonly Turn[]): Assignment {
  return { hostId, reason: 'manual', detail: HANDED_OVER, changes: changesFor(hostId, free) }
}

/** An assignment whose host was replaced in the round robin by another one, who has their place and their balance. */
export function passOn({ changes }: Assignment, from: string, to: string): Assignment {
  const passed = Object.entries(changes).map(([id, by]) => [id === from ? to : id, by])
  return { hostId: to, reason: 'manual', detail: HANDED_OVER, changes: Object.fromEntries(passed) }
}

const HANDED_OVER = 'Handed over by hand.'

/** What giving a meeting to one of the free hosts changes. Without a choice, nobody is owed anything. */
function changesFor(hostId: string, free: readonly Turn[]): BalanceChanges {
  if (free.length === 1) return {}
  const total = totalWeight(free)
  return Object.fromEntries(
    free.map((turn) => [turn.hostId, turn.weight / total - (turn.hostId === hostId ? 1 : 0)]),
  )
}

const totalWeight = (turns: readonly Turn[]) => turns.reduce((sum, { weight }) => sum + weight, 0)

function byWait(a: Turn, b: Turn): number {
  return (
    (a.lastAssignedAt ?? -Infinity) - (b.lastAssignedAt ?? -Infinity) ||
    // Ids break ties, so that the same input always gives the same host.
    (a.hostId < b.hostId ? -1 : 1)
  )
}

/** One meeting's part of an assignment that several share. */
export function partOf(assignment: Assignment, meetings: number): Assignment {
  return { ...assignment, changes: scaled(assignment.changes, 1 / meetings) }
}

/** What an assignment changes for the hosts of today; `times` is -1 to reverse it. */
export function changesToday(
  { changes }: Assignment,
  hostIds: readonly string[],
  times: 1 | -1,
): BalanceChanges {
  const mine = scaled(changes, times)
  const gone = Object.keys(mine).filter((id) => !hostIds.includes(id))
  // As when a host leaves: those who stay share the host's part equally, so that balances still sum to 0.
  const each = gone.reduce((sum, id) => sum + (mine[id] ?? 0), 0) / hostIds.length
  const today = hostIds.map((id) => [id, (mine[id] ?? 0) + each] as const)
  return Object.fromEntries(today.filter(([, change]) => change !== 0))
}

const scaled = (changes: BalanceChanges, factor: number): BalanceChanges =>
  Object.fromEntries(Object.entries(changes).map(([id, change]) => [id, change * factor]))
