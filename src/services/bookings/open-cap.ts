import { isActive } from '../../domain/bookings/states.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { type Ledger, oncePerSeries } from '../../store/bookings/ledger.ts'

/** Bookings of one event type that a guest may have ahead of them. */
const MAX_OPEN = 10

/** A guest has too many bookings ahead of them. */
export class TooManyOpen extends Problem {
  constructor() {
    const reason = sentence`This email address already has ${MAX_OPEN} upcoming bookings here. Cancel one of them first.`
    super('too_many_bookings', reason)
  }
}

/** Throws `TooManyOpen` if this guest may not have another booking of this event type. A series counts as one. */
export function checkOpen(ledger: Ledger, eventTypeId: string, guest: string, now: number): void {
  const open = ledger
    .bookingsOf(guest)
    .filter((booking) => booking.eventTypeId === eventTypeId && booking.startsAt > now && isActive(booking))
  if (oncePerSeries(open).length >= MAX_OPEN) throw new TooManyOpen()
}
