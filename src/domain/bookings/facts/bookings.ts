import type { Booking, BookingStatus } from '../booking.ts'
import type { ListedBooking, NewBooking } from '../listed-booking.ts'
import { isActive } from '../states.ts'
import { Fact } from './fact.ts'

export interface UpdatedBooking extends ListedBooking {
  /** When a guest asked for approval again; undefined: unchanged. */
  readonly requestedAt?: number
  /** It leaves its time before any of them takes one: they may swap places, and one guest can't have two at one time. */
  readonly leavesFirst?: true
}

/** A booking in the same meeting. */
interface Companion {
  readonly id: string
  readonly meetingId: string
  readonly status: BookingStatus
}

interface Asked {
  /** Read and lock these, and read all who are in the same meetings. */
  readonly bookingIds?: readonly string[]
}

export interface BookingWrites {
  readonly bookings?: readonly NewBooking[]
  readonly updates?: readonly UpdatedBooking[]
}

/** Bookings that are to change, and those in the same meetings. */
export class Bookings extends Fact<Asked, BookingWrites> {
  readonly #bookings = new Map<string, ListedBooking>()
  readonly #companions = new Map<string, Companion>()

  add(listed: ListedBooking): void {
    const { id, meetingId, status } = listed.booking
    this.#bookings.set(id, listed)
    this.addCompanion({ id, meetingId, status })
  }

  addCompanion(companion: Companion): void {
    this.#companions.set(companion.id, companion)
  }

  find(id: string): ListedBooking | undefined {
    return this.#bookings.get(id)
  }

  /** The active bookings of a meeting. */
  activeIn(meetingId: string): string[] {
    return [...this.#companions.values()]
      .filter((other) => other.meetingId === meetingId && isActive(other))
      .map(({ id }) => id)
  }

  /** Whether other guests are in the same meeting. */
  hasCompanions({ id, meetingId }: Pick<Booking, 'id' | 'meetingId'>): boolean {
    return this.activeIn(meetingId).some((other) => other !== id)
  }

  override apply({ updates = [], bookings = [] }: BookingWrites): void {
    for (const listed of [...updates, ...bookings]) this.add(listed)
  }
}
