import type { Turn } from '../assignment.ts'
import { Fact } from './fact.ts'

/** A change to what a round robin owes a host. */
export interface BalanceChange {
  readonly eventTypeId: string
  readonly hostId: string
  readonly by: number
  /** Set if the host was given a meeting. */
  readonly assignedAt?: number
}

interface Asked {
  /** Read and lock the balances of this event type's round robin. */
  readonly turnsOf?: string
}

interface Written {
  readonly balances?: readonly BalanceChange[]
}

/** What round robins owe their hosts. */
export class Turns extends Fact<Asked, Written> {
  /** By event type, then by host. */
  readonly #turns = new Map<string, Map<string, Turn>>()

  add(eventTypeId: string, turn: Turn): void {
    const turns = this.#turns.get(eventTypeId)
    if (turns === undefined) this.#turns.set(eventTypeId, new Map([[turn.hostId, turn]]))
    else turns.set(turn.hostId, turn)
  }

  /** The hosts who take turns. */
  of(eventTypeId: string): Turn[] {
    return [...(this.#turns.get(eventTypeId)?.values() ?? [])]
  }

  override apply({ balances = [] }: Written): void {
    for (const { eventTypeId, hostId, by, assignedAt } of balances) {
      const turn = this.#turns.get(eventTypeId)?.get(hostId)
      if (turn === undefined) continue
      const lastAssignedAt = assignedAt ?? turn.lastAssignedAt
      this.add(eventTypeId, { ...turn, balance: turn.balance + by, lastAssignedAt })
    }
  }
}
