/** What decides whether a round-robin host gets the next meeting. */
export interface Turn {
  readonly hostId: string
  readonly upcoming: number
  /** When this event type last assigned them a meeting; null: never. */
  readonly lastAssignedAt: number | null
  /** Their share relative to the other hosts; 1 by default. */
  readonly weight?: number
}

/** The host whose turn it is: fewest upcoming meetings for their weight, then longest unassigned. */
export function chooseHost(turns: readonly Turn[]): Turn | undefined {
  return turns.toSorted(byTurn)[0]
}

function byTurn(a: Turn, b: Turn): number {
  return (
    a.upcoming / (a.weight ?? 1) - b.upcoming / (b.weight ?? 1) ||
    (a.lastAssignedAt ?? -Infinity) - (b.lastAssignedAt ?? -Infinity) ||
    // Ids break ties, so that the same input always gives the same host.
    (a.hostId < b.hostId ? -1 : 1)
  )
}
