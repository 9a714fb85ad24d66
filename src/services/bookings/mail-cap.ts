import { createHash } from 'node:crypto'
import { HOUR } from '../../domain/interval.ts'
import { guestKey } from '../../domain/people/guest-key.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { hasAnswered, insertAnswered } from '../../store/bookings/answered-guests.ts'
import { type Ledger, oncePerSeries } from '../../store/bookings/ledger.ts'
import { findUserByEmail } from '../../store/people/users.ts'
import type { Context } from '../context.ts'

/** Mails that bookings may cause in an hour to an address that never answered one. */
export const MAILS_PER_HOUR = 5

/** A guest who never answered would get too many mails. */
export class TooManyMails extends Problem {
  /** The address that would get them. */
  readonly email: string

  constructor(email: string, retryAfter: number, isGuest: boolean) {
    const reason = isGuest
      ? sentence`Too many bookings for the guest ${email}. Please try again in ${retryAfter} seconds.`
      : sentence`Too many bookings for this email address. Please try again in ${retryAfter} seconds.`
    super('rate_limited', reason, { retryAfter })
    this.email = email
  }
}

/** Bookings from here on include all that were made in the last hour: none begins before it is made. */
export const mailedSince = (now: number): number => now - HOUR

/**
 * Throws `TooManyMails` if one of those who come got their share of the last hour: one mail for each booking or
 * series that they or others made for them. What a host books does not count.
 */
export function checkMails(
  ledger: Ledger,
  emails: readonly string[],
  /** Those who may get more, as `guestKey` writes them. */
  lifted: ReadonlySet<string>,
  now: number,
): void {
  const counted = new Map<string, number>()
  for (const [index, email] of emails.entries()) {
    const key = guestKey(email)
    if (lifted.has(key)) continue
    // One mailbox may have several addresses on the list.
    const alsoNow = counted.get(key) ?? 0
    counted.set(key, alsoNow + 1)
    const sent = sentTo(ledger, key).filter((sentAt) => sentAt > now - HOUR)
    if (sent.length + alsoNow < MAILS_PER_HOUR) continue
    const [oldest = now] = sent.toSorted((a, b) => a - b).slice(-MAILS_PER_HOUR)
    throw new TooManyMails(email, Math.max(1, Math.ceil((oldest + HOUR - now) / 1000)), index > 0)
  }
}

function sentTo(ledger: Ledger, key: string): number[] {
  const booked = oncePerSeries(ledger.bookingsOf(key)).filter(({ source }) => source !== 'Host')
  return [...booked.map(({ createdAt }) => createdAt), ...ledger.mailsTo(key).map(({ sentAt }) => sentAt)]
}

/** Whether this address may get more: its owner has used a link that we mailed, or is a host here. */
export async function mayGetMore({ db }: Context, email: string): Promise<boolean> {
  return (await hasAnswered(db, addressHash(email))) || (await findUserByEmail(db, email)) !== undefined
}

/** Notes that the owner of this address has used a link that we mailed. */
export async function noteAnswer({ db, now }: Context, email: string): Promise<void> {
  const hash = addressHash(email)
  if (!(await hasAnswered(db, hash))) await insertAnswered(db, hash, now())
}

/** A hash, because nobody needs the address itself. */
export const addressHash = (email: string): string =>
  createHash('sha256').update(guestKey(email)).digest('base64url')
