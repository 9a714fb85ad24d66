import { createHash } from 'node:crypto'
import { HOUR } from '../../domain/interval.ts'
import { guestKey } from '../../domain/people/guest-key.ts'
import { Problem } from '../../domain/problem.ts'
import { hasAnswered, insertAnswered } from '../../store/bookings/answered-guests.ts'
import type { Ledger } from '../../store/bookings/ledger.ts'
import { findUserByEmail } from '../../store/people/users.ts'
import type { Context } from '../context.ts'

/** Mails that bookings may cause in an hour to an address that never answered one. */
const MAILS_PER_HOUR = 5

/** A guest who never answered would get too many mails. */
export class TooManyMails extends Problem {
  constructor(retryAfter: number) {
    const reason = `Too many bookings for this email address. Please try again in ${retryAfter} seconds.`
    super('rate_limited', reason, { retryAfter })
  }
}

/** Bookings from here on include all that were made in the last hour: none begins before it is made. */
export const mailedSince = (now: number): number => now - HOUR

/** Throws `TooManyMails` if this guest got their share of the last hour. Each booking was one mail. */
export function checkMails(ledger: Ledger, guest: string, now: number): void {
  const sent = ledger
    .bookingsOf(guest)
    .map(({ createdAt }) => createdAt)
    .filter((sentAt) => sentAt > now - HOUR)
  if (sent.length < MAILS_PER_HOUR) return
  const [oldest = now] = sent.toSorted((a, b) => a - b).slice(-MAILS_PER_HOUR)
  throw new TooManyMails(Math.max(1, Math.ceil((oldest + HOUR - now) / 1000)))
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
const addressHash = (email: string) => createHash('sha256').update(guestKey(email)).digest('base64url')
