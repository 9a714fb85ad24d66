import { partyOf } from '../guests.ts'
import { isActive } from '../states.ts'
import type { BookingWrites } from './bookings.ts'
import { Fact } from './fact.ts'

/** The seats of one booking: its own, and one for each of its guests. */
export interface TakenSeats {
  readonly bookingId: string
  readonly meetingId: string
  readonly seat: number
  readonly party: number
}

interface Asked {
  /** Read the taken seats of meetings of `hostIds` at these starts. */
  readonly seatsAt?: readonly number[]
}

/** Who sits where in seated meetings. */
export class Seats extends Fact<Asked, BookingWrites> {
  /** By meeting, then by booking. */
  readonly #seats = new Map<string, Map<string, TakenSeats>>()

  add(taken: TakenSeats): void {
    const seats = this.#seats.get(taken.meetingId)
    if (seats === undefined) this.#seats.set(taken.meetingId, new Map([[taken.bookingId, taken]]))
    else seats.set(taken.bookingId, taken)
  }

  /** The numbers of the seats that are taken. */
  takenIn(meetingId: string): ReadonlySet<number> {
    return new Set([...(this.#seats.get(meetingId)?.values() ?? [])].map(({ seat }) => seat))
  }

  /** How many people come to a meeting; undefined if that was not asked. */
  peopleIn(meetingId: string): number | undefined {
    const seats = this.#seats.get(meetingId)
    return seats && [...seats.values()].reduce((sum, { party }) => sum + party, 0)
  }

  override apply({ updates = [], bookings = [] }: BookingWrites): void {
    for (const { booking, seat, seats } of [...updates, ...bookings]) {
      for (const meeting of this.#seats.values()) meeting.delete(booking.id)
      if (seats === 1 || !isActive(booking)) continue
      this.add({ bookingId: booking.id, meetingId: booking.meetingId, seat, party: partyOf(booking) })
    }
  }
}
