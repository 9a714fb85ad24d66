import type { Interval } from '../../interval.ts'
import type { Problem } from '../../problem.ts'
import type { Ledger, Question, Writes } from '../ledger.ts'

/** What a decision comes to. It is a function of its ledger alone, so it can be made again. */
export type Decision<T> = Done<T> | Refused | Needs

/** Decided: once `writes` are committed, `result` is the answer. */
export interface Done<T> {
  readonly kind: 'done'
  readonly result: T
  readonly writes: Writes
}

/** Not possible. Most refusals write nothing. */
export interface Refused {
  readonly kind: 'refused'
  readonly problem: Problem
  readonly writes: Writes
}

/** Can't be decided yet. What is needed is found without any lock, then the decision is made again. */
export interface Needs {
  readonly kind: 'needs'
  readonly need: Need
}

export type Need =
  /** The event type was read before its settings changed. */
  | { readonly what: 'settings' }
  /** Calendars of these hosts have not been asked about this time. */
  | { readonly what: 'calendars'; readonly hostIds: readonly string[] }
  /** Someone is beyond a cap, which doesn't apply to everyone; `otherwise` is the refusal. */
  | { readonly what: 'exemption'; readonly cap: Cap; readonly email: string; readonly otherwise: Problem }

/** Limits on what strangers can cause: mails in an hour, bookings ahead. */
export type Cap = 'mails' | 'open'

export const done = <T>(result: T, writes: Writes = {}): Done<T> => ({ kind: 'done', result, writes })

export const refused = (problem: Problem, writes: Writes = {}): Refused => ({
  kind: 'refused',
  problem,
  writes,
})

export const needs = (need: Need): Needs => ({ kind: 'needs', need })

/** What was found out for a decision so far. */
export interface Findings {
  /** Hosts whose calendars were asked about this time. */
  readonly asked: ReadonlySet<string>
  /** Those of them with a calendar that didn't answer. */
  readonly silent: ReadonlySet<string>
  /** Guests to whom a cap doesn't apply, as `guestKey` writes them. */
  readonly exempt: Readonly<Record<Cap, ReadonlySet<string>>>
}

/** What a decision gets besides the ledger. */
export interface Given {
  readonly now: number
  /** Makes a new id, later in order than those before. */
  readonly newId: () => string
  readonly found: Findings
}

export type Decide<T> = (ledger: Ledger, given: Given) => Decision<T>

/** A decision with what it has to know. */
export interface Plan<T> {
  readonly question: Question
  readonly decide: Decide<T>
  /** When calendars are asked about, buffers included. */
  readonly spans?: readonly Interval[]
}
