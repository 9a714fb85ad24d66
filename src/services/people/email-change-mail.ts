import type { Mail } from '../../outside/mail.ts'
import { writeNotice } from '../mail-notice.ts'

/** To the new address: the link that proves it. */
export function proveEmailMail(to: string, link: string): Mail {
  return writeNotice({
    to,
    subject: 'Confirm your new email address',
    heading: 'Confirm your new email address',
    lead: 'Open this link where you are signed in. It works once, for an hour.',
    button: { label: 'Confirm this address', href: link },
    footer: 'If you didn’t ask for this, you can ignore this email.',
  })
}

/** To the present address, when a change is asked for. */
export function emailChangeAskedMail(to: string, email: string, profile: string): Mail {
  return writeNotice({
    to,
    subject: 'Your email address is about to change',
    heading: 'Your email address is about to change',
    lead: `You asked to sign in with ${email} from now on. Nothing changes until that address is confirmed.`,
    button: { label: 'Open your profile', href: profile },
    footer: 'If it wasn’t you, sign out everywhere on your profile.',
  })
}

/** To the former address, once it has changed. */
export function emailChangedMail(to: string, email: string, profile: string): Mail {
  return writeNotice({
    to,
    subject: 'Your email address has changed',
    heading: 'Your email address has changed',
    lead: `You now sign in with ${email}. This address no longer works for that.`,
    button: { label: 'Open your profile', href: profile },
    footer: 'If it wasn’t you, ask the operator of this service for help.',
  })
}
