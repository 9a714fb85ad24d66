import { randomInt } from 'node:crypto'
import { wrongCode } from '../../../domain/bookings/decisions/refusals.ts'
import { MINUTE } from '../../../domain/interval.ts'
import { isEmail } from '../../../domain/people/contact.ts'
import { invalidField, Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { createRateLimit, type RateLimit } from '../../../store/rate-limits.ts'
import {
  countErasureTry,
  deleteErasureCode,
  upsertErasureCode,
} from '../../../store/workspace/erasure-codes.ts'
import { clientOf } from '../../bookings/guest/mail-cap.ts'
import { codeHash } from '../../bookings/guest/verify-email.ts'
import type { Context } from '../../context.ts'
import { addressHash, mailboxHash } from '../../mailbox-hash.ts'
import { type ErasureCounts, eraseGuest, GUEST } from './erase.ts'
import { erasureCodeMail } from './erasure-code-mail.ts'

/** How long a code works, and for how many tries: one client has fewer, so that it can't use up another's code. */
const VALID_FOR = 10 * MINUTE
const MAX_TRIES = 20
const TRIES_PER_CLIENT = 10
/** Codes in an hour for an address that a client may ask for, and all of them: anyone can ask. */
const CODES_PER_CLIENT = 3
const CODES_PER_HOUR = 12

/** Counts codes and tries by client and mailbox, and codes by mailbox. Made once: they may count in memory. */
export const erasureLimits = ({ db }: Context) => ({
  perClient: createRateLimit(db, 'erase-client', CODES_PER_CLIENT, 3600),
  perMailbox: createRateLimit(db, 'erase-email', CODES_PER_HOUR, 3600),
  tries: createRateLimit(db, 'erase-tries', TRIES_PER_CLIENT, 3600),
})

type ErasureLimits = Readonly<Record<'perClient' | 'perMailbox' | 'tries', RateLimit>>

/** Emails a code with which the owner of this address can erase it. Says the same of every address, known or not. */
export async function sendErasureCode(
  context: Context,
  given: { readonly email: string; readonly locale?: string; readonly clientAddress: string },
  { perClient, perMailbox }: ErasureLimits,
): Promise<{ readonly expiresAt: number }> {
  const email = readEmail(given.email)
  const address = addressHash(email)
  // What is refused to one client must not count for the others.
  await countFor(perClient, keyOf(email, given.clientAddress))
  await countFor(perMailbox, mailboxHash(email))
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
  given: { readonly email: string; readonly code: string; readonly clientAddress: string },
  { tries }: ErasureLimits,
): Promise<ErasureCounts> {
  const email = readEmail(given.email)
  const address = addressHash(email)
  const left = await countFor(tries, keyOf(email, given.clientAddress))
  const expected = await countErasureTry(context.db, address, MAX_TRIES, context.now())
  const hash = addressKeyCode(context, address, given.code.trim())
  if (expected?.codeHash !== hash || !(await deleteErasureCode(context.db, address, hash))) {
    throw wrongCode(expected === undefined ? 0 : Math.min(left, MAX_TRIES - expected.tries))
  }
  return eraseGuest(context, GUEST, email, 'all')
}

/** Not by the address alone: strangers could keep its owner from erasing it. */
const keyOf = (email: string, clientAddress: string) => `${clientOf(clientAddress)} ${mailboxHash(email)}`

/** Returns how many are left. */
async function countFor(limit: RateLimit, key: string): Promise<number> {
  const { allowed, remaining, resetSeconds } = await limit(key)
  if (allowed) return remaining
  const message = sentence`Too many codes for this email address. Please try again in ${resetSeconds} seconds.`
  throw new Problem('rate_limited', message, { retryAfter: resetSeconds })
}

function readEmail(given: string): string {
  const email = given.trim()
  if (!isEmail(email)) throw invalidField('email', sentence`{field} must be an email address.`)
  return email
}

const addressKeyCode = (context: Context, address: string, code: string) =>
  codeHash(context, 'erasure', address, code)
