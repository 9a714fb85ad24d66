import type { Assignment } from './assignment.ts'
import type { Booking } from './booking.ts'

/** A booking as its host sees it. */
export interface ListedBooking {
  readonly booking: Booking
  /** The user or team whose event type it is. */
  readonly schedulerId: string
  /** The host who gets the mail. */
  readonly hostId: string
  readonly seat: number
  readonly seats: number
  /** How the round robin chose the host, if it did. */
  readonly assignment?: Assignment | undefined
  /** When the guest moved it in the last day, the oldest first; left out: never. */
  readonly guestMoves?: readonly number[]
  /** What hosts have written about it, for themselves; left out: nothing. */
  readonly hostNotes?: string
}

/** A booking that is about to be made. */
export interface NewBooking extends ListedBooking {
  /** Two active bookings of one slot never share this. */
  readonly duplicateKey: string
  /** Which client books, as `Author` tells it. */
  readonly client?: string | undefined
}
