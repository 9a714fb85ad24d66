import { tooManyMailsTo } from '../../../domain/bookings/decisions/caps.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import { guestKey } from '../../../domain/people/guest-key.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { findBooking } from '../../../store/bookings/list.ts'
import { findActiveIds } from '../../../store/bookings/rosters.ts'
import { createRateLimit, type RateLimit } from '../../../store/rate-limits.ts'
import type { Context } from '../../context.ts'
import { mailboxHash } from '../../mailbox-hash.ts'

/** Limits of what users cause to be mailed to guests: any account could be used for spam. */
export type HostMailLimits = Readonly<Record<'bookings' | 'changes' | 'perMailbox', RateLimit>>

const made = new WeakMap<Context['db'], HostMailLimits>()

/** Counts by user, and by mailbox for all users together. The same for all callers: they may count in memory. */
export function hostMailLimits({ db }: Context): HostMailLimits {
  const limits = made.get(db) ?? {
    bookings: createRateLimit(db, 'host-book', 60, 3600),
    changes: createRateLimit(db, 'host-change', 300, 3600),
    perMailbox: createRateLimit(db, 'host-book-email', 20, 3600),
  }
  made.set(db, limits)
  return limits
}

/** Meetings are refused their end at twice the limit only: whoever has booked 20 can cancel all of them. */
const ENDINGS = 2

/** Whom a change is mailed to, and whether it ends their meeting. */
export interface MailedChange {
  readonly to: 'guest' | 'everyone in the meeting'
  readonly ends: boolean
}

/** Counts a booking or a change for the user; throws `rate_limited` beyond the limit. */
export async function countForUser(limit: RateLimit, userId: string): Promise<void> {
  const { allowed, resetSeconds } = await limit(userId)
  if (allowed) return
  const reason = sentence`Too many requests. Please try again in ${resetSeconds} seconds.`
  throw new Problem('rate_limited', reason, { retryAfter: resetSeconds })
}

/** Counts a mail to each of these mailboxes; throws `rate_limited` beyond the limit of one of them. */
export async function countRecipients(
  { perMailbox }: HostMailLimits,
  emails: readonly string[],
  ends = false,
): Promise<void> {
  for (const email of new Map(emails.map((one) => [guestKey(one), one])).values()) {
    const { allowed, resetSeconds } = await perMailbox(mailboxHash(email), ends ? ENDINGS : 1)
    if (!allowed) throw tooManyMailsTo(email, resetSeconds)
  }
}

/** Counts the mails of a user's change. Of a series, one mail tells of all meetings. */
export async function countChange(
  context: Context,
  limits: HostMailLimits,
  seen: ListedBooking,
  { to, ends }: MailedChange,
): Promise<void> {
  const bookings = to === 'guest' ? [seen] : await everyoneWith(context, seen)
  const emails = bookings.flatMap(({ booking }) => [booking.invitee.email, ...booking.guests])
  await countRecipients(limits, emails, ends)
}

/** This booking, and those of other guests of a seated meeting. */
async function everyoneWith({ db }: Context, seen: ListedBooking): Promise<ListedBooking[]> {
  if (seen.seats === 1 && seen.booking.meetingId === seen.booking.id) return [seen]
  const ids = await findActiveIds(db, seen.booking.meetingId)
  const others = await Promise.all(
    ids.filter((id) => id !== seen.booking.id).map((id) => findBooking(db, id)),
  )
  return [seen, ...others.filter((one) => one !== undefined)]
}
