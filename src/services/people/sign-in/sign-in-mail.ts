import type { Mail } from '../../../outside/mail/mail.ts'
import { writeNotice } from '../../mail-notice.ts'

/** The mail with the sign-in link. Opening the link changes nothing; the button on its page signs in. */
export const signInMail = (to: string, link: string, locale: string): Mail =>
  writeNotice({ to, locale, kind: 'signIn', href: link })
