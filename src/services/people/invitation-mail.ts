import { unlinked } from '../../format/printable.ts'
import type { Mail } from '../../outside/mail.ts'
import { writeNotice } from '../mail-notice.ts'

/** The invitation mail. Its link signs in, or leads to the page where the reader does. */
export function invitationMail(
  to: string,
  {
    link,
    signsIn,
    ...names
  }: { readonly inviter: string; readonly team?: string; readonly link: string; readonly signsIn: boolean },
): Mail {
  // Where anyone may sign up, the names are a stranger's words to someone who never heard of us.
  const inviter = unlinked(names.inviter)
  const team = names.team === undefined ? undefined : unlinked(names.team)
  const what = team === undefined ? 'Punctual' : `the team ${team} on Punctual`
  return writeNotice({
    to,
    subject: team === undefined ? 'You are invited to Punctual' : `You are invited to ${team}`,
    heading: 'You’re invited',
    lead: signsIn
      ? `${inviter} invites you to ${what}. The button creates your account. It works once, for 14 days.`
      : `${inviter} invites you to ${what}. Sign in with this email address, ${to}, within 14 days.`,
    button: { label: signsIn ? 'Accept the invitation' : 'Open the sign-in page', href: link },
    footer: 'If you don’t want to join, ignore this email.',
  })
}
