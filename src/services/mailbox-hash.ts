import { createHash } from 'node:crypto'
import { guestKey } from '../domain/people/guest-key.ts'

/** What limits and records keep of an address: a hash, because nobody needs the address itself, of what all spellings of a mailbox share. */
export const mailboxHash = (email: string): string =>
  createHash('sha256').update(guestKey(email)).digest('base64url')
