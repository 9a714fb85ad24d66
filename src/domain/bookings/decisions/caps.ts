import { DAY, HOUR } from '../../interval.ts'
import { guestKey } from '../../people/guest-key.ts'
import { Problem } from '../../problem.ts'
import { sentence } from '../../sentence.ts'
import type { Booking } from '../booking.ts'
import { type GuestMail, oncePerSeries } from '../facts/guests.ts'
import type { Ledger, Question, Writes } from '../ledger.ts'
import type { ListedBooking } from '../listed-booking.ts'
import { isActive } from '../states.ts'
import { type Author, clientFor } from './author.ts'
import { type Given, type Needs, needs } from './decision.ts'

/** Mails that a client's bookings may cause in an hour to an address that never answered one. */
export const MAILS_PER_HOUR = 5

/** All clients together may cause this many times as many: nobody alone can use up what an address may get. */
export const ALL_CLIENTS = 4

/** Cancellations are refused at twice the cap only: whoever has booked five times can cancel all of it. */
const CANCELLATIONS = 2

/** How often a guest may move a booking in a day. */
const MOVES_PER_DAY = 10

/** Bookings of one event type that a guest may have ahead of them. */
const MAX_OPEN = 10

/** Bookings from here on include all that were made in the last hour: none begins before it is made. */
export const mailedSince = (now: number): number => now - HOUR

/** A refusal to mail an address that never answered. */
export function tooManyMails(email: string, retryAfter: number, isBrought = false): Problem {
  const reason = isBrought
    ? sentence`Too many bookings for the guest ${email}. Please try again in ${retryAfter} seconds.`
    : sentence`Too many bookings for this email address. Please try again in ${retryAfter} seconds.`
  return new Problem('rate_limited', reason, { retryAfter })
}

/** A refusal to mail someone about a change. */
export function tooManyMailsTo(email: string, retryAfter: number): Problem {
  const reason = sentence`Too many emails to ${email}. Please try again in ${retryAfter} seconds.`
  return new Problem('rate_limited', reason, { retryAfter })
}

/**
 * The first of those who come who got their share of the last hour: one mail for each booking or series that they or
 * others made for them, and for each change to one. What a host does is not counted.
 *
 * A client has a share of its own: a stranger who books in someone's name doesn't keep them from booking.
 */
export function findFullMailbox(
  ledger: Ledger,
  emails: readonly string[],
  author: Author,
  { exempt, now, most = MAILS_PER_HOUR }: MailCap,
): { readonly email: string; readonly isBrought: boolean; readonly retryAfter: number } | undefined {
  const counted = new Map<string, number>()
  for (const [index, email] of emails.entries()) {
    const key = guestKey(email)
    if (exempt.has(key)) continue
    // One mailbox may have several addresses on the list.
    const alsoNow = counted.get(key) ?? 0
    counted.set(key, alsoNow + 1)
    const sent = sentTo(ledger, key).filter(({ sentAt }) => sentAt > now - HOUR)
    const client = clientFor(author, key)
    const own = sent.filter((mail) => mail.client === client)
    const full =
      own.length + alsoNow >= most
        ? own.slice(-most)
        : sent.length + alsoNow >= most * ALL_CLIENTS
          ? sent.slice(-most * ALL_CLIENTS)
          : undefined
    if (full === undefined) continue
    const [oldest = { sentAt: now }] = full
    const retryAfter = Math.max(1, Math.ceil((oldest.sentAt + HOUR - now) / 1000))
    return { email, isBrought: index > 0, retryAfter }
  }
  return undefined
}

interface MailCap {
  /** Mailboxes without a cap, as `guestKey` writes them. */
  readonly exempt: ReadonlySet<string>
  readonly now: number
  /** By one client. */
  readonly most?: number
}

/** The oldest first. */
function sentTo({ guests }: Ledger, key: string): Pick<GuestMail, 'sentAt' | 'client'>[] {
  const booked = oncePerSeries(guests.bookingsOf(key)).filter(({ source }) => source !== 'Host')
  return [
    ...booked.map(({ createdAt, client }) => ({ sentAt: createdAt, client })),
    ...guests.mailsTo(key),
  ].sort((a, b) => a.sentAt - b.sentAt)
}

/** The part of a question that the mail cap needs before a guest changes a booking. */
export function questionAboutMails(author: Author, booking: Booking, now: number): Pick<Question, 'guests'> {
  if (author.by !== 'guest') return {}
  return { guests: { keys: recipientsOf(booking).map(guestKey), from: mailedSince(now) } }
}

/** The mails about a guest's change, for the cap of each recipient; or what is needed because one of them has too many. */
export function countMails(
  ledger: Ledger,
  booking: Booking,
  { type, author }: { readonly type: 'rescheduled' | 'cancelled'; readonly author: Author },
  { now, found, newId }: Given,
): Pick<Writes, 'guestMails'> | Needs {
  const emails = recipientsOf(booking)
  const most = MAILS_PER_HOUR * (type === 'cancelled' ? CANCELLATIONS : 1)
  const full = findFullMailbox(ledger, emails, author, { exempt: found.exempt.mails, now, most })
  if (full) {
    const { email, retryAfter } = full
    const otherwise = tooManyMailsTo(email, retryAfter)
    return needs({ what: 'exemption', cap: 'mails', email, otherwise })
  }
  // The booking's own id stands for the invitations.
  const bookingId = newId()
  return {
    guestMails: mailsTo(emails, bookingId, author, now),
  }
}

/** The mails to these, as the cap counts them. */
export const mailsTo = (
  emails: readonly string[],
  bookingId: string,
  author: Author,
  now: number,
): GuestMail[] =>
  emails.map((email, position) => {
    const guest = guestKey(email)
    return { bookingId, position, guest, sentAt: now, client: clientFor(author, guest) }
  })

const recipientsOf = ({ invitee, guests }: Booking): string[] => [invitee.email, ...guests]

/** When a guest has moved this booking in the last day, this time included; or a refusal of one move too many. */
export function countMove({ guestMoves = [] }: ListedBooking, now: number): readonly number[] | Problem {
  const recent = guestMoves.filter((movedAt) => movedAt > now - DAY)
  if (recent.length < MOVES_PER_DAY) return [...recent, now]
  const [oldest = now] = recent
  const retryAfter = Math.max(1, Math.ceil((oldest + DAY - now) / 1000))
  const reason = sentence`This booking was rescheduled ${MOVES_PER_DAY} times in a day. Please try again tomorrow, or contact the host.`
  return new Problem('rate_limited', reason, { retryAfter })
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
