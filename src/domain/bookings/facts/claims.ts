import type { Interval } from '../../interval.ts'
import type { Claim } from '../../slots/openings.ts'
import { Fact } from './fact.ts'

/** The time that a meeting, or a hold, takes from a host. */
export interface HostClaim {
  readonly hostId: string
  readonly claim: Claim
  /** Set for a hold, by whether it still takes time. */
  readonly hold?: 'live' | 'over'
}

/** A time that is kept for a client until an instant of the database's clock. */
export interface NewHold {
  readonly id: string
  readonly eventTypeId: string
  readonly client: string
  readonly claims: readonly HostClaim[]
  readonly expiresAt: number
}

interface Asked {
  /** Claims of `hostIds` that touch one of these spans, buffers included. Those of `meetingIds` are read as well. */
  readonly spans?: readonly Interval[]
}

export interface HoldWrites {
  readonly holds?: readonly NewHold[]
  /** Holds that end now. */
  readonly freedHolds?: readonly string[]
}

interface Written extends HoldWrites {
  readonly claims?: readonly HostClaim[]
  /** Meetings that no longer take anyone's time. Their claims go before new ones come. */
  readonly freedMeetings?: readonly string[]
}

/** What takes the hosts' time. */
export class Claims extends Fact<Asked, Written> {
  /** By host, then by start: one may be read twice, by its host and by its meeting. */
  readonly #claims = new Map<string, Map<number, Claim>>()
  readonly #liveHolds = new Set<string>()
  readonly #ended: HostClaim[] = []

  add(added: HostClaim): void {
    const { hostId, hold } = added
    if (hold === 'over') {
      this.#ended.push(added)
      return
    }
    const claim: Claim = hold === 'live' ? { ...added.claim, isHold: true } : added.claim
    if (hold === 'live') this.#liveHolds.add(claim.meetingId)
    const claims = this.#claims.get(hostId)
    if (claims === undefined) this.#claims.set(hostId, new Map([[claim.startsAt, claim]]))
    else claims.set(claim.startsAt, claim)
  }

  of(hostId: string): Claim[] {
    return [...(this.#claims.get(hostId)?.values() ?? [])]
  }

  /** The hosts whose time a meeting takes. */
  hostsOf(meetingId: string): string[] {
    return [...this.#claims.keys()]
      .filter((id) => this.of(id).some((one) => one.meetingId === meetingId))
      .sort()
  }

  /** Whether this claim is a hold with that id, and not a booking. */
  isHold({ meetingId }: Claim, holdId: string): boolean {
    return meetingId === holdId && this.#liveHolds.has(meetingId)
  }

  /** Whether there is such a hold, which has not ended. */
  isHeld(holdId: string): boolean {
    return this.#liveHolds.has(holdId)
  }

  /** Claims of holds that have ended. They take no time, but the database still refuses others beside them. */
  get endedHolds(): readonly HostClaim[] {
    return this.#ended
  }

  override apply({ freedMeetings = [], freedHolds = [], holds = [], claims = [] }: Written): void {
    const freed = new Set([...freedMeetings, ...freedHolds])
    for (const byStart of freed.size === 0 ? [] : this.#claims.values()) {
      for (const [startsAt, { meetingId }] of byStart) if (freed.has(meetingId)) byStart.delete(startsAt)
    }
    for (const hold of holds) for (const claim of hold.claims) this.add({ ...claim, hold: 'live' })
    for (const claim of claims) this.add(claim)
  }
}
