import { createHash } from 'node:crypto'
import { guestKey } from '../../../domain/people/guest-key.ts'
import { hasAnswered, insertAnswered } from '../../../store/bookings/guests/answered-guests.ts'
import { findUserByEmail } from '../../../store/people/users.ts'
import type { Context } from '../../context.ts'

/** Whether this address may get more mails than strangers: its owner has used a link that we mailed, or is a host here. */
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
