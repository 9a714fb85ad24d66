import { createHmac } from 'node:crypto'
import { clientKey, siteKey } from '../../../domain/client-address.ts'
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

/** Whose request it is: the client's address, of IPv6 the /48, because anyone can rent one. */
export const clientOf = (address: string): string => siteKey(address) ?? clientKey(address)

/** Tells clients apart by a tag. It differs for every mailbox, so it says nothing about who else that client books for. */
export const clientTags =
  ({ jwtSecret }: Context, address: string) =>
  (mailbox: string): string =>
    createHmac('sha256', jwtSecret)
      .update(`mails ${clientOf(address)} ${mailbox}`)
      .digest('base64url')
      .slice(0, 8)
