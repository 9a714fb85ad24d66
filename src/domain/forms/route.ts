import { sentence } from '../sentence.ts'
/** Why a form narrowed the hosts: the guest met one before, the owner's own system named one, or a filter did. */
export const ROUTE_REASONS = ['owner', 'lookup', 'filter'] as const

/** Where a form leads: to an event type, and there to some of its hosts. */
export interface Route {
  readonly eventTypeId: string
  /** The hosts it narrows the event type to; null: all. */
  readonly hostIds: readonly string[] | null
  /** Null unless it narrows them. */
  readonly reason: (typeof ROUTE_REASONS)[number] | null
  /** The reason as a sentence, or empty. */
  readonly detail: string
}

/** A route to all hosts of an event type. */
export const routeToAll = (eventTypeId: string): Route => ({
  eventTypeId,
  hostIds: null,
  reason: null,
  detail: '',
})

/** The response of a visitor who was routed to an event type, and may book it once. */
export interface RoutedResponse {
  readonly id: string
  readonly formId: string
  readonly route: Route
  readonly createdAt: number
  /** Set once it was used to book. Cancelling gives nothing back. */
  readonly bookingId: string | null
}

/** How long a visitor has to choose a time. */
export const ROUTED_FOR = 24 * 3_600_000

/** Said once they can't. */
export const START_AGAIN = sentence`Please start again from the form.`

/** Whether the visitor can still book with it. */
export const isUnspent = ({ createdAt, bookingId }: RoutedResponse, now: number): boolean =>
  bookingId === null && now < createdAt + ROUTED_FOR
