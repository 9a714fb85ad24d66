import type { HoldWrites, NewHold } from './claims.ts'
import { Fact } from './fact.ts'

/** A hold as it was read, by its client. */
type ListedHold = Pick<NewHold, 'id' | 'eventTypeId' | 'client' | 'expiresAt'>

interface Asked {
  /** Live holds of this client on this event type, and the database's time. */
  readonly holdsOf?: { readonly eventTypeId: string; readonly client: string }
  /** Live holds of these hosts, of any event type. */
  readonly heldHosts?: readonly string[]
}

/** The holds of clients. The time that they take is among the claims. */
export class Holds extends Fact<Asked, HoldWrites> {
  readonly #holds = new Map<string, ListedHold>()
  /** The holds of each host. */
  readonly #held = new Map<string, Set<string>>()
  /** Milliseconds since 1970 by the database's clock. */
  databaseTime = Number.NaN

  add(hold: ListedHold): void {
    this.#holds.set(hold.id, hold)
  }

  addHeld(hostId: string, id: string): void {
    const held = this.#held.get(hostId)
    if (held === undefined) this.#held.set(hostId, new Set([id]))
    else held.add(id)
  }

  /** The live holds that take this host's time. */
  ofHost(hostId: string): readonly string[] {
    return [...(this.#held.get(hostId) ?? [])]
  }

  /** A client's live holds, the oldest first. */
  of(eventTypeId: string, client: string): string[] {
    return [...this.#holds.values()]
      .filter((hold) => hold.eventTypeId === eventTypeId && hold.client === client)
      .toSorted((a, b) => a.expiresAt - b.expiresAt)
      .map(({ id }) => id)
  }

  override apply({ holds = [], freedHolds = [] }: HoldWrites): void {
    for (const id of freedHolds) {
      this.#holds.delete(id)
      for (const held of this.#held.values()) held.delete(id)
    }
    for (const hold of holds) {
      this.add(hold)
      for (const { hostId } of hold.claims) this.addHeld(hostId, hold.id)
    }
  }
}
