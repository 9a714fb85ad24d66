import type { Mail } from '../../outside/mail/mail.ts'
import { writeNotice } from '../mail-notice.ts'

/** To the new address: the link that proves it. */
export const proveEmailMail = (to: string, link: string, locale: string): Mail =>
  writeNotice({ to, locale, kind: 'proveEmail', href: link })

/** To the present address, when a change is asked for. */
export const emailChangeAskedMail = (to: string, email: string, profile: string, locale: string): Mail =>
  writeNotice({ to, locale, kind: 'emailChangeAsked', href: profile, gaps: { email } })

/** To the former address, once it has changed. */
export const emailChangedMail = (to: string, email: string, profile: string, locale: string): Mail =>
  writeNotice({ to, locale, kind: 'emailChanged', href: profile, gaps: { email } })
