/** Where a host of a round-robin stands, at the moment a meeting is to be given out. */
export interface Turn {
  readonly hostId: string
  readonly upcoming: number
  /** When the event type last gave them a meeting; null is never. */
  readonly lastAssignedAt: number | null
  /** Their share beside the others'; 1 unless said. */
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
    // The id settles what is left, so that the same facts always give the same answer.
    (a.hostId < b.hostId ? -1 : 1)
  )
}
