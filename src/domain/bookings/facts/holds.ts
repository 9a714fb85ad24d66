import type { HoldWrites, NewHold } from './claims.ts'
import { Fact } from './fact.ts'

/** A hold as it was read, by its client. */
type ListedHold = Pick<NewHold, 'id' | 'eventTypeId' | 'client' | 'expiresAt'>

interface Asked {
  /** Live holds of this client on this event type, and the database's time. */
  readonly holdsOf?: { readonly eventTypeId: string; readonly client: string }
}

/** The holds of clients. The time that they take is among the claims. */
export class Holds extends Fact<Asked, HoldWrites> {
  readonly #holds = new Map<string, ListedHold>()
  /** Milliseconds since 1970 by the database's clock. */
  databaseTime = Number.NaN

  add(hold: ListedHold): void {
    this.#holds.set(hold.id, hold)
  }

  /** A client's live holds, the oldest first. */
  of(eventTypeId: string, client: string): string[] {
    return [...this.#holds.values()]
      .filter((hold) => hold.eventTypeId === eventTypeId && hold.client === client)
      .toSorted((a, b) => a.expiresAt - b.expiresAt)
      .map(({ id }) => id)
  }

  override apply({ holds = [], freedHolds = [] }: HoldWrites): void {
    for (const id of freedHolds) this.#holds.delete(id)
    for (const hold of holds) this.add(hold)
  }
}
