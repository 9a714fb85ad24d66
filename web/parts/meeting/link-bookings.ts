import { read, write } from '../time/clock.ts'
import type { OwnLink } from './own-booking.ts'

const KEPT = 'punctual:link-bookings'
const MOST = 10

/** A booking, and the private link that it was made with. */
interface LinkBooking extends OwnLink {
  readonly link: string
}

/** Remembers the booking in this browser, for a guest who opens the used link again. */
export function rememberBooking(link: string, { id, token }: OwnLink): void {
  keep([{ link, id, token }, ...known()].slice(0, MOST))
}

export const bookingMadeWith = (link: string): OwnLink | undefined =>
  known().find((booking) => booking.link === link)

/** For guests who erase their data. */
export const forgetBookings = (): void => keep([])

function known(): readonly LinkBooking[] {
  try {
    const kept: unknown = JSON.parse(read(KEPT) ?? '[]')
    return Array.isArray(kept) ? kept : []
  } catch {
    return []
  }
}

const keep = (bookings: readonly LinkBooking[]): void => write(KEPT, JSON.stringify(bookings))
