import { unlinked } from '../../../format/text/printable.ts'
import type { Mail } from '../../../outside/mail/mail.ts'
import { writeNotice } from '../../mail-notice.ts'

/** The invitation mail. Its link signs in, or leads to the page where the reader does. */
export function invitationMail(
  to: string,
  {
    link,
    signsIn,
    locale,
    ...names
  }: {
    readonly inviter: string
    readonly team?: string
    readonly link: string
    readonly signsIn: boolean
    readonly locale: string
  },
): Mail {
  // Where anyone may sign up, the names are a stranger's words to someone who never heard of us.
  const inviter = unlinked(names.inviter)
  const team = unlinked(names.team ?? '')
  const [newcomer, known] =
    names.team === undefined
      ? (['invited', 'invitedToSignIn'] as const)
      : (['invitedToTeam', 'invitedToTeamToSignIn'] as const)
  const kind = signsIn ? newcomer : known
  return writeNotice({ to, locale, kind, href: link, gaps: { inviter, team, email: to } })
}
