import type { Mail } from '../../outside/mail.ts'
import { writeNotice } from '../mail-notice.ts'

const NOT_YOU =
  'If it wasn’t you, sign out everywhere on your profile, and remove passkeys that you don’t know.'

/** To someone who signed in with a recovery code. */
export function recoveryCodeUsedMail(to: string, left: number, profile: string): Mail {
  const rest = left === 1 ? 'You have 1 code left.' : `You have ${left} codes left.`
  return writeNotice({
    to,
    subject: 'You signed in with a recovery code',
    heading: 'You signed in with a recovery code',
    lead: `The code can’t be used again. ${rest} If you have lost a passkey, remove it and add another.`,
    button: { label: 'Open your profile', href: profile },
    footer: NOT_YOU,
  })
}

/** To someone who has a new passkey. */
export function passkeyAddedMail(to: string, name: string, profile: string): Mail {
  return writeNotice({
    to,
    subject: 'A passkey was added to your account',
    heading: 'A passkey was added to your account',
    lead: `You can now sign in with “${name}” after opening an emailed link.`,
    button: { label: 'Open your profile', href: profile },
    footer: NOT_YOU,
  })
}

/** To someone who has no passkey any more. */
export function passkeysRemovedMail(to: string, profile: string): Mail {
  return writeNotice({
    to,
    subject: 'Your account has no passkey now',
    heading: 'Your account has no passkey now',
    lead: 'All your passkeys and recovery codes were removed. The emailed link alone signs you in, until you add a passkey.',
    button: { label: 'Open your profile', href: profile },
    footer: 'If you didn’t expect this, ask the operator of this service.',
  })
}
