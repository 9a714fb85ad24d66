import { HOUR } from '../../interval.ts'
import { guestKey } from '../../people/guest-key.ts'
import { Problem } from '../../problem.ts'
import { sentence } from '../../sentence.ts'
import { oncePerSeries } from '../facts/guests.ts'
import type { Ledger } from '../ledger.ts'
import { isActive } from '../states.ts'

/** Mails that bookings may cause in an hour to an address that never answered one. */
export const MAILS_PER_HOUR = 5

/** Bookings of one event type that a guest may have ahead of them. */
const MAX_OPEN = 10

/** Bookings from here on include all that were made in the last hour: none begins before it is made. */
export const mailedSince = (now: number): number => now - HOUR

/** A refusal to mail an address that never answered. */
export function tooManyMails(email: string, retryAfter: number, isGuest = false): Problem {
  const reason = isGuest
    ? sentence`Too many bookings for the guest ${email}. Please try again in ${retryAfter} seconds.`
    : sentence`Too many bookings for this email address. Please try again in ${retryAfter} seconds.`
  return new Problem('rate_limited', reason, { retryAfter })
}

/**
 * The first of those who come who got their share of the last hour: one mail for each booking or series that they or
 * others made for them. What a host books does not count.
 */
export function findFullMailbox(
  ledger: Ledger,
  emails: readonly string[],
  /** As `guestKey` writes them. */
  exempt: ReadonlySet<string>,
  now: number,
): { readonly email: string; readonly refusal: Problem } | undefined {
  const counted = new Map<string, number>()
  for (const [index, email] of emails.entries()) {
    const key = guestKey(email)
    if (exempt.has(key)) continue
    // One mailbox may have several addresses on the list.
    const alsoNow = counted.get(key) ?? 0
    counted.set(key, alsoNow + 1)
    const sent = sentTo(ledger, key).filter((sentAt) => sentAt > now - HOUR)
    if (sent.length + alsoNow < MAILS_PER_HOUR) continue
    const [oldest = now] = sent.toSorted((a, b) => a - b).slice(-MAILS_PER_HOUR)
    const retryAfter = Math.max(1, Math.ceil((oldest + HOUR - now) / 1000))
    return { email, refusal: tooManyMails(email, retryAfter, index > 0) }
  }
  return undefined
}

function sentTo({ guests }: Ledger, key: string): number[] {
  const booked = oncePerSeries(guests.bookingsOf(key)).filter(({ source }) => source !== 'Host')
  return [...booked.map(({ createdAt }) => createdAt), ...guests.mailsTo(key).map(({ sentAt }) => sentAt)]
}

/** A refusal if this guest may not have another booking of this event type. A series counts as one. */
export function findTooManyOpen(
  { guests }: Ledger,
  eventTypeId: string,
  guest: string,
  now: number,
): Problem | undefined {
  const open = guests
    .bookingsOf(guest)
    .filter((booking) => booking.eventTypeId === eventTypeId && booking.startsAt > now && isActive(booking))
  if (oncePerSeries(open).length < MAX_OPEN) return undefined
  const reason = sentence`This email address already has ${MAX_OPEN} upcoming bookings here. Cancel one of them first.`
  return new Problem('too_many_bookings', reason)
}
