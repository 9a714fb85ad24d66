import type { Ref } from 'react'
import type { BookingData } from '../../src/http/pages/page-data.ts'
import type { NewBooking, OwnLink } from '../parts/meeting/own-booking.ts'

/** The response to `book`. */
export interface Booked extends NewBooking {
  /** With it the guest can change the booking. */
  readonly link: OwnLink | undefined
}

export interface ConfirmationProps {
  readonly data: BookingData
  readonly booked: Booked
  readonly headingRef: Ref<HTMLHeadingElement>
  /** Undefined: they can't. */
  readonly onAgain: (() => void) | undefined
  /** It was to be paid, and is. */
  readonly onPaid: (paid: NewBooking) => void
  /** The guest wants another time instead of paying for this one. */
  readonly onEnded: () => void
}
