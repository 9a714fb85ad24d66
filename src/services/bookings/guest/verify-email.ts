import { createHmac, randomInt } from 'node:crypto'
import type { BookableEventType } from '../../../domain/bookings/bookable.ts'
import { MAILS_PER_HOUR, mailedSince, tooManyMails } from '../../../domain/bookings/decisions/caps.ts'
import { isBlocked } from '../../../domain/event-types/blocklist.ts'
import { MINUTE } from '../../../domain/interval.ts'
import { isEmail } from '../../../domain/people/contact.ts'
import { guestKey } from '../../../domain/people/guest-key.ts'
import { invalidField, Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { countMadeSince } from '../../../store/bookings/bookings.ts'
import { countMailsSince, insertMail, upsertEmailCode } from '../../../store/bookings/guests/email-codes.ts'
import { createRateLimit, type RateLimit } from '../../../store/rate-limits.ts'
import type { Context } from '../../context.ts'
import { mailboxHash } from '../../mailbox-hash.ts'
import { emailCodeMail } from './email-code-mail.ts'
import { mayGetMore } from './mail-cap.ts'

/** How long a code works. */
const VALID_FOR = 10 * MINUTE

/** Codes in an hour for an address that has answered us. Each allows five guesses, so there must be an end. */
const CODES_PER_HOUR = 20

/** Counts codes by address. Made once: it may count in memory. */
export const emailCodeLimit = ({ db }: Context): RateLimit =>
  createRateLimit(db, 'verify-email', CODES_PER_HOUR, 3600)

/** Emails a code that proves this address to the event type. A newer one ends the older. */
export async function sendEmailCode(
  context: Context,
  { eventType, scheduler, blocklist }: BookableEventType,
  given: { readonly email: string; readonly locale?: string },
  limit: RateLimit,
): Promise<{ readonly expiresAt: number }> {
  const email = given.email.trim()
  if (!isEmail(email)) throw invalidField('email', sentence`{field} must be an email address.`)
  const now = context.now()
  const expiresAt = now + VALID_FOR
  // The answer must not reveal that a blocklist exists.
  if (isBlocked(email, blocklist)) return { expiresAt }
  await countCode(context, email, limit, now)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const address = mailboxHash(email)
  await upsertEmailCode(context.db, {
    eventTypeId: eventType.id,
    address,
    codeHash: codeHash(context, eventType.id, address, code),
    expiresAt,
  })
  await insertMail(context.db, guestKey(email), now)
  const { locale = '' } = given
  const mail = emailCodeMail(email, code, { eventType: eventType.name, host: scheduler, locale })
  context.inBackground(() => context.mailer(mail))
  return { expiresAt }
}

/** Throws `rate_limited` beyond what an address may get in an hour, bookings included unless it has answered us. */
async function countCode(context: Context, email: string, limit: RateLimit, now: number): Promise<void> {
  const count = await limit(mailboxHash(email))
  if (!count.allowed) throw tooManyMails(email, count.resetSeconds)
  const since = mailedSince(now)
  const [bookings, others] = await Promise.all([
    countMadeSince(context.db, guestKey(email), since),
    countMailsSince(context.db, guestKey(email), since),
  ])
  // The limiter counts codes that are requested at once, the rows those whom others bring.
  const mails = bookings + Math.max(count.limit - count.remaining, others + 1)
  if (mails <= MAILS_PER_HOUR || (await mayGetMore(context, email))) return
  throw tooManyMails(email, count.resetSeconds)
}

/** Throws `not_found` where addresses are not confirmed. */
export function requireConfirmEmail({ eventType }: BookableEventType): void {
  if (!eventType.confirmEmail) {
    throw new Problem('not_found', sentence`This event type does not ask guests to confirm their address.`)
  }
}

/** A code has few digits, so its hash is keyed: the database alone doesn't give it away. */
export const codeHash = (
  { jwtSecret }: Context,
  eventTypeId: string,
  address: string,
  code: string,
): string =>
  createHmac('sha256', jwtSecret).update(`email code ${eventTypeId} ${address} ${code}`).digest('base64url')
