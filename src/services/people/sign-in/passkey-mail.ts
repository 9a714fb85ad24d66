import type { User } from '../../../domain/people/user.ts'
import type { Mail } from '../../../outside/mail/mail.ts'
import { writeNotice } from '../../mail-notice.ts'

type Reader = Pick<User, 'email' | 'locale'>

/** To someone who signed in with a recovery code. */
export function recoveryCodeUsedMail({ email, locale }: Reader, left: number, profile: string): Mail {
  const kind = left === 1 ? 'oneRecoveryCodeLeft' : 'recoveryCodeUsed'
  return writeNotice({ to: email, locale, kind, href: profile, gaps: { left: String(left) } })
}

/** To someone who has a new passkey. */
export const passkeyAddedMail = ({ email, locale }: Reader, name: string, profile: string): Mail =>
  writeNotice({ to: email, locale, kind: 'passkeyAdded', href: profile, gaps: { name } })

/** To someone who has no passkey any more. */
export const passkeysRemovedMail = ({ email, locale }: Reader, profile: string): Mail =>
  writeNotice({ to: email, locale, kind: 'passkeysRemoved', href: profile })
