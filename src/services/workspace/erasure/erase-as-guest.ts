import { createHash, randomInt } from 'node:crypto'
import { wrongCode } from '../../../domain/bookings/decisions/refusals.ts'
import { MINUTE } from '../../../domain/interval.ts'
import { canonicalEmail, isEmail } from '../../../domain/people/contact.ts'
import { invalidField, Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { createRateLimit, type RateLimit } from '../../../store/rate-limits.ts'
import {
  countErasureTry,
  deleteErasureCode,
  upsertErasureCode,
} from '../../../store/workspace/erasure-codes.ts'
import { codeHash } from '../../bookings/guest/verify-email.ts'
import type { Context } from '../../context.ts'
import { mailboxHash } from '../../mailbox-hash.ts'
import { type ErasureCounts, eraseGuest, GUEST } from './erase.ts'
import { erasureCodeMail } from './erasure-code-mail.ts'

/** How long a code works, and for how many tries. */
const VALID_FOR = 10 * MINUTE
const MAX_TRIES = 5
/** Codes in an hour for an address: anyone can ask for one. */
const CODES_PER_HOUR = 3

/** Counts codes by mailbox. Made once: it may count in memory. */
export const erasureCodeLimit = ({ db }: Context): RateLimit =>
  createRateLimit(db, 'erase-email', CODES_PER_HOUR, 3600)

/** Emails a code with which the owner of this address can erase it. Says the same of every address, known or not. */
export async function sendErasureCode(
  context: Context,
  given: { readonly email: string; readonly locale?: string },
  limit: RateLimit,
): Promise<{ readonly expiresAt: number }> {
  const email = readEmail(given.email)
  const address = addressKey(email)
  const { allowed, resetSeconds } = await limit(mailboxHash(email))
  if (!allowed) {
    const message = sentence`Too many codes for this email address. Please try again in ${resetSeconds} seconds.`
    throw new Problem('rate_limited', message, { retryAfter: resetSeconds })
  }
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const expiresAt = context.now() + VALID_FOR
  await upsertErasureCode(context.db, {
    address,
    codeHash: addressKeyCode(context, address, code),
    expiresAt,
  })
  const mail = erasureCodeMail(email, code, given.locale ?? '')
  context.inBackground(() => context.mailer(mail))
  return { expiresAt }
}

/** Erases an address everywhere for its owner, who has the code. */
export async function eraseAsGuest(
  context: Context,
  given: { readonly email: string; readonly code: string },
): Promise<ErasureCounts> {
  const email = readEmail(given.email)
  const address = addressKey(email)
  const expected = await countErasureTry(context.db, address, MAX_TRIES, context.now())
  const hash = addressKeyCode(context, address, given.code.trim())
  if (expected?.codeHash !== hash || !(await deleteErasureCode(context.db, address, hash))) {
    throw wrongCode(expected === undefined ? 0 : MAX_TRIES - expected.tries)
  }
  return eraseGuest(context, GUEST, email, 'all')
}

function readEmail(given: string): string {
  const email = given.trim()
  if (!isEmail(email)) throw invalidField('email', sentence`{field} must be an email address.`)
  return email
}

const addressKey = (email: string) => createHash('sha256').update(canonicalEmail(email)).digest('base64url')

const addressKeyCode = (context: Context, address: string, code: string) =>
  codeHash(context, 'erasure', address, code)
