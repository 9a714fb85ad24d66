import type { Mail } from '../../outside/mail.ts'
import { writeNotice } from '../mail-notice.ts'

/** The mail with the sign-in link. Opening the link changes nothing; the button on its page signs in. */
export function signInMail(to: string, link: string): Mail {
  return writeNotice({
    to,
    subject: 'Your sign-in link',
    heading: 'Sign in to Punctual',
    lead: 'This link works once, for 15 minutes.',
    button: { label: 'Open the sign-in page', href: link },
    footer: 'If you didn’t ask to sign in, you can ignore this email.',
  })
}
