import { createHmac, randomInt } from 'node:crypto'
import type { BookableEventType } from '../../../domain/bookings/bookable.ts'
import {
  ALL_CLIENTS,
  MAILS_PER_HOUR,
  mailedSince,
  tooManyMails,
} from '../../../domain/bookings/decisions/caps.ts'
import { isBlocked } from '../../../domain/event-types/blocklist.ts'
import { MINUTE } from '../../../domain/interval.ts'
import { isEmail } from '../../../domain/people/contact.ts'
import { guestKey } from '../../../domain/people/guest-key.ts'
import { invalidField, Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { countMadeSince } from '../../../store/bookings/bookings.ts'
import { countMailsSince, insertMail, upsertEmailCode } from '../../../store/bookings/guests/email-codes.ts'
import { createRateLimit, type RateLimit } from '../../../store/rate-limits.ts'
import { checkCaptcha } from '../../check-captcha.ts'
import type { Context } from '../../context.ts'
import { addressHash, mailboxHash } from '../../mailbox-hash.ts'
import { emailCodeMail } from './email-code-mail.ts'
import { clientOf, clientTags, mayGetMore } from './mail-cap.ts'

/** How long a code works. */
const VALID_FOR = 10 * MINUTE

/** Codes in an hour that one client may have sent to an address, and all of them. Each allows five guesses, so there must be an end. */
const CODES_PER_CLIENT = 10
const CODES_PER_HOUR = 20

export type CodeLimits = Readonly<Record<'perClient' | 'perMailbox', RateLimit>>

const made = new WeakMap<Context['db'], CodeLimits>()

/** Counts codes by client and mailbox, and by mailbox. The same for all callers: they may count in memory. */
export function emailCodeLimits({ db }: Context): CodeLimits {
  const limits = made.get(db) ?? {
    perClient: createRateLimit(db, 'verify-email-client', CODES_PER_CLIENT, 3600),
    perMailbox: createRateLimit(db, 'verify-email', CODES_PER_HOUR, 3600),
  }
  made.set(db, limits)
  return limits
}

interface CodeRequest {
  readonly email: string
  readonly locale?: string
  readonly captchaToken?: string
  readonly clientAddress: string
}

/** Emails a code that proves this address to the event type. A newer one ends the older. */
export async function sendEmailCode(
  context: Context,
  { eventType, scheduler, blocklist }: BookableEventType,
  given: CodeRequest,
  limits: CodeLimits,
): Promise<{ readonly expiresAt: number }> {
  const email = given.email.trim()
  if (!isEmail(email)) throw invalidField('email', sentence`{field} must be an email address.`)
  const { clientAddress, captchaToken: token = '', locale = '' } = given
  await checkCaptcha(context, eventType, 'book', { token, clientAddress })
  const now = context.now()
  const expiresAt = now + VALID_FOR
  // The answer must not reveal that a blocklist exists.
  if (isBlocked(email, blocklist)) return { expiresAt }
  await countCode(context, email, clientAddress, limits)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const address = addressHash(email)
  await upsertEmailCode(context.db, {
    eventTypeId: eventType.id,
    address,
    codeHash: codeHash(context, eventType.id, address, code),
    expiresAt,
  })
  const guest = guestKey(email)
  await insertMail(context.db, { guest, client: clientTags(context, clientAddress)(guest), sentAt: now })
  const mail = emailCodeMail(email, code, { eventType: eventType.name, host: scheduler, locale })
  context.inBackground(() => context.mailer(mail))
  return { expiresAt }
}

/** Throws `rate_limited` beyond what an address may get in an hour, bookings included unless it has answered us. */
async function countCode(
  context: Context,
  email: string,
  clientAddress: string,
  { perClient, perMailbox }: CodeLimits,
): Promise<void> {
  const count = await perClient(`${clientOf(clientAddress)} ${mailboxHash(email)}`)
  if (!count.allowed) throw tooManyMails(email, count.resetSeconds)
  const guest = guestKey(email)
  const client = clientTags(context, clientAddress)(guest)
  const since = mailedSince(context.now())
  const [bookings, others] = await Promise.all([
    countMadeSince(context.db, guest, since, client),
    countMailsSince(context.db, guest, since, client),
  ])
  // The limiter counts codes that are requested at once, the rows those whom others bring.
  const own = bookings.own + Math.max(count.limit - count.remaining, others.own + 1)
  const all = bookings.all + others.all + 1
  const isStrange = own > MAILS_PER_HOUR || all > MAILS_PER_HOUR * ALL_CLIENTS
  if (isStrange && !(await mayGetMore(context, email))) throw tooManyMails(email, count.resetSeconds)
  // Last, so that what is refused to one client uses up nothing of the others.
  const together = await perMailbox(mailboxHash(email))
  if (!together.allowed) throw tooManyMails(email, together.resetSeconds)
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
