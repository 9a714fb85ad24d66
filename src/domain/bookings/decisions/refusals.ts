import { Problem } from '../../problem.ts'
import { type Sentence, sentence } from '../../sentence.ts'
import type { Booking, BookingStatus } from '../booking.ts'
import type { LinkEnd } from '../private-link.ts'

export const slotUnavailable = () =>
  new Problem('slot_unavailable', sentence`This time is no longer available. Please choose another slot.`)

export const duplicateBooking = () =>
  new Problem('duplicate_booking', sentence`This email address has already booked this time.`)

const DEAD_LINK: Readonly<Record<LinkEnd, Sentence>> = {
  used: sentence`This link has already been used. Please ask the host for a new one.`,
  expired: sentence`This link has expired. Please ask the host for a new one.`,
}

const UNKNOWN_LINK = sentence`This link doesn’t work. Please ask the host for a new one.`

/** `end` is undefined for a link that is unknown, or was revoked. */
export const deadLink = (end: LinkEnd | undefined) =>
  new Problem('not_found', end === undefined ? UNKNOWN_LINK : DEAD_LINK[end])

/** A wrong code, after which this many tries are left. */
export const wrongCode = (triesLeft: number) =>
  new Problem(
    'email_unconfirmed',
    triesLeft > 0
      ? sentence`This code is wrong. Tries left: ${triesLeft}.`
      : sentence`This code no longer works. Please request a new one.`,
  )

export const noSuchBooking = () => new Problem('not_found', sentence`There is no such booking.`)

export const changedMeanwhile = () =>
  new Problem('state_conflict', sentence`Someone has just changed this booking. Look at it again.`)

const STATES: Readonly<Record<BookingStatus, Sentence>> = {
  PendingPayment: sentence`This booking waits for its payment.`,
  PendingApproval: sentence`This booking still waits for approval.`,
  Confirmed: sentence`This booking has been confirmed. Cancel it instead.`,
  Declined: sentence`This booking has been declined.`,
  Cancelled: sentence`This booking has been cancelled.`,
  Expired: sentence`This booking was not paid in time.`,
  Completed: sentence`This meeting has taken place.`,
  NoShow: sentence`This booking is marked as a no-show.`,
}

export const stateConflict = ({ status }: Booking) => new Problem('state_conflict', STATES[status])
