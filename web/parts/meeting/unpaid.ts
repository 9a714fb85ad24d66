import { ask } from '../api.ts'
import { read, write } from '../time/clock.ts'
import { type NewBooking, type OwnLink, ownAddress } from './own-booking.ts'

const KEPT = 'punctual:unpaid'

/** A booking that its guest has not paid yet. */
export interface Unpaid extends OwnLink {
  readonly eventTypeId: string
  /** An instant: after it, there is nothing left to pay. */
  readonly payBy: string
}

/**
 * Remembers it in this browser, until its time is free again: nothing was mailed yet, so that a closed tab would lose it,
 * and a second one would not know of it.
 */
export function rememberUnpaid(booking: Unpaid): void {
  keep([booking, ...known().filter(({ eventTypeId }) => eventTypeId !== booking.eventTypeId)])
}

/** The booking of this event type that waits for its payment. */
export const findUnpaid = (eventTypeId: string): Unpaid | undefined =>
  known().find((booking) => booking.eventTypeId === eventTypeId)

/** Returns whether it was remembered. */
export function forgetUnpaid(id: string): boolean {
  const others = known().filter((booking) => booking.id !== id)
  const isKnown = others.length < known().length
  if (isKnown) keep(others)
  return isKnown
}

function known(): readonly Unpaid[] {
  try {
    const kept: unknown = JSON.parse(read(KEPT) ?? '[]')
    if (!Array.isArray(kept)) return []
    return kept.filter(({ payBy }: Unpaid) => Date.parse(payBy) > Date.now())
  } catch {
    return []
  }
}

const keep = (bookings: readonly Unpaid[]): void => write(KEPT, JSON.stringify(bookings))

/** Gives the time of a booking back that was never paid. If that fails, it ends by itself. */
export async function endUnpaid(base: string, link: OwnLink): Promise<void> {
  forgetUnpaid(link.id)
  await ask(ownAddress(base, link, '/cancel'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    // The page is being left.
    keepalive: true,
  }).catch(() => {})
}

const [SOON, LATER] = [3_000, 15_000]
const MINUTE = 60_000

/** How long to wait before looking again whether it is paid: often at first, then calmly, and not for ever. */
export function untilNextLook(
  booking: Pick<NewBooking, 'status' | 'payBy'>,
  openedAt: number,
): number | false {
  if (booking.status !== 'PendingPayment') return false
  const now = Date.now()
  const payBy = booking.payBy === undefined ? now : Date.parse(booking.payBy)
  if (now > payBy + 5 * MINUTE) return false
  return now - openedAt < MINUTE ? SOON : LATER
}
