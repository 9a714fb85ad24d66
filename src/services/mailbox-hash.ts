import { hash } from 'node:crypto'
import { canonicalEmail } from '../domain/people/contact.ts'
import { guestKey } from '../domain/people/guest-key.ts'

const hashOf = (text: string): string => hash('sha256', text, 'base64url')

/** What limits and records keep of an address: nobody needs the address itself. All spellings of a mailbox have the same. */
export const mailboxHash = (email: string): string => hashOf(guestKey(email))

/** What codes keep of an address. With another `+tag`, it is another: at some providers, someone else's. */
export const addressHash = (email: string): string => hashOf(canonicalEmail(email))
