import type { Zone } from '../../zone.ts'
import type { BookableEventType } from '../bookable.ts'
import type { Booking } from '../booking.ts'
import type { GuestAccess } from '../guest-access.ts'
import type { Retry } from '../idempotency.ts'
import type { RequestedBooking } from '../request.ts'
import type { Author } from './author.ts'

/** What is asked for, with those who come. */
type RequestedMeeting = RequestedBooking & Pick<Booking, 'guests' | 'metadata'>

/** The code that a guest typed, where addresses are confirmed. */
export interface Proof {
  /** Hashes of the address, and of its mailbox. */
  readonly address: string
  readonly mailbox: string
  /** A hash of what was typed; undefined: nothing was. */
  readonly codeHash: string | undefined
}

/** What is to be booked, by whom, and what they came with. */
export interface WantedBooking {
  /** For meetings of the requested length. */
  readonly bookable: BookableEventType
  readonly requested: RequestedMeeting
  /** The start, and those of its series. */
  readonly starts: readonly number[]
  /** In which a series keeps its wall time. */
  readonly zone: Zone
  /** Caps, calendars and approval are for guests: what a host books is confirmed at once. */
  readonly author: Author
  /** Two active bookings of one slot never share this. */
  readonly duplicateKey: string
  readonly access: GuestAccess
  /** The hold that keeps this time for the guest. It is not in their way. */
  readonly holdId?: string | undefined
  readonly proof?: Proof
  /** The account that gets the money, if it costs something. */
  readonly payTo?: string | undefined
  readonly retry?: Retry | undefined
}
