import { createHash } from 'node:crypto'
import { guestKey } from '../domain/people/guest-key.ts'

/** What limits and records keep of an address: nobody needs the address itself. All spellings of a mailbox have the same. */
export const mailboxHash = (email: string): string =>
  createHash('sha256').update(guestKey(email)).digest('base64url')
