import { hasAnswered, insertAnswered } from '../../../store/bookings/guests/answered-guests.ts'
import { findUserByEmail } from '../../../store/people/users.ts'
import type { Context } from '../../context.ts'
import { mailboxHash } from '../../mailbox-hash.ts'

/** Whether this address may get more mails than strangers: its owner has used a link that we mailed, or is a host here. */
export async function mayGetMore({ db }: Context, email: string): Promise<boolean> {
  return (await hasAnswered(db, mailboxHash(email))) || (await findUserByEmail(db, email)) !== undefined
}

/** Notes that the owner of this address has used a link that we mailed. */
export async function noteAnswer({ db, now }: Context, email: string): Promise<void> {
  const hash = mailboxHash(email)
  if (!(await hasAnswered(db, hash))) await insertAnswered(db, hash, now())
}
